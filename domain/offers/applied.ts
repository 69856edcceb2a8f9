import { formatPaise } from '../money.ts';

/** An offer of an order as history, confirmation and console show it. */
export type OfferSum = { label: string; value: string };

/** The offers of an order, from its JSON: what each took off, or that the delivery was free. */
export function offerSums(offers: unknown): OfferSum[] {
  if (!Array.isArray(offers)) return [];
  return offers.map(({ code, name, discount_paise }: Record<string, unknown>) => ({
    label: typeof code === 'string' ? `${name} (${code})` : String(name),
    value: Number(discount_paise) > 0 ? `−${formatPaise(Number(discount_paise))}` : 'Free delivery',
  }));
}
