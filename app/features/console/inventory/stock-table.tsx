import { href, Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { type Column, DataTable, type DataTableProps } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { LoadingTable } from '#app/ui/loading-shapes.tsx';
import type { StockRow } from '#contracts/console/stock.ts';
import { formatStock } from '#domain/stock/quantity.ts';
import { availableUnits, formatCover, stockStatus } from '#domain/stock/stock-status.ts';
import { None } from '../list/none.tsx';
import styles from './inventory.module.css';
import { LowMark } from './low-mark.tsx';
import { levelOf, unitOf } from './stock-data.ts';

export function Standing({
  row,
}: {
  row: Pick<StockRow, 'on_hand' | 'reserved' | 'low_at' | 'is_listed' | 'is_archived'>;
}) {
  if (row.is_archived) return <Badge>Archived</Badge>;
  const standing = stockStatus(levelOf(row));
  return (
    <>
      {standing === 'out' && <Badge tone="bad">Out of stock</Badge>}
      {standing === 'low' && <Badge tone="warn">Low stock</Badge>}
      {!row.is_listed && <Badge>Not listed</Badge>}
    </>
  );
}

function columnsFor(onMove: (row: StockRow) => void, onChanged: () => void): readonly Column<StockRow>[] {
  return [
    {
      key: 'name',
      title: 'Product',
      sort: 'name',
      cell: (row) => (
        <span className={styles.product} data-category={row.category}>
          <Link to={href('/admin/inventory/:productId', { productId: String(row.product_id) })}>{row.name}</Link>{' '}
          <Standing row={row} />
        </span>
      ),
    },
    {
      key: 'on_hand',
      title: 'On hand',
      align: 'end',
      hideOnTablet: true,
      cell: (row) => formatStock(row.on_hand, unitOf(row)),
    },
    {
      key: 'reserved',
      title: 'Reserved',
      align: 'end',
      hideOnTablet: true,
      cell: (row) => (row.reserved > 0 ? formatStock(row.reserved, unitOf(row)) : <None />),
    },
    {
      key: 'availableUnits',
      title: 'Available',
      align: 'end',
      sort: 'saleable',
      cell: (row) => <b>{formatStock(availableUnits(levelOf(row)), unitOf(row))}</b>,
    },
    { key: 'low', title: 'Reorder level', align: 'end', cell: (row) => <LowMark row={row} onChanged={onChanged} /> },
    {
      key: 'cover',
      title: 'Days left',
      align: 'end',
      sort: 'cover',
      cell: ({ cover_days }) => formatCover(cover_days),
    },
    {
      key: 'waiting',
      title: 'Waiting list',
      align: 'end',
      sort: 'waiting',
      cell: ({ waiting }) => (waiting > 0 ? <Badge tone="busy">{waiting.toLocaleString('en-IN')}</Badge> : <None />),
    },
    {
      key: 'move',
      title: 'Action',
      align: 'end',
      cell: (row) => (
        <Button size="small" aria-label={`Adjust stock of ${row.name}`} onClick={() => onMove(row)}>
          Adjust
        </Button>
      ),
    },
  ];
}

export function LoadingStock() {
  return (
    <LoadingTable
      columns={columnsFor(
        () => {},
        () => {},
      )}
      rows={10}
    />
  );
}

export type StockTableProps = Pick<DataTableProps<StockRow>, 'rows' | 'isStale' | 'sort'> & {
  isFiltered: boolean;
  onMove(row: StockRow): void;
  onChanged(): void;
};

export function StockTable({ rows, isStale, sort, isFiltered, onMove, onChanged }: StockTableProps) {
  return (
    <DataTable
      caption="Stock"
      columns={columnsFor(onMove, onChanged)}
      rows={rows}
      rowKey={({ product_id }) => String(product_id)}
      isStale={isStale}
      sort={sort}
      empty={
        isFiltered ? (
          <EmptyState title="No matching products." text="Try fewer filters." />
        ) : (
          <EmptyState
            title="No products yet."
            action={
              <ButtonLink size="small" to={href('/admin/products')}>
                Products
              </ButtonLink>
            }
          />
        )
      }
    />
  );
}
