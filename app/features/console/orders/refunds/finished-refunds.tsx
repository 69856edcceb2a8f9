import { Badge } from '#app/ui/badge.tsx';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import type { FinishedRefund } from '#contracts/console/refunds.ts';
import { formatCalendarDay } from '#domain/time.ts';
import { handWords } from '../order-words.ts';
import { Day, Money, Whose } from './refund-cells.tsx';
import { tookWords } from './refund-standing.ts';
import styles from './refunds-page.module.css';

const columns: Column<FinishedRefund>[] = [
  { key: 'refund', title: 'Refund', cell: (row) => <Money row={row} /> },
  { key: 'customer', title: 'Customer', cell: (row) => <Whose row={row} /> },
  { key: 'made', title: 'Made on', isOneLine: true, cell: ({ made_at }) => <Day at={made_at} /> },
  {
    key: 'sent',
    title: 'Sent on',
    cell: ({ sent_on, days }) => (
      <div className={styles.lines}>
        <span className={styles.day}>{formatCalendarDay(sent_on)}</span>
        <small>{days === 0 ? 'the same day' : `after ${tookWords(days)}`}</small>
      </div>
    ),
  },
  {
    key: 'due',
    title: 'Due on',
    cell: ({ due_on, is_in_time }) => (
      <div className={styles.lines}>
        <span className={styles.day}>{formatCalendarDay(due_on)}</span>{' '}
        <Badge tone={is_in_time ? 'good' : 'bad'}>{is_in_time ? 'In time' : 'Late'}</Badge>
      </div>
    ),
  },
  {
    key: 'how',
    title: 'How',
    cell: ({ is_by_hand, method, reference, provider_refund_id, attempts }) => (
      <div className={styles.lines}>
        {is_by_hand ? `By hand, ${handWords(method)}` : 'Payment provider'}
        {attempts > 1 && <small>{attempts} attempts</small>}
        {(reference || provider_refund_id) && (
          <small className={styles.reference}>{reference || provider_refund_id}</small>
        )}
      </div>
    ),
  },
];

export function FinishedRefunds({ rows, isStale }: { rows: readonly FinishedRefund[]; isStale: boolean }) {
  return (
    <div className={styles.refunds}>
      <DataTable
        caption="Sent refunds"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        isStale={isStale}
        empty={<EmptyState title="No refunds yet." text="Refunds appear here when the money is sent." />}
      />
    </div>
  );
}
