export type StockLevel = { onHand: number; reserved: number; lowAt: number };
export type StockStatus = 'out' | 'low' | 'fine';

/** Units that can be sold now: on hand minus reserved by open checkouts. */
export const availableUnits = ({ onHand, reserved }: Pick<StockLevel, 'onHand' | 'reserved'>): number =>
  onHand - reserved;

/** The same as admin_list_stock(): reserved stock does not count as out of stock. */
export function stockStatus(level: StockLevel): StockStatus {
  if (level.onHand === 0) return 'out';
  return availableUnits(level) <= level.lowAt ? 'low' : 'fine';
}

/** As text; null: no sales in four weeks. */
export function formatCover(days: number | null): string {
  if (days === null) return 'no sales';
  if (days <= 0) return 'none left';
  if (days < 1) return 'less than a day';
  const whole = Math.floor(days);
  if (whole > 90) return '90+ days';
  return whole === 1 ? '1 day' : `${whole} days`;
}
