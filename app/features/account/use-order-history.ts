import { startTransition, useCallback, useEffect, useRef, useState } from 'react';
import type { ShopClient } from '#app/backend/client.ts';
import { type Cursor, hasNewerEvent, loadHistory, loadPage, withOlder } from './order-data.ts';
import { type History, newsBetween } from './order-history.ts';
import type { Loaded } from './use-loaded.ts';
import { watchOrders } from './watch-orders.ts';

type Read = History & { cursor: Cursor; newestEvent: number };

export type OrderHistory = {
  loaded: Loaded<History>;
  /** What changed without the customer's doing, for screen readers. */
  news: string;
  /** After a failure: from the beginning. */
  reload(): void;
  /** Reads again and changes the list in place; null when that failed and the list is as it was. */
  refresh(): Promise<History | null>;
  /** False when they could not be read. */
  showOlder(): Promise<boolean>;
};

/** Changes come in twos and threes: an order, its event, its payment. */
const settleMilliseconds = 250;

/** The customer's orders, kept true while the page is open. */
export function useOrderHistory(
  client: () => Promise<ShopClient>,
  userId: string,
  linkedOrder: string | null,
): OrderHistory {
  const [loaded, setLoaded] = useState<Loaded<Read>>({ state: 'loading' });
  const [news, setNews] = useState('');
  const shown = useRef<Read | null>(null);
  const pages = useRef(1);
  // Answers may overtake each other: only a later question than the one shown is answered.
  const turns = useRef({ asked: 0, answered: 0 });

  const show = useCallback((turn: number, read: Read) => {
    if (turn < turns.current.answered) return;
    turns.current.answered = turn;
    const since = shown.current ? newsBetween(shown.current, read) : [];
    if (since.length > 0) setNews(since.join('. '));
    // The first read is rendered in slices: up to fifty orders must not keep a tap waiting. A change is seen at once.
    const update = () => setLoaded({ state: 'ready', value: read });
    if (shown.current) update();
    else startTransition(update);
    shown.current = read;
  }, []);

  const refresh = useCallback(async () => {
    const turn = nextTurn(turns.current);
    try {
      const read = await loadHistory(await client(), userId, { pages: pages.current, linkedOrder });
      show(turn, read);
      return read;
    } catch {
      // What is shown stays; only who has nothing yet is told.
      if (!shown.current) setLoaded({ state: 'failed' });
      return null;
    }
  }, [client, userId, linkedOrder, show]);

  const showOlder = useCallback(async () => {
    const turn = nextTurn(turns.current);
    try {
      const older = await loadPage(await client(), userId, shown.current?.cursor ?? null);
      pages.current += 1;
      if (shown.current) show(turn, withOlder(shown.current, older));
      return true;
    } catch {
      return false;
    }
  }, [client, userId, show]);

  const reload = useCallback(() => {
    setLoaded({ state: 'loading' });
    void refresh();
  }, [refresh]);

  const first = useRef<Promise<unknown>>(undefined);
  useEffect(() => {
    first.current = refresh();
  }, [refresh]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refreshSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void refresh();
      }, settleMilliseconds);
    };
    let gone = false;
    let stop = () => {};
    let isFirstConnection = true;
    /** What was read a moment ago is read again only if something happened in between; after a gap it always is. */
    async function catchUp(backend: ShopClient) {
      const isFirst = isFirstConnection;
      isFirstConnection = false;
      await first.current;
      if (!gone && (!isFirst || !shown.current || (await hasNewerEvent(backend, userId, shown.current.newestEvent))))
        refreshSoon();
    }
    client().then(
      (backend) => {
        if (gone) return;
        stop = watchOrders(backend, userId, {
          connected: () => void catchUp(backend),
          own: refreshSoon,
          // An administrator hears of everybody's.
          event: (orderId) => shown.current?.orders.some(({ id }) => id === orderId) && refreshSoon(),
        });
      },
      () => {}, // reading has failed for the same reason, and said so
    );
    // Also with a connection: it may have slept, and refunds of payments without an order are not told of.
    const onReturn = () => document.visibilityState === 'visible' && refreshSoon();
    window.addEventListener('focus', onReturn);
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      gone = true;
      clearTimeout(timer);
      stop();
      window.removeEventListener('focus', onReturn);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [client, userId, refresh]);

  return { loaded, news, reload, refresh, showOlder };
}

function nextTurn(turns: { asked: number }): number {
  turns.asked += 1;
  return turns.asked;
}
