import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { href } from 'react-router';
import { useSession } from '#app/backend/session.tsx';
import { toast } from '#app/ui/toast.tsx';
import { markChanged } from './query-client.ts';

export type NewOrder = { id: string; number: number; source: string };

type NewOrders = {
  isSoundOn: boolean;
  setSound(on: boolean): void;
  /** Calls back for every order that comes in, until the returned function is called. */
  listen(onOrder: (order: NewOrder) => void): () => void;
};

const NewOrdersContext = createContext<NewOrders | null>(null);
const soundKey = 'mithaas-console-sound';

export function useNewOrders(): NewOrders {
  const orders = useContext(NewOrdersContext);
  if (!orders) throw new Error('only screens of the console hear of new orders');
  return orders;
}

/** Does something for every order that comes in while this is on the screen. */
export function useNewOrder(onOrder: (order: NewOrder) => void): void {
  const { listen } = useNewOrders();
  const latest = useRef(onOrder);
  latest.current = onOrder;
  useEffect(() => listen((order) => latest.current(order)), [listen]);
}

/** Hears of new orders for all screens below, says so, and rings if asked to. */
export function NewOrdersProvider({ children }: { children: ReactNode }) {
  const { client, isAdministrator } = useSession();
  const queries = useQueryClient();
  const listeners = useRef(new Set<(order: NewOrder) => void>());
  const [isSoundOn, setSoundOn] = useState(false);
  const sound = useRef(false);
  sound.current = isSoundOn;

  useEffect(() => setSoundOn(localStorage.getItem(soundKey) === 'on'), []);

  useEffect(() => {
    if (!isAdministrator) return;
    const left = new AbortController();
    void client().then(async (supabase) => {
      await supabase.realtime.setAuth();
      if (left.signal.aborted) return;
      const channel = supabase
        .channel(`console-orders-${Date.now()}`)
        .on<NewOrder>('postgres_changes', { event: 'INSERT', schema: 'public', table: 'orders' }, ({ new: order }) => {
          markChanged(queries);
          // No sound for phone orders: the person who enters one knows of it.
          if (order.source !== 'manual') {
            toast('news', `New order ${order.number}`, {
              href: href('/admin/orders/:id', { id: order.id }),
              label: 'Open',
            });
            if (sound.current) ring();
          }
          for (const listener of listeners.current) listener(order);
        })
        .on('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'orders' }, () => markChanged(queries))
        .subscribe();
      left.signal.addEventListener('abort', () => void supabase.removeChannel(channel));
    });
    return () => left.abort();
  }, [client, isAdministrator, queries]);

  const value = useMemo<NewOrders>(
    () => ({
      isSoundOn,
      setSound(on) {
        localStorage.setItem(soundKey, on ? 'on' : 'off');
        setSoundOn(on);
        if (on) ring();
      },
      listen(onOrder) {
        listeners.current.add(onOrder);
        return () => listeners.current.delete(onOrder);
      },
    }),
    [isSoundOn],
  );
  return <NewOrdersContext value={value}>{children}</NewOrdersContext>;
}

/** A counter bell: two short notes. */
function ring(): void {
  const audio = new AudioContext();
  [1318.5, 1760].forEach((frequency, note) => {
    const at = audio.currentTime + note * 0.14;
    const bell = audio.createOscillator();
    const loudness = audio.createGain();
    bell.frequency.value = frequency;
    loudness.gain.setValueAtTime(0.25, at);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
    bell.connect(loudness).connect(audio.destination);
    bell.start(at);
    bell.stop(at + 0.5);
  });
  setTimeout(() => void audio.close(), 1500);
}
