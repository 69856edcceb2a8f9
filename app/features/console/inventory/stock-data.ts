import type { Reason, StockRow } from '#contracts/console/stock.ts';
import type { StockLevel } from '#domain/stock/stock-status.ts';

// What the requests about stock answer.

export const reasonWords: Record<Reason, string> = {
  purchase: 'Purchased',
  production: 'Made',
  sale: 'Sold',
  return: 'Returned',
  wastage: 'Wastage',
  count: 'Counted',
  replacement: 'Replacement for a claim',
};

export const levelOf = ({
  on_hand,
  reserved,
  low_at,
}: Pick<StockRow, 'on_hand' | 'reserved' | 'low_at'>): StockLevel => ({
  onHand: on_hand,
  reserved,
  lowAt: low_at,
});
export const unitOf = ({ has_size }: { has_size: boolean }) => ({ hasSize: has_size });

/** A number of ours in an address; null for anything else. */
export const idFrom = (text: string | undefined): number | null =>
  text && /^\d{1,12}$/.test(text) ? Number(text) : null;
