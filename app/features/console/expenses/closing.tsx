import { useId, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { Input } from '#app/ui/input.tsx';
import { toast } from '#app/ui/toast.tsx';
import { closeMonth, type ProfitMonth, reopenMonth } from '#contracts/console/profit.ts';
import { monthName } from '#domain/expenses/months.ts';
import { changedSince, wasClosedWithTax } from '#domain/expenses/statement.ts';
import { formatPaise } from '#domain/money.ts';
import { formatMoment, instantFrom } from '#domain/time.ts';
import { type Outcome, useRequests } from '../data/requests.ts';
import styles from './closing.module.css';
import { isOver } from './profit-data.ts';

type Props = { month: ProfitMonth; today: string; onChange(): void };

/** Whether a month is closed, what changed since, and the way to close it or open it again. */
export function Closing({ month: { month, figures, closing }, today, onChange }: Props) {
  const { act } = useRequests();
  const [asks, setAsks] = useState<'close' | 'reopen' | null>(null);
  const [reason, setReason] = useState('');
  const id = useId();
  const name = monthName(month);
  const first = `${month}-01`;

  async function settle(work: Promise<Outcome<unknown>>, done: string) {
    const outcome = await work;
    setAsks(null);
    setReason('');
    if (outcome.ok) toast('success', done);
    else toast('error', outcome.message);
    onChange();
  }

  return (
    <div className={styles.closing}>
      {closing ? (
        <>
          <p>
            Closed {moment(closing.closed_at)}
            {closing.closed_by && ` by ${closing.closed_by}`}.
          </p>
          <Button size="small" onClick={() => setAsks('reopen')}>
            Reopen {name}
          </Button>
        </>
      ) : isOver(month, today) ? (
        <>
          <p>Not closed yet.</p>
          <Button size="small" onClick={() => setAsks('close')}>
            Close {name}
          </Button>
        </>
      ) : (
        <p>{name} isn’t over yet. These are its figures so far.</p>
      )}
      {closing?.was && (
        <div className={styles.changed} role="note">
          <strong>Changed since it was closed</strong>
          {wasClosedWithTax(closing.was) && (
            <p>When it was closed, shipping and payment fees included GST. Now they are counted without it.</p>
          )}
          <ul>
            {changedSince(closing.was, figures).map(({ label, wasPaise, isPaise }) => (
              <li key={label}>
                {label}: {formatPaise(wasPaise)} then, {formatPaise(isPaise)} now
              </li>
            ))}
          </ul>
        </div>
      )}
      <ConfirmDialog
        open={asks === 'close'}
        title={`Close ${name}?`}
        text={`Its figures are saved as they are now (${figures.profit_paise < 0 ? 'a loss' : 'a profit'} of ${formatPaise(Math.abs(figures.profit_paise))}). Expenses of ${name} can then no longer be added or changed.`}
        confirmLabel={`Close ${name}`}
        onConfirm={() =>
          settle(act(closeMonth, { month: first, seen_profit_paise: figures.profit_paise }), `${name} is closed.`)
        }
        onClose={() => setAsks(null)}
      />
      <ConfirmDialog
        open={asks === 'reopen'}
        title={`Reopen ${name}?`}
        text="Its expenses can be changed again. The activity log records who reopened it and why."
        confirmLabel={`Reopen ${name}`}
        tone="danger"
        isIncomplete={reason.trim().length < 3}
        onConfirm={() => settle(act(reopenMonth, { month: first, reason }), `${name} is open again.`)}
        onClose={() => setAsks(null)}
      >
        <Field id={id} label="Reason">
          <Input id={id} value={reason} maxLength={300} onChange={(event) => setReason(event.target.value)} />
        </Field>
      </ConfirmDialog>
    </div>
  );
}

function moment(text: string): string {
  const instant = instantFrom(text);
  return instant ? formatMoment(instant) : '';
}
