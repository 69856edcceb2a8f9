import { Fragment, useState } from 'react';
import { href, Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { TextField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type Closure, type DeliverySettings, deleteClosure, saveClosure } from '#contracts/console/delivery.ts';
import { formatDay, instantFrom } from '#domain/time.ts';
import { useRequests } from '../../data/requests.ts';
import { type EditControls, EditDialog, EditEnd } from '../../form/edit-dialog.tsx';

import styles from './delivery-tab.module.css';
import { checkClosure, startClosure } from './delivery-values.ts';

export type PanelState = { opened: string; open(what: string): void; hrefFor(what: string): string; onChange(): void };

const dayWords = (day: string) => {
  const instant = instantFrom(`${day}T00:00+05:30`);
  return instant ? formatDay(instant) : day;
};

/** Festival holidays: what is to come first, what is over on demand. */
export function ClosuresPanel({
  settings,
  opened,
  open,
  hrefFor,
  onChange,
}: PanelState & { settings: DeliverySettings }) {
  const { closures, today } = settings;
  const [showsPast, setShowsPast] = useState(false);
  const past = closures.filter(({ ends_on }) => ends_on < today);
  const columns: Column<Closure>[] = [
    {
      key: 'reason',
      title: 'Reason',
      cell: (row) => (
        <Link className={styles.name} to={hrefFor(String(row.id))} preventScrollReset>
          {row.reason}
        </Link>
      ),
    },
    { key: 'from', title: 'From', isOneLine: true, cell: ({ starts_on }) => dayWords(starts_on) },
    { key: 'to', title: 'To (end of day)', isOneLine: true, cell: ({ ends_on }) => dayWords(ends_on) },
    { key: 'promised', title: 'Open orders due then', cell: ({ promised }) => <Promised promised={promised} /> },
    {
      key: 'state',
      title: 'Status',
      cell: ({ starts_on, ends_on }) =>
        ends_on < today ? (
          <Badge>Past</Badge>
        ) : starts_on > today ? (
          <Badge tone="busy">Upcoming</Badge>
        ) : (
          <Badge tone="warn">Closed now</Badge>
        ),
    },
  ];
  return (
    <Panel
      title="Closures"
      actions={
        <>
          {past.length > 0 && (
            <Button size="small" aria-pressed={showsPast} onClick={() => setShowsPast(!showsPast)}>
              {showsPast ? 'Hide past' : `Show ${past.length} past`}
            </Button>
          )}
          <ButtonLink size="small" to={hrefFor('new')} preventScrollReset>
            Add closure
          </ButtonLink>
        </>
      }
    >
      <p className={styles.hint}>No packing, shipping, delivery or pick-up on these days.</p>
      <DataTable<Closure>
        caption="Closures"
        columns={columns}
        rows={showsPast ? closures : closures.filter(({ ends_on }) => ends_on >= today)}
        rowKey={({ id }) => String(id)}
        rowLabel={({ reason }) => reason}
        empty={<EmptyState title="No upcoming closures." text="Only weekly off days affect delivery dates." />}
      />
      <ClosureDialog settings={settings} opened={opened} open={open} onChange={onChange} />
    </Panel>
  );
}

/** These customers are to be told, or served before. */
function Promised({ promised }: Pick<Closure, 'promised'>) {
  if (!promised || promised.count === 0) return '–';
  return (
    <span>
      {promised.orders.map(({ id, number }, place) => (
        <Fragment key={id}>
          {place > 0 && ', '}
          <Link to={href('/admin/orders/:id', { id })}>{number}</Link>
        </Fragment>
      ))}
      {promised.count > promised.orders.length && ` and ${promised.count - promised.orders.length} more`}
    </span>
  );
}

type DialogProps = { settings: DeliverySettings; opened: string; open(what: string): void; onChange(): void };

function ClosureDialog({ settings, opened, open, onChange }: DialogProps) {
  const { act } = useRequests();
  const closure = settings.closures.find(({ id }) => String(id) === opened) ?? null;
  return (
    <EditDialog
      open={opened === 'new' || closure !== null}
      title={closure?.reason ?? 'New closure'}
      deletion={
        closure && {
          title: `Delete “${closure.reason}”?`,
          text: 'New orders can be promised for these days again. Existing orders keep their date.',
          done: `Deleted: ${closure.reason}`,
          run: () => act(deleteClosure, { closure_id: closure.id, seen: closure.updated_at }),
        }
      }
      onClose={() => {
        open('');
        onChange(); // it may have been changed by someone else
      }}
      onDeleted={onChange}
    >
      {(controls) => (
        <ClosureForm key={closure?.updated_at ?? 'new'} closure={closure} today={settings.today} controls={controls} />
      )}
    </EditDialog>
  );
}

type FormProps = { closure: Closure | null; today: string; controls: EditControls };

function ClosureForm({ closure, today, controls }: FormProps) {
  const { act } = useRequests();
  const form = useSaveForm({
    start: startClosure(closure, today),
    check: checkClosure,
    save: (value) =>
      act(saveClosure, {
        ...value,
        closure_id: closure?.id ?? null,
        ...(closure ? { seen: closure.updated_at } : {}),
      }),
    onSaved() {
      toast('success', 'Saved. New orders get dates around it.');
      controls.close();
    },
  });
  return (
    <Form form={form}>
      <TextField
        name="reason"
        label="Reason"
        maxLength={80}
        placeholder="Diwali"
        hint="Customers see: We are closed until 11 Nov: Diwali."
        autoFocus={closure === null}
      />
      <div className={styles.fields}>
        <TextField name="starts_on" label="First day" type="date" />
        <TextField name="ends_on" label="Last day" type="date" />
      </div>
      <EditEnd controls={controls} isNew={closure === null} />
    </Form>
  );
}
