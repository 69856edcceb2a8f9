import { useState } from 'react';
import { href, Link } from 'react-router';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Facts, Panel } from '#app/ui/panel.tsx';
import { readStock, reasons, type Stock } from '#contracts/console/stock.ts';
import { z } from '#contracts/z.ts';
import { formatPaise } from '#domain/money.ts';
import { formatPurchased } from '#domain/purchases/units.ts';
import { formatStock } from '#domain/stock/quantity.ts';
import { formatCover, saleable } from '#domain/stock/standing.ts';
import { formatDate, formatDay, instantFrom } from '#domain/time.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { useShortcut } from '../frame/shortcuts.tsx';
import { useUrlState } from '../list/url-state.ts';
import styles from './inventory.module.css';
import { LowMark } from './low-mark.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { MovementList } from './movement-list.tsx';
import { levelOf, unitOf } from './stock-data.ts';
import { Standing } from './stock-table.tsx';
import { type Undoable, UndoNotice } from './undo-notice.tsx';

const State = z.object({
  reason: z
    .enum(['', ...reasons])
    .catch('')
    .default(''),
  after: z.string().catch('').default(''),
});
const back = { to: href('/admin/inventory'), label: 'Inventory' };

export function StockItemPage({ productId }: { productId: number }) {
  const { data, isPending, isLoadingError, refetch } = useShopQuery(readStock, { product_id: productId });
  const stock = data ?? null;
  if (stock) return <KnownStock stock={stock} reload={refetch} />;
  return (
    <ConsolePage title="Stock" back={back}>
      {isPending && (
        <LoadingShape className={styles.beside}>
          <BlankPanel title="Stock" lines={5} />
          <BlankPanel title="Sales and supply" lines={5} />
        </LoadingShape>
      )}
      {isLoadingError && <FailedState retry={refetch} />}
      {data !== undefined && <EmptyState title="Product not found." />}
    </ConsolePage>
  );
}

function KnownStock({ stock, reload }: { stock: Stock; reload(): void }) {
  const [state, set, hrefFor] = useUrlState(State);
  const [isMoving, setMoving] = useState(false);
  const [undoable, setUndoable] = useState<Undoable | null>(null);
  const [turn, setTurn] = useState(0);
  useShortcut('m', 'Adjust stock', () => setMoving(true));
  const changed = () => {
    setTurn((count) => count + 1);
    reload();
  };
  return (
    <ConsolePage
      title={stock.name}
      back={back}
      actions={
        <>
          <Standing row={stock} />
          <ButtonLink size="small" to={href('/admin/products/:id', { id: String(stock.product_id) })}>
            Edit product
          </ButtonLink>
          <Button variant="primary" size="small" onClick={() => setMoving(true)}>
            Adjust stock
          </Button>
        </>
      }
    >
      <UndoNotice
        undoable={undoable}
        onDone={() => {
          setUndoable(null);
          changed();
        }}
      />
      <div className={styles.beside}>
        <Panel title="Stock">
          <ShelfFacts stock={stock} reload={reload} />
        </Panel>
        <Panel title="Sales and supply">
          <FlowFacts stock={stock} />
        </Panel>
      </div>
      <MovementList
        key={turn}
        productId={stock.product_id}
        reason={state.reason}
        after={state.after}
        onReason={(reason) => set({ reason })}
        hrefFor={(after) => hrefFor({ after })}
        onChanged={reload}
      />
      <MoveDialog
        productId={isMoving ? stock.product_id : null}
        onClose={() => setMoving(false)}
        onMoved={(moved) => {
          setUndoable(moved);
          changed();
        }}
      />
    </ConsolePage>
  );
}

function ShelfFacts({ stock, reload }: { stock: Stock; reload(): void }) {
  const unit = unitOf(stock);
  return (
    <Facts
      items={[
        ['On hand', formatStock(stock.on_hand, unit)],
        ['Reserved (customers paying now)', formatStock(stock.reserved, unit)],
        ['Available', <b key="saleable">{formatStock(saleable(levelOf(stock)), unit)}</b>],
        ['Sold, to be packed', formatStock(stock.to_pack, unit)],
        ['Reorder level', <LowMark key="low" row={stock} onChanged={reload} />],
      ]}
    />
  );
}

function FlowFacts({ stock }: { stock: Stock }) {
  const unit = unitOf(stock);
  const since = stock.waiting.since ? instantFrom(stock.waiting.since) : null;
  const { wasted } = stock;
  return (
    <Facts
      items={[
        [
          'Average sales per day',
          formatStock(
            stock.has_size ? Math.round(stock.sold_per_day / 10) * 10 : Math.round(stock.sold_per_day * 10) / 10,
            unit,
          ),
        ],
        ['Days left', formatCover(stock.cover_days)],
        [
          'Waiting list',
          stock.waiting.people > 0
            ? `${stock.waiting.people.toLocaleString('en-IN')}${since ? `, since ${formatDay(since)}` : ''}`
            : 'None',
        ],
        [
          'Unit cost',
          stock.unit_cost_paise === null
            ? '—'
            : `${formatPaise(stock.unit_cost_paise)} per ${stock.has_size ? '500 g' : 'piece'}`,
        ],
        [
          'Wastage in 30 days',
          wasted.units === 0
            ? 'None'
            : `${formatStock(wasted.units, unit)}${wasted.unknown ? '' : `, ${formatPaise(wasted.value_paise)} at cost`}`,
        ],
        [
          'On order',
          stock.coming.length === 0 ? (
            'None'
          ) : (
            <span key="coming">
              {stock.coming.map((order) => (
                <Link
                  key={order.purchase_id}
                  className={styles.coming}
                  to={href('/admin/purchases/:id', { id: String(order.purchase_id) })}
                >
                  {formatPurchased(order.quantity, order.unit)} from {order.vendor}
                  {order.expected_on && `, ${formatDate(order.expected_on)}`}
                </Link>
              ))}
            </span>
          ),
        ],
      ]}
    />
  );
}
