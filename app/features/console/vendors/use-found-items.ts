import { useState } from 'react';
import { type FoundItem, findItems } from '#contracts/console/purchases.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { useLater } from '../data/use-later.ts';

const pauseMs = 180;
const none: readonly FoundItem[] = [];

/** Sweets of ours and things bought before, by a part of their name. Without a result one just types on. */
export function useFoundItems(vendorId: number | null): { found: readonly FoundItem[]; look(name: string): void } {
  const [typed, setTyped] = useState<string | null>(null);
  const search = useLater(typed, pauseMs);
  const vendor = vendorId === null ? {} : { vendor_id: vendorId };
  const { data } = useShopQuery(findItems, search === null ? null : { search, ...vendor });
  return { found: data ?? none, look: setTyped };
}
