import { Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { SelectField, TextField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type DeliverySettings, deleteCutoff, type FestivalCutoff, saveCutoff } from '#contracts/console/delivery.ts';
import { formatDate } from '#domain/time.ts';
import { useRequests } from '../../data/requests.ts';
import { type EditControls, EditDialog, EditEnd } from '../../form/edit-dialog.tsx';
import type { PanelState } from './closures-panel.tsx';
import styles from './delivery-tab.module.css';
import { checkCutoff, startCutoff } from './delivery-values.ts';

type CutoffsPanelProps = PanelState & { settings: DeliverySettings };

/** Until when the days of a festival can be chosen. */
export function CutoffsPanel({ settings, opened, open, hrefFor, onChange }: CutoffsPanelProps) {
  const { cutoffs, zones, today } = settings;
  const columns: Column<FestivalCutoff>[] = [
    {
      key: 'name',
      title: 'Festival',
      cell: ({ id, name }) => (
        <Link className={styles.name} to={hrefFor(String(id))} preventScrollReset>
          {name}
        </Link>
      ),
    },
    { key: 'order_by', title: 'Order by (end of day)', isOneLine: true, cell: ({ order_by }) => formatDate(order_by) },
    {
      key: 'days',
      title: 'Delivery days',
      cell: ({ starts_on, ends_on }) =>
        starts_on === ends_on ? formatDate(starts_on) : `${formatDate(starts_on)} to ${formatDate(ends_on)}`,
    },
    {
      key: 'zone',
      title: 'Zone',
      cell: ({ zone_id }) => (zone_id === null ? 'All zones' : zones.find(({ id }) => id === zone_id)?.name),
    },
    {
      key: 'state',
      title: 'Status',
      cell: ({ order_by, ends_on }) =>
        ends_on < today ? (
          <Badge>Past</Badge>
        ) : order_by < today ? (
          <Badge tone="warn">Cut-off passed</Badge>
        ) : (
          <Badge tone="busy">Taking orders</Badge>
        ),
    },
  ];
  return (
    <Panel
      title="Festival cut-offs"
      actions={
        <ButtonLink size="small" to={hrefFor('new')} preventScrollReset>
          Add cut-off
        </ButtonLink>
      }
    >
      <p className={styles.hint}>
        Customers see “Order by … for …” where they choose a delivery day, and can’t choose these days afterwards.
        Orders without a chosen day aren’t affected: add a closure to stop those.
      </p>
      <DataTable<FestivalCutoff>
        caption="Festival cut-offs"
        columns={columns}
        rows={cutoffs}
        rowKey={({ id }) => String(id)}
        rowLabel={({ name }) => name}
        empty={<EmptyState title="No festival cut-offs." text="Every day that we can reach can be chosen." />}
      />
      <CutoffDialog settings={settings} opened={opened} open={open} onChange={onChange} />
    </Panel>
  );
}

type DialogProps = { settings: DeliverySettings; opened: string; open(what: string): void; onChange(): void };

function CutoffDialog({ settings, opened, open, onChange }: DialogProps) {
  const { act } = useRequests();
  const cutoff = settings.cutoffs.find(({ id }) => String(id) === opened) ?? null;
  return (
    <EditDialog
      open={opened === 'new' || cutoff !== null}
      title={cutoff?.name ?? 'New festival cut-off'}
      deletion={
        cutoff && {
          title: `Delete “${cutoff.name}”?`,
          text: 'These days can be chosen again. Existing orders keep their date.',
          done: `Deleted: ${cutoff.name}`,
          run: () => act(deleteCutoff, { cutoff_id: cutoff.id, seen: cutoff.updated_at }),
        }
      }
      onClose={() => {
        open('');
        onChange(); // another administrator may have changed it first
      }}
      onDeleted={onChange}
    >
      {(controls) => (
        <CutoffForm key={cutoff?.updated_at ?? 'new'} cutoff={cutoff} settings={settings} controls={controls} />
      )}
    </EditDialog>
  );
}

type FormProps = { cutoff: FestivalCutoff | null; settings: DeliverySettings; controls: EditControls };

function CutoffForm({ cutoff, settings: { zones, today }, controls }: FormProps) {
  const { act } = useRequests();
  const form = useSaveForm({
    start: startCutoff(cutoff, today),
    check: checkCutoff,
    save: (value) =>
      act(saveCutoff, {
        ...value,
        cutoff_id: cutoff?.id ?? null,
        ...(cutoff ? { seen: cutoff.updated_at } : {}),
      }),
    onSaved() {
      toast('success', 'Saved. Customers see it where they choose a day.');
      controls.close();
    },
  });
  return (
    <Form form={form}>
      <TextField name="name" label="Festival" maxLength={80} placeholder="Diwali" autoFocus={cutoff === null} />
      <TextField name="order_by" label="Order by" type="date" hint="The whole of this day still counts." />
      <div className={styles.fields}>
        <TextField name="starts_on" label="First delivery day" type="date" />
        <TextField name="ends_on" label="Last delivery day" type="date" />
      </div>
      <SelectField
        name="zone_id"
        label="Zone"
        hint="A zone’s own cut-off counts instead of the one for all zones."
        options={[
          { value: '', label: 'All zones' },
          ...zones.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <EditEnd controls={controls} isNew={cutoff === null} />
    </Form>
  );
}
