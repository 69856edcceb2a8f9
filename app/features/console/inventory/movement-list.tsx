import { useState } from 'react';
import { href, Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { type Column, DataTable, OlderNewer } from '#app/ui/data-table.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { LoadingTable } from '#app/ui/loading-shapes.tsx';
import { toast } from '#app/ui/toast.tsx';
import { listMovements, type Movement, type Reason, reasons, undoMovement } from '#contracts/console/stock.ts';
import { formatPaise } from '#domain/money.ts';
import { formatChange, formatStock } from '#domain/stock/quantity.ts';
import { formatMoment, instantFrom } from '#domain/time.ts';
import { useRequests } from '../data/requests.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { Choice, Filters } from '../list/list-filters.tsx';
import { None } from '../list/none.tsx';
import { cursorFromText, cursorToText } from '../list/url-state.ts';
import styles from './inventory.module.css';
import { reasonWords, unitOf } from './stock-data.ts';

const mayUndo = ({ reason, order_id, undoes, undone_by }: Movement) =>
  order_id === null && undoes === null && undone_by === null && reason !== 'sale' && reason !== 'purchase';

function columnsFor(withProduct: boolean, withBalance: boolean, undo: (movement: Movement) => void) {
  const columns: (Column<Movement> | false)[] = [
    {
      key: 'at',
      title: 'Date',
      isOneLine: true,
      cell: ({ created_at }) => {
        const instant = instantFrom(created_at);
        return instant ? formatMoment(instant) : '—';
      },
    },
    withProduct && {
      key: 'product',
      title: 'Product',
      cell: ({ product, product_id }) => (
        <Link to={href('/admin/inventory/:productId', { productId: String(product_id) })}>{product}</Link>
      ),
    },
    {
      key: 'what',
      title: 'Type',
      cell: (movement) => (
        <span>
          {reasonWords[movement.reason]} {movement.undoes !== null && <Badge>Reversal</Badge>}
          {movement.undone_by !== null && <Badge>Undone</Badge>}
          {movement.note && <span className={styles.small}>{movement.note}</span>}
          {(movement.reason === 'wastage' || movement.reason === 'replacement') && movement.loss_paise !== null && (
            <span className={styles.small}>{formatPaise(movement.loss_paise)} at cost</span>
          )}
        </span>
      ),
    },
    {
      key: 'quantity',
      title: 'Change',
      align: 'end',
      cell: (movement) => (
        <span className={styles.change} data-sign={movement.quantity < 0 ? 'minus' : 'plus'}>
          {formatChange(movement.quantity, unitOf(movement))}
        </span>
      ),
    },
    withBalance && {
      key: 'after',
      title: 'Stock after',
      align: 'end',
      cell: (movement) =>
        movement.on_hand_after === null ? <None /> : formatStock(movement.on_hand_after, unitOf(movement)),
    },
    {
      key: 'by',
      title: 'By',
      cell: ({ by, order_id, order_number }) =>
        order_id ? (
          <Link to={href('/admin/orders/:id', { id: order_id })}>Order {order_number}</Link>
        ) : (
          (by ?? <None />)
        ),
    },
    {
      key: 'undo',
      title: 'Action',
      align: 'end',
      cell: (movement) =>
        mayUndo(movement) && (
          <Button size="small" onClick={() => undo(movement)}>
            Undo
          </Button>
        ),
    },
  ];
  return columns.filter((column) => column !== false);
}

export type MovementListProps = {
  /** Without it: of all products. */
  productId?: number;
  reason: Reason | '';
  after: string;
  onReason(reason: Reason | ''): void;
  hrefFor(after: string): string;
  onChanged?(): void;
};

/** What happened to stock, newest first, and who did it. */
export function MovementList({ productId, reason, after, onReason, hrefFor, onChanged }: MovementListProps) {
  const { act } = useRequests();
  const filter = { ...(productId ? { product_id: productId } : {}), ...(reason ? { reason } : {}) };
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(listMovements, {
    filter,
    after: cursorFromText(after),
  });
  const [undoing, setUndoing] = useState<Movement | null>(null);

  async function undo() {
    if (!undoing) return;
    const undone = await act(undoMovement, { movement_id: undoing.id });
    setUndoing(null);
    toast(undone.ok ? 'success' : 'error', undone.ok ? 'Movement undone.' : undone.message);
    refetch();
    onChanged?.();
  }

  return (
    <div className={styles.part}>
      <Filters>
        <Choice
          label="Type"
          value={reason}
          options={[['', 'All types'], ...reasons.map((name) => [name, reasonWords[name]] as const)]}
          onChange={onReason}
        />
      </Filters>
      {isPending && (
        <LoadingTable columns={columnsFor(productId === undefined, productId !== undefined && !reason, setUndoing)} />
      )}
      {isLoadingError && <FailedState retry={refetch} />}
      {data !== undefined && (
        <>
          <DataTable
            caption="Stock movements"
            columns={columnsFor(productId === undefined, productId !== undefined && !reason, setUndoing)}
            rows={data.rows}
            rowKey={({ id }) => String(id)}
            isStale={isPlaceholderData}
            empty={<EmptyState title="No matching stock movements." />}
          />
          <OlderNewer newest={after ? hrefFor('') : null} older={data.next ? hrefFor(cursorToText(data.next)) : null} />
        </>
      )}
      <ConfirmDialog
        open={undoing !== null}
        title="Undo this movement?"
        text={
          undoing &&
          `${reasonWords[undoing.reason]}: ${formatChange(undoing.quantity, unitOf(undoing))} of ${undoing.product}. An opposite entry will be added, and both stay in the list.`
        }
        confirmLabel="Undo"
        onConfirm={undo}
        onClose={() => setUndoing(null)}
      />
    </div>
  );
}
