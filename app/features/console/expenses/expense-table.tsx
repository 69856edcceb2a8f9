import { Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { LoadingTable } from '#app/ui/loading-shapes.tsx';
import type { Expense } from '#contracts/console/expenses.ts';
import { formatPaise } from '#domain/money.ts';
import { formatDate } from '#domain/time.ts';
import { nameOf } from './expense-data.ts';
import styles from './expense-table.module.css';
import { repetitionWords } from './expense-values.ts';

type Props = {
  rows: readonly Expense[];
  by: 'date' | 'amount';
  isStale: boolean;
  isFiltered: boolean;
  hrefForSort(by: string): string;
  hrefFor(expense: Expense): string;
  onLook(expense: Expense): void;
};

function columnsFor(hrefFor: Props['hrefFor'], onLook: Props['onLook']): Column<Expense>[] {
  return [
    { key: 'date', title: 'Date', sort: 'date', isOneLine: true, cell: ({ spent_on }) => formatDate(spent_on) },
    {
      key: 'what',
      title: 'Description',
      cell: (row) => (
        <span className={styles.what}>
          <Link to={hrefFor(row)} preventScrollReset>
            {nameOf(row)}
          </Link>
          {row.repeats !== 'never' && <Badge>{repetitionWords[row.repeats]}</Badge>}
          {row.is_closed && <Badge tone="good">Closed</Badge>}
        </span>
      ),
    },
    { key: 'category', title: 'Category', cell: ({ category }) => category },
    { key: 'vendor', title: 'Vendor', cell: ({ vendor }) => vendor ?? '', hideOnPhone: true, hideOnTablet: true },
    {
      key: 'mode',
      title: 'Payment mode',
      cell: ({ payment_mode }) => payment_mode,
      hideOnPhone: true,
      isOneLine: true,
    },
    {
      key: 'receipt',
      title: 'Receipt',
      cell: (row) =>
        row.receipt_path ? (
          <Button size="small" aria-label={`View receipt: ${nameOf(row)}`} onClick={() => onLook(row)}>
            View
          </Button>
        ) : (
          <span className={styles.none}>none</span>
        ),
    },
    {
      key: 'gst',
      title: 'GST included',
      align: 'end',
      cell: ({ gst_paise }) => (gst_paise ? formatPaise(gst_paise) : '–'),
      hideOnPhone: true,
    },
    {
      key: 'amount',
      title: 'Amount',
      align: 'end',
      sort: 'amount',
      cell: ({ amount_paise }) => <b>{formatPaise(amount_paise)}</b>,
    },
  ];
}

export function LoadingExpenses() {
  return (
    <LoadingTable
      columns={columnsFor(
        () => '',
        () => {},
      )}
    />
  );
}

export function ExpenseTable({ rows, by, isStale, isFiltered, hrefForSort, hrefFor, onLook }: Props) {
  return (
    <DataTable<Expense>
      caption="Expenses"
      columns={columnsFor(hrefFor, onLook)}
      rows={rows}
      rowKey={(row) => String(row.id)}
      rowLabel={(row) => nameOf(row)}
      sort={{ by, descending: true, hrefFor: hrefForSort }}
      isStale={isStale}
      empty={
        isFiltered ? (
          <EmptyState title="No matching expenses." text="Try fewer filters." />
        ) : (
          <EmptyState title="No expenses yet." text="Add what the shop spends to see its profit and loss." />
        )
      }
    />
  );
}
