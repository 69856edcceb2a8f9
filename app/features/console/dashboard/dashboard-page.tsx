import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import buttons from '#app/ui/button.module.css';
import { BlankPanel, BlankTiles, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Empty, Failed, Panel, Tabs } from '#app/ui/panel.tsx';
import { type Dashboard, periods, readDashboard } from '#contracts/console/dashboard.ts';
import { readShop } from '#contracts/console/shop.ts';
import { z } from '#contracts/z.ts';
import { shopGaps } from '#domain/shop/shop-gaps.ts';
import { useNewOrder } from '../data/new-orders.tsx';
import { useAnswer } from '../data/requests.ts';
import { useReloadTodo, useTodo } from '../data/todo.tsx';
import { ConsolePage } from '../frame/console-page.tsx';
import { useUrlState } from '../list/url-state.ts';
import { BestSellers, ByCategory, ByCity, SalesOverTime } from './breakdowns.tsx';
import { periodWords } from './dashboard-data.ts';
import styles from './dashboard-page.module.css';
import { FigureRow } from './figure-row.tsx';
import { NetProfit } from './net-profit.tsx';
import { TodoTiles } from './todo-tiles.tsx';

const State = z.object({ period: z.enum(periods).catch('today').default('today') });
const settleMs = 800;

/** First what waits for somebody, then how the shop does. */
export function DashboardPage() {
  const [{ period }, , hrefFor] = useUrlState(State);
  const todo = useTodo();
  const reloadTodo = useReloadTodo();
  const figures = useAnswer(readDashboard, { period });
  useReloadForNewOrders(figures.reload);

  return (
    <ConsolePage
      title="Dashboard"
      actions={
        <>
          <Link className={buttons.small} to="/admin/kitchen">
            Kitchen sheet
          </Link>
          <Link className={buttons.smallMain} to="/admin/orders/new">
            Add phone order
          </Link>
        </>
      }
    >
      <LegalGaps />
      <TodoTiles todo={todo} />
      {todo.state === 'failed' && figures.loaded.state !== 'failed' && <Failed retry={reloadTodo} />}
      <Tabs
        label="Period"
        items={periods.map((name) => ({
          to: hrefFor({ period: name }),
          title: periodWords[name].title,
          isOpen: name === period,
        }))}
      />
      {figures.loaded.state === 'loading' && (
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
      {figures.loaded.state === 'failed' && (
        <Failed
          retry={() => {
            figures.reload();
            if (todo.state === 'failed') reloadTodo();
          }}
        />
      )}
      {figures.loaded.state === 'ready' && (
        <div className={styles.period} aria-busy={figures.isStale || undefined}>
          <FigureRow dashboard={figures.loaded.value} netProfit={<NetProfit />} />
          <Breakdowns dashboard={figures.loaded.value} />
        </div>
      )}
    </ConsolePage>
  );
}

/** Said until it is done: what the law requires before the shop sells. */
function LegalGaps() {
  const { loaded } = useAnswer(readShop, {});
  if (loaded.state !== 'ready') return null;
  const { facts, incomplete_products: products } = loaded.value;
  const gaps = shopGaps(facts).map(({ title }) => title);
  const missing =
    products > 0 ? [...gaps, `details of ${products === 1 ? 'one product' : `${products} products`}`] : gaps;
  if (missing.length === 0) return null;
  return (
    <p className={styles.legal}>
      <span>
        <strong>Required before you can sell:</strong> {missing.join(', ')}.
      </span>
      <Link className={buttons.small} to="/admin/settings?tab=shop">
        Complete now
      </Link>
    </p>
  );
}

function Breakdowns({ dashboard }: { dashboard: Dashboard }) {
  if (dashboard.now.orders === 0) return <Empty title="No orders in this period yet." />;
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
