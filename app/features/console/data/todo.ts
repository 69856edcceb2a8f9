import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { readWork, type Todo } from '#contracts/console/dashboard.ts';
import { queryKeyOf, useShopQuery } from './shop-query.ts';

/** In a rush something changes all the time: the counts are read again at most this often. */
const throttleMs = 800;

/** What there is to do: one result for the dashboard, the tabs of the orders and the menus. */
export function useTodo(): UseQueryResult<Todo> {
  const { isAdministrator } = useSession();
  return useShopQuery(readWork, isAdministrator ? {} : null, { staleTime: Number.POSITIVE_INFINITY });
}

/** Refreshes the counts while the console is open: after every change, and when the page is shown again. */
export function useTodoUpdates(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const queryKey = queryKeyOf(readWork, {});
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refetchSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.refetchQueries({ queryKey });
      }, throttleMs);
    };
    // The connection may have slept while the page was hidden.
    const onVisible = () => document.visibilityState === 'visible' && refetchSoon();
    document.addEventListener('visibilitychange', onVisible, { signal: left.signal });
    const stopListening = queries.getQueryCache().subscribe((event) => {
      const isChange = event.type === 'updated' && event.action.type === 'invalidate';
      if (isChange && event.query.queryKey[0] === readWork.name) refetchSoon();
    });
    return () => {
      clearTimeout(timer);
      stopListening();
      left.abort();
    };
  }, [queries]);
}
