import { type Paise, paise } from '../money.ts';

export const purchaseUnits = ['kg', 'g', 'l', 'piece'] as const;
export type PurchaseUnit = (typeof purchaseUnits)[number];

/** Which units a line may be bought in: what we resell comes as it is sold, by weight or by the piece. */
export function unitsFor(product: { hasSize: boolean } | null): readonly PurchaseUnit[] {
  if (!product) return purchaseUnits;
  return product.hasSize ? ['kg', 'g'] : ['piece'];
}

/** A quantity as people type it, in thousandths, exactly; null when it is none. At most 1,00,000 of a unit. */
export function thousandthsFrom(text: string): number | null {
  const match = /^(\d{1,6})(?:\.(\d{1,3}))?$/.exec(text.trim().replaceAll(',', ''));
  if (!match) return null;
  const thousandths = Number(match[1]) * 1000 + Number((match[2] ?? '').padEnd(3, '0'));
  return thousandths > 100_000_000 ? null : thousandths;
}

/** What comes to the shelf: grams or pieces. null where it would not be whole. */
export function stockUnits(thousandths: number, unit: PurchaseUnit): number | null {
  if (unit === 'kg') return thousandths;
  return thousandths % 1000 === 0 ? thousandths / 1000 : null;
}

/** What a product costs us by what was paid for it: per 500 g where it is sold by weight, per piece otherwise. */
export function productCostPaise(unitCostPaise: Paise, unit: PurchaseUnit): Paise {
  if (unit === 'kg') return paise(Math.round(unitCostPaise / 2));
  return paise(unit === 'g' ? unitCostPaise * 500 : unitCostPaise);
}

const unitWords: Record<PurchaseUnit, [one: string, many: string]> = {
  kg: ['kg', 'kg'],
  g: ['g', 'g'],
  l: ['litre', 'litres'],
  piece: ['piece', 'pieces'],
};

const plain = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 3 });

/** 12.5 kg, 1 piece, 1,500 pieces. */
export function formatPurchased(quantity: number, unit: PurchaseUnit): string {
  return `${plain.format(quantity)} ${unitWords[unit][quantity === 1 ? 0 : 1]}`;
}

export const perUnit = (unit: PurchaseUnit): string => `per ${unitWords[unit][0]}`;
