import { useState } from 'react';
import { Link } from 'react-router';
import buttons from '#app/ui/button.module.css';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type DueExpense, enterDueExpense, skipDueExpense } from '#contracts/console/expenses.ts';
import { formatPaise, paise } from '#domain/money.ts';
import { formatCalendarDay } from '#domain/time.ts';
import { type Outcome, useRequests } from '../data/requests.ts';
import styles from './due-expenses.module.css';
import { nameOf } from './expense-data.ts';
import { repetitionWords } from './expense-values.ts';

type Props = {
  due: readonly DueExpense[];
  coming: readonly DueExpense[];
  hrefFor(due: DueExpense): string;
  onChange(): void;
};

/** What repeats and is due: entered as it was last time with one tap, changed first, or skipped. */
export function DueExpenses({ due, coming, hrefFor, onChange }: Props) {
  if (due.length === 0 && coming.length === 0) return null;
  return (
    <Panel title={due.length > 0 ? 'Due now' : 'Due this week'}>
      {due.length > 0 && (
        <ul className={styles.due}>
          {due.map((one) => (
            <DueEntry key={`${one.id} ${one.next_due_on}`} due={one} changeTo={hrefFor(one)} onChange={onChange} />
          ))}
        </ul>
      )}
      {coming.length > 0 && (
        <p className={styles.coming}>
          {due.length > 0 && 'Due this week: '}
          {coming
            .map(
              (one) =>
                `${nameOf(one)}, ${formatPaise(paise(one.amount_paise))} on ${formatCalendarDay(one.next_due_on)}`,
            )
            .join('; ')}
          .
        </p>
      )}
    </Panel>
  );
}

function DueEntry({ due, changeTo, onChange }: { due: DueExpense; changeTo: string; onChange(): void }) {
  const { act } = useRequests();
  const [isBusy, setBusy] = useState(false);
  const amount = formatPaise(paise(due.amount_paise));
  const name = nameOf(due);

  async function run(work: Promise<Outcome<unknown>>, done: string) {
    if (isBusy) return;
    setBusy(true);
    const outcome = await work;
    setBusy(false);
    if (outcome.ok) toast('success', done);
    else toast('error', outcome.message);
    onChange();
  }
  const which = { expense_id: due.id, due_on: due.next_due_on };

  return (
    <li>
      <div>
        <strong>{name}</strong>
        <span>
          {due.category}
          {due.vendor && ` · ${due.vendor}`} · {repetitionWords[due.repeats].toLowerCase()} · due{' '}
          {formatCalendarDay(due.next_due_on)}
        </span>
      </div>
      <div className={styles.moves}>
        <button
          type="button"
          className={buttons.small}
          disabled={isBusy}
          aria-label={`Record ${amount}: ${name}`}
          onClick={() => run(act(enterDueExpense, which), `Recorded: ${name}, ${amount}`)}
        >
          Record {amount}
        </button>
        <Link className={buttons.small} to={changeTo} aria-label={`Edit ${name} and record it`} preventScrollReset>
          Edit…
        </Link>
        <button
          type="button"
          className={buttons.small}
          disabled={isBusy}
          aria-label={`Skip ${name} this time`}
          onClick={() => run(act(skipDueExpense, which), `Skipped: ${name}`)}
        >
          Skip
        </button>
      </div>
    </li>
  );
}
