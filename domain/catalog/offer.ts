import type { Product } from './product.ts';

/** The owner's rule: available and no offer given shows '10% off'; an offer of 0 shows nothing. */
export function offerTag({ available, offerPercent }: Pick<Product, 'available' | 'offerPercent'>): string | null {
  if (offerPercent === null) return available ? '10% off' : null;
  return offerPercent > 0 ? `${offerPercent}% off` : null;
}
