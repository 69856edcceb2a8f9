import type { Tone } from '#app/ui/badge.tsx';
import type { ProductRow } from '#contracts/console/products.ts';
import { isOfferBacked } from '#domain/products/backed-offer.ts';
import { stockStatus } from '#domain/stock/stock-status.ts';

/** Where a product stands, in the words of the console. */
export function standingOf(row: ProductRow): { label: string; tone: Tone } {
  if (row.archived_at) return { label: 'Archived', tone: 'calm' };
  if (!row.is_listed) return { label: 'Not listed', tone: 'calm' };
  return row.is_available ? { label: 'Available', tone: 'good' } : { label: 'Out of stock', tone: 'bad' };
}

export const isLow = (row: ProductRow): boolean =>
  stockStatus({ onHand: row.on_hand, reserved: row.reserved, lowAt: row.low_at }) === 'low';

export const isBacked = (row: ProductRow): boolean =>
  isOfferBacked({
    pricePaise: row.price_paise,
    regularPricePaise: row.regular_price_paise,
    offerPercent: row.offer_percent,
  });

export const unitOf = (row: Pick<ProductRow, 'has_size'>): string => (row.has_size ? '500 g' : 'piece');

export const productsWord = (count: number): string =>
  `${count.toLocaleString('en-IN')} ${count === 1 ? 'product' : 'products'}`;
