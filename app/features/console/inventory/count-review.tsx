import { useState } from 'react';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import type { SheetRow } from '#contracts/console/stock.ts';
import { formatPaise } from '#domain/money.ts';
import { formatChange, formatStock } from '#domain/stock/quantity.ts';
import styles from './count.module.css';
import { type Count, type Difference, differencesOf, unreadOf } from './count-state.ts';

import { unitOf } from './stock-data.ts';

const columns: readonly Column<Difference>[] = [
  {
    key: 'name',
    title: 'Product',
    cell: ({ row, isShortForOrders }) => (
      <span>
        {row.name} {isShortForOrders && <Badge tone="bad">Less than sold</Badge>}
      </span>
    ),
  },
  {
    key: 'expected',
    title: 'System stock',
    align: 'end',
    cell: ({ row, expected }) => formatStock(expected, unitOf(row)),
  },
  { key: 'found', title: 'Counted', align: 'end', cell: ({ row, found }) => formatStock(found, unitOf(row)) },
  {
    key: 'difference',
    title: 'Difference',
    align: 'end',
    cell: ({ row, difference }) => <b>{formatChange(difference, unitOf(row))}</b>,
  },
  {
    key: 'value',
    title: 'At cost',
    align: 'end',
    cell: ({ valuePaise }) => (valuePaise === null ? '—' : formatPaise(valuePaise)),
  },
];

export type CountReviewProps = {
  count: Count;
  rows: readonly SheetRow[];
  problem: string | null;
  onBook(): Promise<void>;
  onBack(): void;
};

/** What differs, before it is booked. */
export function CountReview({ count, rows, problem, onBook, onBack }: CountReviewProps) {
  const [isAsking, setAsking] = useState(false);
  const all = differencesOf(count, rows);
  const differing = all.filter(({ difference }) => difference !== 0);
  const unread = unreadOf(count, rows);
  const value = differing.reduce((total, { valuePaise }) => total + (valuePaise ?? 0), 0);
  const left = rows.length - all.length - unread.length;
  return (
    <div className={styles.sheet}>
      <p className={styles.hint}>
        {all.length === 1 ? '1 product counted' : `${all.length.toLocaleString('en-IN')} products counted`},{' '}
        {differing.length === 0
          ? 'no differences'
          : differing.length === 1
            ? '1 differs'
            : `${differing.length.toLocaleString('en-IN')} differ`}
        {value !== 0 && <> ({formatPaise(value)} at cost)</>}.
        {left > 0 && ` ${left.toLocaleString('en-IN')} not counted, so unchanged.`}
      </p>
      {unread.length > 0 && (
        <p role="alert" className={styles.state}>
          Left out, because the number could not be read or saved: {unread.map(({ name }) => name).join(', ')}.
        </p>
      )}
      <DataTable
        caption="Differences"
        columns={columns}
        rows={differing}
        rowKey={({ row }) => String(row.product_id)}
        empty={
          <EmptyState
            title="Everything matches the system stock."
            text="Save anyway to record the date of this count."
          />
        }
      />
      {problem && (
        <p role="alert" className={styles.state}>
          {problem}
        </p>
      )}
      <div className={styles.bar}>
        <Button onClick={onBack}>Back to count sheet</Button>
        <Button variant="primary" onClick={() => (differing.length > 0 ? setAsking(true) : onBook())}>
          Save count
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        title={
          differing.length === 1
            ? 'Correct 1 product?'
            : `Correct ${differing.length.toLocaleString('en-IN')} products?`
        }
        text="Stock will be set to what you counted, less what was sold since. Customers waiting for these products will be notified."
        confirmLabel="Save count"
        onConfirm={async () => {
          await onBook();
          setAsking(false);
        }}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
