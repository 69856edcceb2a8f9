import { useState } from 'react';
import { href, useNavigate } from 'react-router';
import { ButtonLink } from '#app/ui/button.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import {
  listStock,
  readStockSummary,
  readStockValue,
  reasons,
  type StockRow,
  type StockValue,
} from '#contracts/console/stock.ts';
import { z } from '#contracts/z.ts';
import { formatWholeRupees } from '#domain/money.ts';
import { categoryOptions, useCategories } from '../data/categories.tsx';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { useShortcut } from '../frame/shortcuts.tsx';
import { Choice, Filters } from '../list/list-filters.tsx';
import { ListPager } from '../list/list-pager.tsx';
import { cursorFromText, useUrlState } from '../list/url-state.ts';
import styles from './inventory.module.css';
import { MoveDialog } from './move-dialog.tsx';
import { MovementList } from './movement-list.tsx';

import { LoadingStock, StockTable } from './stock-table.tsx';
import { type Undoable, UndoNotice } from './undo-notice.tsx';

// As admin_list_stock() names them.
const sorts = ['attention', 'name', 'saleable', 'cover', 'waiting'] as const;

const State = z.object({
  show: z.enum(['all', 'out', 'low', 'waiting', 'movements']).catch('all').default('all'),
  search: z.string().catch('').default(''),
  category: z.string().max(40).catch('').default(''),
  sort: z.enum(sorts).catch('attention').default('attention'),
  order: z.enum(['up', 'down']).catch('up').default('up'),
  reason: z
    .enum(['', ...reasons])
    .catch('')
    .default(''),
  after: z.string().catch('').default(''),
});

/** What is on the shelf, what is running out, and who waits for it. */
export function InventoryPage() {
  const [state, set, hrefFor] = useUrlState(State);
  const navigate = useNavigate();
  const summary = useShopQuery(readStockSummary, {});
  const value = useShopQuery(readStockValue, {});
  const [undoable, setUndoable] = useState<Undoable | null>(null);
  const [undone, setUndone] = useState(0);
  const recount = () => {
    summary.refetch();
    value.refetch();
  };
  const { show } = state;
  useShortcut('c', 'Stock count', () => void navigate(href('/admin/inventory/count')));

  const counted = (what: 'out' | 'low' | 'waiting') =>
    summary.data !== undefined ? ` (${summary.data[what].toLocaleString('en-IN')})` : '';
  const tab = (name: typeof show, title: string) => ({
    to: hrefFor({ show: name, reason: '' }),
    title,
    isOpen: show === name,
  });
  return (
    <ConsolePage
      title="Inventory"
      actions={
        <ButtonLink variant="primary" size="small" to={href('/admin/inventory/count')}>
          Start stock count
        </ButtonLink>
      }
    >
      <ShelfValue value={value.data} />
      <Tabs
        label="Which products"
        items={[
          tab('all', 'All'),
          tab('out', `Out of stock${counted('out')}`),
          tab('low', `Low stock${counted('low')}`),
          tab('waiting', `Waiting list${counted('waiting')}`),
          tab('movements', 'Stock movements'),
        ]}
      />
      <UndoNotice
        undoable={undoable}
        onDone={() => {
          setUndoable(null);
          setUndone((count) => count + 1);
          recount();
        }}
      />
      {show === 'movements' ? (
        <MovementList
          reason={state.reason}
          after={state.after}
          onReason={(reason) => set({ reason })}
          hrefFor={(after) => hrefFor({ after })}
        />
      ) : (
        <StockPages key={undone} state={state} set={set} hrefFor={hrefFor} onMoved={setUndoable} onChanged={recount} />
      )}
    </ConsolePage>
  );
}

type PagesProps = {
  state: z.infer<typeof State>;
  set(changes: Partial<z.infer<typeof State>>): void;
  hrefFor(changes: Partial<z.infer<typeof State>>): string;
  onMoved(undoable: Undoable): void;
  onChanged(): void;
};

function StockPages({ state, set, hrefFor, onMoved, onChanged }: PagesProps) {
  const { show, search, category, sort, order, after } = state;
  const { names } = useCategories();
  const filter = { show, search, category, sort, descending: order === 'down' };
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(listStock, {
    filter,
    after: cursorFromText(after),
  });
  const [moving, setMoving] = useState<StockRow | null>(null);
  const changed = () => {
    refetch();
    onChanged();
  };
  return (
    <div className={styles.part}>
      <Filters>
        <SearchField label="Search products" value={search} onSearch={(text) => set({ search: text })} />
        <Choice
          label="Category"
          value={category}
          options={[['', 'All categories'], ...categoryOptions(names, category)]}
          onChange={(chosen) => set({ category: chosen })}
        />
        <Choice
          label="Sort by"
          value={sort}
          options={[
            ['attention', 'Needs attention first'],
            ['name', 'Name A–Z'],
            ['saleable', 'Least available first'],
            ['cover', 'Fewest days left first'],
            ['waiting', 'Longest waiting list first'],
          ]}
          onChange={(chosen) => set({ sort: chosen, order: 'up' })}
        />
      </Filters>
      {isPending && <LoadingStock />}
      {isLoadingError && <FailedState retry={refetch} />}
      {data !== undefined && (
        <div className={styles.middle}>
          <StockTable
            rows={data.rows}
            isFiltered={show !== 'all' || search !== '' || category !== ''}
            isStale={isPlaceholderData}
            sort={{
              by: sort,
              descending: order === 'down',
              hrefFor: (by) =>
                hrefFor({ sort: by as typeof sort, order: by === sort && order === 'up' ? 'down' : 'up' }),
            }}
            onMove={setMoving}
            onChanged={changed}
          />
          <ListPager page={data} after={after} hrefFor={hrefFor} />
        </div>
      )}
      <MoveDialog
        productId={moving?.product_id ?? null}
        onClose={() => setMoving(null)}
        onMoved={(moved) => {
          onMoved(moved);
          changed();
        }}
      />
    </div>
  );
}

function ShelfValue({ value }: { value: z.infer<typeof StockValue> | undefined }) {
  if (!value) return <p className={styles.note}>&nbsp;</p>;
  const { value_paise, without_cost } = value;
  return (
    <p className={styles.note}>
      Stock value <b>{formatWholeRupees(value_paise)}</b> at cost
      {without_cost > 0 &&
        `, not counting ${without_cost.toLocaleString('en-IN')} ${without_cost === 1 ? 'product' : 'products'} with no cost entered`}
      .
    </p>
  );
}
