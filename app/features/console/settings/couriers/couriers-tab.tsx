import { useState } from 'react';
import { DataTable } from '#app/ui/data-table.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { TextField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { Loading } from '#app/ui/panel.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type CourierRow, deleteCourier, listCouriers, saveCourier } from '#contracts/console/couriers.ts';
import { trackingLink } from '#domain/orders/tracking-link.ts';
import { useRequests } from '../../data/requests.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { EditEnd } from '../../form/edit-dialog.tsx';
import { type Subject, type SubjectControls, SubjectDialog, SubjectName, SubjectPanel } from '../subject.tsx';
import { checkCourier } from './courier-data.ts';
import styles from './couriers-tab.module.css';

/** Who carries the parcels, and where customers follow them. */
export function CouriersTab() {
  const { data, isPending, isLoadingError, refetch } = useShopQuery(listCouriers, {});
  const [subject, setSubject] = useState<Subject<CourierRow>>(null);
  if (isPending) return <Loading />;
  if (isLoadingError) return <FailedState retry={refetch} />;
  return (
    <SubjectPanel
      title="Couriers"
      why="They are suggested when you mark an order as shipped. With a tracking address, the link for the customer is filled in from the tracking number."
      add={{ label: 'Add a courier', onAdd: () => setSubject('new') }}
    >
      <DataTable<CourierRow>
        caption="Couriers"
        rows={data}
        rowKey={({ id }) => String(id)}
        rowLabel={({ name }) => name}
        columns={[
          {
            key: 'name',
            title: 'Courier',
            cell: (row) => <SubjectName name={row.name} onOpen={() => setSubject(row)} />,
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
    </SubjectPanel>
  );
}

type DialogProps = { subject: Subject<CourierRow>; onClose(): void; onChange(): void };

function CourierDialog(props: DialogProps) {
  const { act } = useRequests();
  return (
    <SubjectDialog
      {...props}
      newTitle="New courier"
      deletionOf={(courier) => ({
        title: `Delete ${courier.name}?`,
        text: 'It is no longer suggested. Orders that were shipped with it keep its name and their links.',
        done: `Deleted: ${courier.name}`,
        run: () => act(deleteCourier, { courier_id: courier.id, seen: courier.updated_at }),
      })}
    >
      {(courier, controls) => <CourierForm courier={courier} controls={controls} />}
    </SubjectDialog>
  );
}

type FormProps = { courier: CourierRow | null; controls: SubjectControls };

function CourierForm({ courier, controls }: FormProps) {
  const { act } = useRequests();
  const form = useSaveForm({
    start: { name: courier?.name ?? '', tracking_pattern: courier?.tracking_pattern ?? '' },
    check: (values: { name: string; tracking_pattern: string }) => checkCourier(values),
    save: (value) => act(saveCourier, { ...value, courier_id: courier?.id ?? null, seen: courier?.updated_at ?? null }),
    onSaved: () => controls.saved(`${form.getValues('name').trim()} is saved.`),
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
