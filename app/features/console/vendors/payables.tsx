import { useState } from 'react';
import { href } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { listPayables, type Payable } from '#contracts/console/vendors.ts';
import { formatPaise } from '#domain/money.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { notAnExpense, OwedSums } from './amount.tsx';
import { BillTable } from './bill-table.tsx';
import { PayDialog } from './pay-dialog.tsx';

import styles from './vendors.module.css';

/** Whom to pay, overdue first. */
export function Payables() {
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(listPayables, {});
  const [paying, setPaying] = useState<Payable | null>(null);
  if (isPending)
    return (
      <LoadingShape>
        <BlankPanel lines={3} />
        <BlankPanel lines={3} />
      </LoadingShape>
    );
  if (isLoadingError) return <FailedState retry={refetch} />;
  const { rows, owed_paise, overdue_paise, due_soon_paise } = data;
  if (rows.length === 0)
    return <EmptyState title="No bills to pay." text="Bills for received goods appear here until they are paid." />;
  return (
    <div className={styles.part} aria-busy={isPlaceholderData || undefined}>
      <OwedSums owed={owed_paise} overdue={overdue_paise} dueSoon={due_soon_paise} />
      <p className={styles.note}>{notAnExpense}</p>
      {rows.map((row) => (
        <Panel
          key={row.vendor_id}
          title={row.vendor}
          actions={
            <>
              <ButtonLink size="small" to={`${href('/admin/vendors/:id', { id: String(row.vendor_id) })}?tab=account`}>
                Account
              </ButtonLink>
              <Button size="small" onClick={() => setPaying(row)}>
                Record payment
              </Button>
            </>
          }
        >
          <p className={styles.payable}>
            <b>{formatPaise(row.owed_paise)}</b>
            {row.overdue_paise > 0 && <Badge tone="bad">{formatPaise(row.overdue_paise)} overdue</Badge>}
          </p>
          <BillTable bills={row.bills} vendor={row.vendor} />
        </Panel>
      ))}
      <PayDialog
        vendor={paying && { id: paying.vendor_id, name: paying.vendor, owedPaise: paying.owed_paise }}
        onClose={() => setPaying(null)}
        onPaid={refetch}
      />
    </div>
  );
}
