import { type ReactNode, useState } from 'react';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type OpenRefund, retryRefund } from '#contracts/console/refunds.ts';
import { businessDaysLeft } from '#domain/orders/refund-deadline.ts';
import { formatCalendarDay } from '#domain/time.ts';
import { useRequests } from '../../data/requests.ts';
import { useNow } from '../../data/use-now.ts';
import { Day, Money, Whose } from './refund-cells.tsx';
import { standingOf } from './refund-standing.ts';
import styles from './refunds-page.module.css';

type OpenRefundsProps = {
  rows: readonly OpenRefund[];
  isStale: boolean;
  empty: ReactNode;
  onRecord(refund: OpenRefund): void;
  onChanged(): void;
};

export function OpenRefunds({ rows, isStale, empty, onRecord, onChanged }: OpenRefundsProps) {
  const now = useNow();
  const columns: Column<OpenRefund>[] = [
    { key: 'refund', title: 'Refund', cell: (row) => <Money row={row} /> },
    { key: 'customer', title: 'Customer', cell: (row) => <Whose row={row} /> },
    { key: 'made', title: 'Made on', isOneLine: true, hideOnTablet: true, cell: ({ made_at }) => <Day at={made_at} /> },
    { key: 'due', title: 'Due on', cell: (row) => <Due row={row} /> },
    { key: 'state', title: 'State', cell: (row) => <State row={row} now={now} /> },
    {
      key: 'next',
      title: 'Next step',
      cell: (row) => <NextStep refund={row} onRecord={onRecord} onChanged={onChanged} />,
    },
  ];
  return (
    <div className={styles.refunds}>
      <DataTable
        caption="Refunds due"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        isStale={isStale}
        empty={empty}
      />
    </div>
  );
}

function Due({ row: { due_on, days_left } }: { row: OpenRefund }) {
  const { words, isUrgent } = businessDaysLeft(days_left);
  return (
    <div className={styles.lines}>
      <span className={styles.day}>{formatCalendarDay(due_on)}</span>
      <small data-urgent={isUrgent || undefined}>{words}</small>
    </div>
  );
}

function State({ row, now }: { row: OpenRefund; now: Date }) {
  const { title, tone, text } = standingOf(row, now);
  return (
    <div className={styles.state}>
      <Badge tone={tone}>{title}</Badge>
      <small>{text}</small>
    </div>
  );
}

type NextStepProps = { refund: OpenRefund; onRecord(refund: OpenRefund): void; onChanged(): void };

/** What an administrator can do about it; nothing while the provider is at work. */
function NextStep({ refund, onRecord, onChanged }: NextStepProps) {
  const { act } = useRequests();
  const [isBusy, setBusy] = useState(false);
  const { state, failed_attempt, order } = refund;
  const canRetry = failed_attempt !== null && (state === 'failed' || state === 'retrying');
  if (!canRetry && state !== 'by-hand') return <span className={styles.none}>Nothing to do</span>;

  async function retry(refund_id: string) {
    if (isBusy) return;
    setBusy(true);
    const outcome = await act(retryRefund, { order_id: order?.id ?? null, refund_id, seen: order?.seen ?? null });
    setBusy(false);
    if (outcome.ok) toast('success', 'Trying the refund again.');
    else toast('error', outcome.message);
    onChanged();
  }

  return (
    <div className={styles.steps}>
      {canRetry && (
        <Button size="small" isBusy={isBusy} onClick={() => void retry(failed_attempt)}>
          Retry now
        </Button>
      )}
      <Button size="small" aria-haspopup="dialog" onClick={() => onRecord(refund)}>
        Record as paid back
      </Button>
    </div>
  );
}
