export type StockLevel = { onHand: number; reserved: number; lowAt: number };
export type StockStatus = 'out' | 'low' | 'fine';

/** What can be sold now: neither sold nor held back for somebody who is paying. */
export const availableUnits = ({ onHand, reserved }: Pick<StockLevel, 'onHand' | 'reserved'>): number =>
  onHand - reserved;

/** As admin_list_stock() has it: what is held back for somebody who is paying is not sold out yet. */
export function stockStatus(level: StockLevel): StockStatus {
  if (level.onHand === 0) return 'out';
  return availableUnits(level) <= level.lowAt ? 'low' : 'fine';
}

/** In words; null: nothing was sold in four weeks. */
export function formatCover(days: number | null): string {
  if (days === null) return 'no sales';
  if (days <= 0) return 'none left';
  if (days < 1) return 'less than a day';
  const whole = Math.floor(days);
  if (whole > 90) return '90+ days';
  return whole === 1 ? '1 day' : `${whole} days`;
}
