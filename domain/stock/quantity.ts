/** Stock is counted in grams where a sweet is sold by weight, in pieces otherwise. */
export type StockUnit = { hasSize: boolean };

const plain = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 3 });

/** As the shop says it: 12.5 kg, 1 piece, 24 pieces. */
export function formatStock(units: number, { hasSize }: StockUnit): string {
  if (hasSize) return `${plain.format(units / 1000)} kg`;
  return `${plain.format(units)} ${Math.abs(units) === 1 ? 'piece' : 'pieces'}`;
}

/** With its sign, as movements and differences show it: +2 kg, −3 pieces. */
export function formatChange(units: number, unit: StockUnit): string {
  return `${units < 0 ? '−' : '+'}${formatStock(Math.abs(units), unit)}`;
}

export const stockUnitName = ({ hasSize }: StockUnit): string => (hasSize ? 'kg' : 'pieces');

/** Parses kilograms or pieces into grams or pieces; null when invalid. */
export function stockFrom(text: string, { hasSize }: StockUnit): number | null {
  const match = /^(\d{1,6})(?:\.(\d{0,3}))?$/.exec(text.trim().replaceAll(',', ''));
  if (!match) return null;
  const [, whole, fraction = ''] = match;
  if (hasSize) return Number(whole) * 1000 + Number(fraction.padEnd(3, '0'));
  return Number(fraction) === 0 ? Number(whole) : null;
}

/** For the field it is typed into: no unit, no grouping. */
export function stockText(units: number, { hasSize }: StockUnit): string {
  return hasSize ? String(units / 1000) : String(units);
}

/** Cost is known per 500 g or per piece. */
export function stockValuePaise(units: number, unitCostPaise: number | null, { hasSize }: StockUnit): number | null {
  if (unitCostPaise === null) return null;
  return Math.round((units * unitCostPaise) / (hasSize ? 500 : 1));
}
