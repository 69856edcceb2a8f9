import { type KeyboardEvent, useCallback, useState } from 'react';
import { useShortcut } from '../../frame/shortcuts.tsx';
import { linkId } from './orders-table.tsx';

/** j and k go from order to order, arrows too once there; Enter opens the focused link, as the browser does; x selects the order. */
export function useRowKeys(ids: readonly string[], toggle: (id: string) => void) {
  const [current, setCurrent] = useState<string | null>(null);
  const isShown = current !== null && ids.includes(current);

  const go = useCallback(
    (step: 1 | -1) => {
      const place = current === null ? -1 : ids.indexOf(current);
      const next = place === -1 ? 0 : Math.min(Math.max(place + step, 0), ids.length - 1);
      const link = document.getElementById(linkId(ids[next] ?? ''));
      link?.focus({ preventScroll: true });
      link?.closest('tr')?.scrollIntoView({ block: 'nearest' });
    },
    [current, ids],
  );

  useShortcut('j', 'Next order; Enter opens it', () => go(1));
  useShortcut('k', 'Previous order', () => go(-1));
  useShortcut('x', 'Select the order', () => isShown && toggle(current));

  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] as 1 | -1 | undefined;
      if (!step || !(event.target as HTMLElement).id.startsWith('order-')) return;
      event.preventDefault();
      go(step);
    },
    [go],
  );
  return { current: isShown ? current : null, setCurrent, onKeyDown };
}
