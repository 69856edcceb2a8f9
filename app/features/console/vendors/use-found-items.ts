import { useCallback, useEffect, useRef, useState } from 'react';
import { type FoundItem, findItems } from '#contracts/console/purchases.ts';
import { useRequests } from '../data/requests.ts';

const pauseMs = 180;

/** Sweets of ours and things bought before, by a part of their name. Without an answer one just types on. */
export function useFoundItems(vendorId: number | null): { found: readonly FoundItem[]; look(name: string): void } {
  const { ask } = useRequests();
  const [found, setFound] = useState<readonly FoundItem[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef('');

  const look = useCallback(
    (name: string) => {
      latest.current = name;
      clearTimeout(timer.current);
      timer.current = setTimeout(async () => {
        const args = { search: name, ...(vendorId === null ? {} : { vendor_id: vendorId }) };
        const items = await ask(findItems, args).catch(() => null);
        if (items && latest.current === name) setFound(items);
      }, pauseMs);
    },
    [ask, vendorId],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  return { found, look };
}
