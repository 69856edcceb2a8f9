import { useMemo, useState } from 'react';
import { href, useNavigate } from 'react-router';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { listOrders, type OrderRow } from '#contracts/console/orders.ts';
import { calendarDay, formatMoment } from '#domain/time.ts';
import type { TodoKey } from '../../dashboard/dashboard-data.ts';
import { csvRequest } from '../../data/download.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { useTodo } from '../../data/todo.ts';
import { cappedCount } from '../../data/todo-counts.ts';
import { useNow } from '../../data/use-now.ts';
import { ConsolePage } from '../../frame/console-page.tsx';
import { useShortcut } from '../../frame/shortcuts.tsx';
import { DownloadButton } from '../../list/download-button.tsx';
import { ListPager } from '../../list/list-pager.tsx';
import { NotLoaded } from '../../list/not-loaded.tsx';
import { useUrlState } from '../../list/url-state.ts';
import { Refusals } from './bulk-bar.tsx';
import { FilterPanel } from './filter-panel.tsx';

import { chipsOf, ListState, noFields, questionOf, type todos } from './order-filter.ts';
import styles from './orders-page.module.css';
import { LoadingOrders, linkId, OrdersTable } from './orders-table.tsx';
import { SelectedOrders, useSelectedOrders } from './selected-orders.tsx';
import { Toolbar } from './toolbar.tsx';
import { useLiveRows } from './use-live-rows.ts';
import { useRowKeys } from './use-row-keys.ts';

type Work = { todo: '' | (typeof todos)[number]; title: string; done: string; counted?: TodoKey };

const work: readonly Work[] = [
  { todo: '', title: 'All orders', done: 'No orders yet.' },
  { todo: 'unconfirmed', title: 'To confirm', done: 'Every order is confirmed.', counted: 'unconfirmed' },
  { todo: 'pack-today', title: 'To pack today', done: 'Everything for today is packed.', counted: 'pack_today' },
  { todo: 'pack-later', title: 'For a later day', done: 'No orders for a later day.' },
  { todo: 'to-collect', title: 'To collect', done: 'Every order is paid.', counted: 'to_collect' },
  { todo: 'undelivered', title: 'Undelivered', done: 'No undelivered orders.', counted: 'undelivered' },
  { todo: 'give-back', title: 'Refunds to decide', done: 'No refund needs you.', counted: 'to_give_back' },
];

/** Orders for a later day are read in the order in which they are packed; sorted so, the others would be missing elsewhere. */
function sortOf(todo: Work['todo'], sort: ListState['sort']): ListState['sort'] {
  if (todo === 'pack-later') return 'pack';
  return sort.endsWith('pack') ? '-placed' : sort;
}

export function OrdersPage() {
  const [state, set, hrefFor] = useUrlState(ListState);
  const [isFilterOpen, setFilterOpen] = useState(false);
  const { data: waiting } = useTodo();
  const navigate = useNavigate();
  useShortcut('n', 'New phone order', () => void navigate(href('/admin/orders/new')));
  useShortcut('f', 'Filters', () => setFilterOpen((open) => !open));

  return (
    <ConsolePage title="Orders" actions={<Actions state={state} />}>
      <Tabs
        label="Work"
        items={[
          ...work
            // Reached by older links only: the list of refunds says more.
            .filter(({ todo }) => todo !== 'give-back' || state.todo === todo)
            .map(({ todo, title, counted }) => ({
              to: hrefFor({ todo, sort: sortOf(todo, state.sort) }),
              title,
              isOpen: state.todo === todo,
              count: counted && waiting ? cappedCount(waiting[counted]) : undefined,
            })),
          {
            to: href('/admin/orders/refunds'),
            title: 'Refunds due',
            isOpen: false,
            count: waiting && cappedCount(waiting.refunds_open),
          },
        ]}
      />
      <Toolbar
        state={state}
        set={set}
        hrefFor={hrefFor}
        isFilterOpen={isFilterOpen}
        onFilter={() => setFilterOpen(!isFilterOpen)}
      />
      {isFilterOpen && (
        <FilterPanel
          key={JSON.stringify(state)}
          state={state}
          onFilter={(fields) => set(fields)}
          onClose={() => setFilterOpen(false)}
        />
      )}
      <OrderList state={state} hrefFor={hrefFor} />
    </ConsolePage>
  );
}

function Actions({ state }: { state: ListState }) {
  return (
    <>
      <DownloadButton
        request={csvRequest('orders', questionOf(state).filter)}
        fileName={`orders-${calendarDay(new Date())}.csv`}
      >
        Export CSV
      </DownloadButton>
      <ButtonLink size="small" to={href('/admin/orders/claims')}>
        Claims
      </ButtonLink>
      <ButtonLink variant="primary" size="small" to={href('/admin/orders/new')}>
        Add phone order
      </ButtonLink>
    </>
  );
}

const idOf = ({ id }: OrderRow) => id;

type OrderListProps = { state: ListState; hrefFor(changes: Partial<ListState>): string };

function OrderList({ state, hrefFor }: OrderListProps) {
  const question = useMemo(() => questionOf(state), [state]);
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(listOrders, question);
  const page = data ?? null;
  const live = useLiveRows(question, page);
  const now = useNow();
  const navigate = useNavigate();

  const { selection, moves, selectShown } = useSelectedOrders(live.rows, live.refresh);
  const keys = useRowKeys(
    useMemo(() => live.rows.map(idOf), [live.rows]),
    selection.toggle,
  );

  function showArrived() {
    if (state.after !== '') void navigate(hrefFor({ after: '' }), { replace: true });
    else refetch();
    window.scrollTo({ top: 0 });
  }

  if (isPending) return <LoadingOrders />;
  if (isLoadingError) return <NotLoaded first={state.after === '' ? null : hrefFor({ after: '' })} retry={refetch} />;
  const by = state.sort.replace('-', '');
  return (
    <>
      <p className={styles.onPaper}>
        {work.find(({ todo }) => todo === state.todo)?.title}, {formatMoment(now)}
      </p>
      {moves.refusals.length > 0 && <Refusals refusals={moves.refusals} onClose={moves.forgetRefusals} />}
      <div role="status" className={styles.arrived}>
        {live.arrived > 0 && (
          <Button size="small" onClick={showArrived}>
            Show {live.arrived === 1 ? '1 new order' : `${live.arrived} new orders`}
          </Button>
        )}
      </div>
      {live.rows.length > 0 && (
        <Button size="small" className={styles.chooseAll} onClick={selectShown}>
          Select all {live.rows.length}
        </Button>
      )}
      <OrdersTable
        rows={live.rows}
        now={now}
        selection={{ selected: selection.keys, onChange: selection.select }}
        sort={{
          by,
          descending: state.sort.startsWith('-'),
          hrefFor: (column) =>
            hrefFor({ sort: (state.sort === `-${column}` ? column : `-${column}`) as ListState['sort'] }),
        }}
        busy={moves.busy}
        current={keys.current}
        isStale={isPlaceholderData}
        empty={<Nothing state={state} hrefFor={hrefFor} />}
        onMove={(order, to) => {
          moves.moveOne(order, to);
          document.getElementById(linkId(order.id))?.focus({ preventScroll: true });
        }}
        onKeyDown={keys.onKeyDown}
        onFocusRow={keys.setCurrent}
      />
      {by === 'age' && (
        <p className={styles.note}>Waiting counts from when an order got its status. Finished orders don’t wait.</p>
      )}
      <ListPager page={data} after={state.after} hrefFor={hrefFor} />
      <SelectedOrders selection={selection} moves={moves} />
    </>
  );
}

function Nothing({ state, hrefFor }: OrderListProps) {
  const isNarrowed = state.q !== '' || chipsOf(state).length > 0;
  if (!isNarrowed && state.after === '')
    return <EmptyState title={work.find(({ todo }) => todo === state.todo)?.done ?? ''} />;
  return (
    <EmptyState
      title="No matching orders."
      text="Try fewer words or filters."
      action={
        <ButtonLink size="small" to={hrefFor({ ...noFields, q: '', user: '', after: '' })} replace>
          Clear search and filters
        </ButtonLink>
      }
    />
  );
}
