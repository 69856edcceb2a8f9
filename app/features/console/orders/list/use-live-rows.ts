import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { listOrders, type OrderPage, type OrderRow } from '#contracts/console/orders.ts';
import { useNewOrder } from '../../data/new-orders.tsx';
import { markChanged } from '../../data/query-client.ts';
import { useRequests } from '../../data/requests.ts';

import type { questionOf } from './order-filter.ts';
import { useOrderUpdates } from './use-order-updates.ts';

type Question = ReturnType<typeof questionOf>;
/** Changes since the page was read: its changed rows, and new orders that match its filter. */
type Since = { page: OrderPage | null; changed: ReadonlyMap<string, OrderRow>; arrived: ReadonlySet<string> };

/** An order, its event and its payment change one after the other. */
const settleMs = 300;
/** Most new orders to count; more are found by reloading. */
const mostHeard = 200;

const nothing = { changed: new Map<string, OrderRow>(), arrived: new Set<string>() };

/**
 * The rows of a page, updated in place. New orders are only counted: a list that moves under the
 * finger makes people press the wrong row.
 */
export function useLiveRows(question: Question, page: OrderPage | null) {
  const { read } = useRequests();
  const queries = useQueryClient();
  const [since, setSince] = useState<Since>({ page, ...nothing });
  const known = since.page === page ? since : { page, ...nothing };
  const latest = useRef({ question, page });
  latest.current = { question, page };
  /** Ids of new orders; another page of the list has the earlier ones. */
  const heard = useRef({ page, ids: new Set<string>() });
  const touched = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => () => clearTimeout(timer.current), []);

  /** Ignores results for a page that is no longer shown. */
  const learn = useCallback((of: OrderPage | null, rows: readonly OrderRow[], arrived: readonly string[]) => {
    if (of !== latest.current.page) return;
    setSince((before) => {
      const kept = before.page === of ? before : nothing;
      return {
        page: of,
        changed: new Map([...kept.changed, ...rows.map((row) => [row.id, row] as const)]),
        arrived: new Set([...kept.arrived, ...arrived]),
      };
    });
  }, []);

  /** Reads rows again, even if the filter no longer matches them. */
  const refresh = useCallback(
    async (ids: readonly string[]): Promise<OrderRow[]> => {
      const of = latest.current.page;
      if (ids.length === 0) return [];
      const { rows } = await read(listOrders, { filter: { ids: [...ids] } });
      learn(of, rows, []);
      return rows;
    },
    [read, learn],
  );

  const look = useCallback(async () => {
    const { question: asked, page: of } = latest.current;
    const ids = [...touched.current];
    touched.current.clear();
    await refresh(ids);
    const { page: heardOn, ids: added } = heard.current;
    if (heardOn !== latest.current.page || added.size === 0) return;
    const filter = { ...asked.filter, ids: [...added] };
    const { rows } = await read(listOrders, { filter });
    learn(
      of,
      [],
      rows.map(({ id }) => id),
    );
  }, [read, refresh, learn]);

  const lookSoon = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void look().catch(() => {}), settleMs); // the next change tries again
  }, [look]);

  useNewOrder(({ id }) => {
    const shown = latest.current.page;
    if (heard.current.page !== shown) heard.current = { page: shown, ids: new Set() };
    if (heard.current.ids.size < mostHeard) heard.current.ids.add(id);
    lookSoon();
  });
  useOrderUpdates({
    onUpdate(id) {
      if (!latest.current.page?.rows.some((row) => row.id === id)) return;
      markChanged(queries);
      touched.current.add(id);
      lookSoon();
    },
    // The connection may have slept: repeats the request and looks for new orders in the result.
    onReturn() {
      const { question: asked, page: of } = latest.current;
      if (of === null) return;
      const newest = of.rows[0]?.placed_at ?? '';
      read(listOrders, asked).then(
        ({ rows }) => {
          const shown = new Set(of.rows.map(({ id }) => id));
          const isNewestFirst = asked.sort === '-placed' && asked.after === null;
          const added = isNewestFirst ? rows.filter(({ id, placed_at }) => !shown.has(id) && placed_at > newest) : [];
          learn(
            of,
            rows.filter(({ id }) => shown.has(id)),
            added.map(({ id }) => id),
          );
        },
        () => {}, // what is shown stays
      );
    },
  });

  const rows = useMemo(() => page?.rows.map((row) => known.changed.get(row.id) ?? row) ?? [], [page, known.changed]);
  return { rows, arrived: known.arrived.size, refresh };
}
