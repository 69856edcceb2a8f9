import { useEffect, useRef } from 'react';
import { href } from 'react-router';
import { ButtonLink } from '#app/ui/button.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { BlankPanel, BlankTiles, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { type Dashboard, periods, readDashboard } from '#contracts/console/dashboard.ts';
import { readShop } from '#contracts/console/shop.ts';
import { z } from '#contracts/z.ts';
import { shopGaps } from '#domain/shop/shop-gaps.ts';
import { useNewOrder } from '../data/new-orders.tsx';
import { useShopQuery } from '../data/shop-query.ts';
import { useTodo } from '../data/todo.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { useUrlState } from '../list/url-state.ts';
import { BestSellers, ByCategory, ByCity, SalesOverTime } from './breakdowns.tsx';
import { periodWords } from './dashboard-data.ts';
import styles from './dashboard-page.module.css';
import { FigureRow } from './figure-row.tsx';
import { GiftFigures } from './gift-figures.tsx';
import { NetProfit } from './net-profit.tsx';
import { TodoTiles } from './todo-tiles.tsx';

const State = z.object({ period: z.enum(periods).catch('today').default('today') });
const settleMs = 800;

/** First the to-do tiles, then the shop's figures. */
export function DashboardPage() {
  const [{ period }, , hrefFor] = useUrlState(State);
  const todo = useTodo();
  const figures = useShopQuery(readDashboard, { period });
  useReloadForNewOrders(figures.refetch);

  return (
    <ConsolePage
      title="Dashboard"
      actions={
        <>
          <ButtonLink size="small" to={href('/admin/kitchen')}>
            Kitchen sheet
          </ButtonLink>
          <ButtonLink variant="primary" size="small" to={href('/admin/orders/new')}>
            Add phone order
          </ButtonLink>
        </>
      }
    >
      <LegalGaps />
      <TodoTiles todo={todo} />
      {todo.isLoadingError && !figures.isLoadingError && <FailedState retry={todo.refetch} />}
      <Tabs
        label="Period"
        items={periods.map((name) => ({
          to: hrefFor({ period: name }),
          title: periodWords[name].title,
          isOpen: name === period,
        }))}
      />
      {figures.isPending && (
        <LoadingShape className={styles.period}>
          <BlankTiles count={6} />
          <BlankPanel title="Sales over time" hasChart />
          <div className={styles.beside}>
            <BlankPanel title="Best sellers" lines={6} />
            <BlankPanel title="By category" lines={5} />
            <BlankPanel title="By city" lines={6} />
          </div>
        </LoadingShape>
      )}
      {figures.isLoadingError && (
        <FailedState
          retry={() => {
            figures.refetch();
            if (todo.isLoadingError) todo.refetch();
          }}
        />
      )}
      {figures.data !== undefined && (
        <div className={styles.period} aria-busy={figures.isPlaceholderData || undefined}>
          <FigureRow dashboard={figures.data} netProfit={<NetProfit />} />
          <Breakdowns dashboard={figures.data} />
          <GiftFigures />
        </div>
      )}
    </ConsolePage>
  );
}

/** Said until it is done: what the law requires before the shop sells. */
function LegalGaps() {
  const { data } = useShopQuery(readShop, {});
  if (data === undefined) return null;
  const { facts, incomplete_products: products } = data;
  const gaps = shopGaps(facts).map(({ title }) => title);
  const missing =
    products > 0 ? [...gaps, `details of ${products === 1 ? 'one product' : `${products} products`}`] : gaps;
  if (missing.length === 0) return null;
  return (
    <p className={styles.legal}>
      <span>
        <strong>Required before you can sell:</strong> {missing.join(', ')}.
      </span>
      <ButtonLink size="small" to={`${href('/admin/settings')}?tab=shop`}>
        Complete now
      </ButtonLink>
    </p>
  );
}

function Breakdowns({ dashboard }: { dashboard: Dashboard }) {
  if (dashboard.now.orders === 0) return <EmptyState title="No orders in this period yet." />;
  return (
    <>
      <Panel title="Sales over time">
        <SalesOverTime dashboard={dashboard} />
      </Panel>
      <div className={styles.beside}>
        <Panel title="Best sellers">
          <BestSellers dashboard={dashboard} />
        </Panel>
        <Panel title="By category">
          <ByCategory dashboard={dashboard} />
        </Panel>
        <Panel title="By city">
          <ByCity dashboard={dashboard} />
        </Panel>
      </div>
    </>
  );
}

/** A rush brings many at once: one look after the last of them is enough. */
function useReloadForNewOrders(reload: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useNewOrder(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(reload, settleMs);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}
