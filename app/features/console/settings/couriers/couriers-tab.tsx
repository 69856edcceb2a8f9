import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { TextField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { Loading, Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type CourierRow, deleteCourier, listCouriers, saveCourier } from '#contracts/console/couriers.ts';
import { trackingLink } from '#domain/orders/tracking-link.ts';
import { useRequests } from '../../data/requests.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { type Deletion, type EditControls, EditDialog, EditEnd } from '../../form/edit-dialog.tsx';
import { checkCourier } from './courier-data.ts';
import styles from './couriers-tab.module.css';

/** Who carries the parcels, and where customers follow them. */
export function CouriersTab() {
  const { data, isPending, isLoadingError, refetch } = useShopQuery(listCouriers, {});
  const [subject, setSubject] = useState<CourierRow | 'new' | null>(null);
  if (isPending) return <Loading />;
  if (isLoadingError) return <FailedState retry={refetch} />;
  return (
    <Panel
      title="Couriers"
      actions={
        <Button variant="primary" size="small" onClick={() => setSubject('new')}>
          Add a courier
        </Button>
      }
    >
      <p className={styles.why}>
        They are suggested when you mark an order as shipped. With a tracking address, the link for the customer is
        filled in from the tracking number.
      </p>
      <DataTable<CourierRow>
        caption="Couriers"
        rows={data}
        rowKey={({ id }) => String(id)}
        rowLabel={({ name }) => name}
        columns={[
          {
            key: 'name',
            title: 'Courier',
            cell: (row) => (
              <button type="button" className={styles.name} onClick={() => setSubject(row)}>
                {row.name}
              </button>
            ),
          },
          {
            key: 'pattern',
            title: 'Tracking address',
            cell: ({ tracking_pattern }) => <span className={styles.pattern}>{tracking_pattern || 'none'}</span>,
          },
        ]}
        empty={<EmptyState title="No couriers yet." text="Add the ones you hand parcels to, or your own rider." />}
      />
      <CourierDialog subject={subject} onClose={() => setSubject(null)} onChange={refetch} />
    </Panel>
  );
}

type DialogProps = { subject: CourierRow | 'new' | null; onClose(): void; onChange(): void };

function CourierDialog({ subject, onClose, onChange }: DialogProps) {
  const { act } = useRequests();
  const courier = subject === 'new' ? null : subject;
  const deletion: Deletion | null = courier && {
    title: `Delete ${courier.name}?`,
    text: 'It is no longer suggested. Orders that were shipped with it keep its name and their links.',
    done: `Deleted: ${courier.name}`,
    run: () => act(deleteCourier, { courier_id: courier.id, seen: courier.updated_at }),
  };
  return (
    <EditDialog
      open={subject !== null}
      title={courier?.name ?? 'New courier'}
      deletion={deletion}
      onClose={onClose}
      onDeleted={onChange}
    >
      {(controls) =>
        subject && (
          <CourierForm key={courier?.updated_at ?? 'new'} courier={courier} controls={controls} onSaved={onChange} />
        )
      }
    </EditDialog>
  );
}

type FormProps = { courier: CourierRow | null; controls: EditControls; onSaved(): void };

function CourierForm({ courier, controls, onSaved }: FormProps) {
  const { act } = useRequests();
  const form = useSaveForm({
    start: { name: courier?.name ?? '', tracking_pattern: courier?.tracking_pattern ?? '' },
    check: (values: { name: string; tracking_pattern: string }) => checkCourier(values),
    save: (value) => act(saveCourier, { ...value, courier_id: courier?.id ?? null, seen: courier?.updated_at ?? null }),
    onSaved() {
      toast('success', `${form.getValues('name').trim()} is saved.`);
      onSaved();
      controls.close();
    },
  });
  const example = trackingLink(
    [{ name: 'it', trackingPattern: form.watch('tracking_pattern').trim() }],
    'it',
    '123456',
  );
  return (
    <Form form={form}>
      <TextField name="name" label="Name" maxLength={80} autoFocus={courier === null} />
      <TextField
        name="tracking_pattern"
        label="Tracking address"
        type="url"
        inputMode="url"
        maxLength={300}
        placeholder="https://courier.example/track/{tracking}"
        hint={
          example
            ? `For the number 123456: ${example}`
            : 'The courier’s tracking page, with {tracking} where the number goes. May be empty.'
        }
      />
      <EditEnd controls={controls} isNew={courier === null} />
    </Form>
  );
}
