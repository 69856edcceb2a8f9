import { useState } from 'react';
import { href, Link } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { type Column, DataTable, OlderNewer } from '#app/ui/data-table.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { LoadingTable } from '#app/ui/loading-shapes.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type AccountEntry, listVendorAccount, undoVendorPayment } from '#contracts/console/vendors.ts';
import { formatPaise } from '#domain/money.ts';
import { formatDate } from '#domain/time.ts';
import { useRequests } from '../data/requests.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { cursorFromText, cursorToText } from '../list/url-state.ts';
import { notAnExpense } from './amount.tsx';

import styles from './vendors.module.css';

function columnsFor(undo: (entry: AccountEntry) => void): readonly Column<AccountEntry>[] {
  return [
    { key: 'day', title: 'Date', isOneLine: true, cell: ({ day }) => formatDate(day) },
    {
      key: 'what',
      title: 'Details',
      cell: (entry) =>
        entry.kind === 'bill' ? (
          <span>
            <Link to={href('/admin/purchases/:id', { id: String(entry.purchase_id) })}>Bill {entry.reference}</Link>
            <span className={styles.small}>
              purchase order {entry.purchase_id}, due {formatDate(entry.due_on ?? entry.day)}
            </span>
          </span>
        ) : (
          <span>
            Paid, {entry.mode}
            {entry.reference && <span className={styles.small}>{entry.reference}</span>}
          </span>
        ),
    },
    {
      key: 'bill',
      title: 'Bill',
      align: 'end',
      cell: ({ kind, amount_paise }) => (kind === 'bill' ? formatPaise(amount_paise) : ''),
    },
    {
      key: 'paid',
      title: 'Paid',
      align: 'end',
      cell: ({ kind, amount_paise }) => (kind === 'payment' ? formatPaise(-amount_paise) : ''),
    },
    { key: 'owed', title: 'Balance', align: 'end', cell: ({ owed_after_paise }) => formatPaise(owed_after_paise) },
    {
      key: 'undo',
      title: 'Action',
      align: 'end',
      cell: (entry) =>
        entry.kind === 'payment' && (
          <Button size="small" onClick={() => undo(entry)}>
            Reverse
          </Button>
        ),
    },
  ];
}

export type VendorAccountProps = {
  vendorId: number;
  after: string;
  hrefFor(after: string): string;
  onChanged(): void;
};

/** Bills and payments as in a khata, newest first. */
export function VendorAccount({ vendorId, after, hrefFor, onChanged }: VendorAccountProps) {
  const { act } = useRequests();
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(listVendorAccount, {
    vendor_id: vendorId,
    after: cursorFromText(after),
  });
  const [undoing, setUndoing] = useState<AccountEntry | null>(null);

  async function undo() {
    if (!undoing) return;
    const undone = await act(undoVendorPayment, { payment_id: undoing.id });
    setUndoing(null);
    if (undone.ok) toast('success', 'Payment reversed.');
    else toast('error', undone.message);
    refetch();
    onChanged();
  }

  if (isPending) return <LoadingTable columns={columnsFor(setUndoing)} />;
  if (isLoadingError) return <FailedState retry={refetch} />;
  return (
    <div className={styles.part}>
      <DataTable
        caption="Account"
        columns={columnsFor(setUndoing)}
        rows={data.rows}
        rowKey={({ kind, id }) => `${kind} ${id}`}
        isStale={isPlaceholderData}
        empty={<EmptyState title="No bills or payments yet." text="Receiving goods adds a bill." />}
      />
      <OlderNewer newest={after ? hrefFor('') : null} older={data.next ? hrefFor(cursorToText(data.next)) : null} />
      <p className={styles.note}>{notAnExpense}</p>
      <ConfirmDialog
        open={undoing !== null}
        title="Reverse this payment?"
        text={
          undoing &&
          `${formatPaise(-undoing.amount_paise)} paid on ${formatDate(undoing.day)} will be due again. The activity log keeps both entries.`
        }
        confirmLabel="Reverse"
        tone="danger"
        onConfirm={undo}
        onClose={() => setUndoing(null)}
      />
    </div>
  );
}
