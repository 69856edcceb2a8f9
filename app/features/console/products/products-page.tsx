import { useCallback, useMemo, useState } from 'react';
import { href, useNavigate } from 'react-router';
import { ButtonLink } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { LoadingTable } from '#app/ui/loading-shapes.tsx';
import { toast } from '#app/ui/toast.tsx';
import { listProducts, type ProductRow } from '#contracts/console/products.ts';
import { formatPaise } from '#domain/money.ts';
import { csvRequest } from '../data/download.ts';
import { useRequests } from '../data/requests.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { useShortcut } from '../frame/shortcuts.tsx';
import { DownloadButton } from '../list/download-button.tsx';
import { ListPager } from '../list/list-pager.tsx';
import { useSelection } from '../list/selection.ts';
import { cursorFromText, useUrlState } from '../list/url-state.ts';
import { BulkBar } from './bulk-bar.tsx';
import { filterOf, isFiltered, ListState } from './list-state.ts';
import { columnsOf } from './product-cells.tsx';

import { ProductFilters } from './product-filters.tsx';
import { LoadingGrid, ProductGrid } from './product-grid.tsx';
import { UnbackedOffers } from './unbacked-offers.tsx';
import { useProductChanges } from './use-product-changes.ts';

const mostChosen = 2000;

const keyOf = ({ id }: ProductRow) => String(id);

/** The catalogue as a ledger: found, sorted, priced and listed without leaving it. */
export function ProductsPage() {
  const [state, set, hrefFor] = useUrlState(ListState);
  const navigate = useNavigate();
  const { read } = useRequests();
  const filter = filterOf(state);
  const question = { filter, sort: state.sort, descending: state.order === 'down' };
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(listProducts, {
    ...question,
    after: cursorFromText(state.after),
  });
  useShortcut('n', 'New product', () => void navigate(href('/admin/products/new')));

  // What was changed here is shown as it came back, until the list is asked again.
  const answer = data ?? null;
  const [patches, setPatches] = useState<{ of: unknown; rows: ReadonlyMap<number, ProductRow> }>({
    of: null,
    rows: new Map(),
  });
  const patched = patches.of === answer ? patches.rows : null;
  const rows = useMemo(() => answer?.rows.map((row) => patched?.get(row.id) ?? row) ?? [], [answer, patched]);
  const selection = useSelection(rows, keyOf);
  const { learn } = selection;

  const onChanged = useCallback(
    (changed: readonly ProductRow[]) => {
      const fresh = new Map(changed.map((row) => [row.id, row]));
      setPatches((before) => ({ of: answer, rows: new Map([...(before.of === answer ? before.rows : []), ...fresh]) }));
      learn(changed);
    },
    [answer, learn],
  );
  const change = useProductChanges(onChanged);

  async function changeOne(row: ProductRow, changes: Parameters<typeof change>[0][number]['changes'], said: string) {
    const outcome = await change([{ row, changes }], said);
    if (outcome.ok) return null;
    if (outcome.reason === 'stale') refetch();
    return outcome.message;
  }
  async function changeMany(...asked: Parameters<typeof change>) {
    const outcome = await change(...asked);
    if (!outcome.ok && outcome.reason === 'stale') refetch();
    return outcome;
  }
  const actions = {
    savePrice: (row: ProductRow, price: number) =>
      changeOne(row, { price_paise: price }, `${row.name} now costs ${formatPaise(price)}.`),
    async setListed(row: ProductRow, isListed: boolean) {
      const problem = await changeOne(row, { is_listed: isListed }, `${row.name} ${isListed ? 'listed' : 'unlisted'}.`);
      if (problem)
        toast('error', `${row.name}: ${problem}`, {
          label: 'Open',
          run: () => void navigate(href('/admin/products/:id', { id: String(row.id) })),
        });
    },
  };

  const selected = selection.keys;
  const select = selection.select;
  async function chooseAll() {
    try {
      const all = await read(listProducts, { ...question, page_size: mostChosen });
      selection.selectAll(all.rows);
    } catch {
      toast('error', 'We couldn’t load all products. Please try again.');
    }
  }
  const isPageChosen = rows.length > 0 && rows.every((row) => selected.has(String(row.id)));
  const hasMore = answer !== null && answer.count > selected.size && answer.count <= mostChosen;

  const empty = isFiltered(state) ? (
    <EmptyState title="No matching products." text="Try a shorter search or fewer filters." />
  ) : (
    <EmptyState
      title="No products yet."
      text="Add the first one, or import a CSV file."
      action={
        <ButtonLink size="small" to={href('/admin/products/new')}>
          Add product
        </ButtonLink>
      }
    />
  );

  return (
    <ConsolePage
      title="Products"
      actions={
        <>
          <DownloadButton request={csvRequest('products', filter)} fileName="products.csv">
            Export
          </DownloadButton>
          <ButtonLink size="small" to={href('/admin/products/import')}>
            Import
          </ButtonLink>
          <ButtonLink variant="primary" size="small" to={href('/admin/products/new')}>
            Add product
          </ButtonLink>
        </>
      }
    >
      <ProductFilters state={state} set={set} hrefFor={hrefFor} />
      {state.state !== 'offer_unbacked' && (
        <UnbackedOffers href={hrefFor({ state: 'offer_unbacked' })} changes={patches} />
      )}
      {isPending && (state.view === 'grid' ? <LoadingGrid /> : <LoadingTable columns={columnsOf(actions)} canSelect />)}
      {isLoadingError && <FailedState retry={state.after ? () => set({ after: '' }) : refetch} />}
      {answer && (
        <>
          {state.view === 'grid' && rows.length > 0 ? (
            <ProductGrid rows={rows} selected={selected} onSelect={select} isStale={isPlaceholderData} {...actions} />
          ) : (
            <DataTable
              caption="Products"
              columns={columnsOf(actions)}
              rows={rows}
              rowKey={(row) => String(row.id)}
              rowLabel={(row) => row.name}
              selection={{ selected, onChange: select }}
              sort={{
                by: state.sort,
                descending: state.order === 'down',
                hrefFor: (by) =>
                  hrefFor({
                    sort: by as ListState['sort'],
                    order: state.sort === by && state.order === 'up' ? 'down' : 'up',
                  }),
              }}
              empty={empty}
              isStale={isPlaceholderData}
            />
          )}
          <ListPager page={answer} after={state.after} hrefFor={hrefFor} />
        </>
      )}
      {selected.size > 0 && (
        <BulkBar
          chosen={selection.rows}
          hidden={selection.hidden}
          change={changeMany}
          chooseAll={isPageChosen && hasMore ? { count: answer?.count ?? 0, run: chooseAll } : null}
          clear={selection.clear}
        />
      )}
    </ConsolePage>
  );
}
