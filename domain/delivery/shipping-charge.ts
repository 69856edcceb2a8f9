import { formatGrams } from '../catalog/weight.ts';
import { formatPaise, type Paise, paise } from '../money.ts';

export type ZoneRate = { first_kg_paise: number; extra_kg_paise: number };
/** What a cart pays: a flat charge, below a weight if there is one, or the zone's rate. */
export type CartShipping = { kind: 'flat' | 'zone'; flat_paise: number; zone_from_grams: number | null };

/**
 * What sending a parcel costs. By zone: the first kilogram, and every further one begun. The same rule as
 * private.shipping_paise() in SQL, which decides.
 */
export function shippingCharge(
  zone: ZoneRate,
  grams: number,
  source: 'cart' | 'direct' | 'manual',
  cart: CartShipping,
): Paise {
  const isFlat = cart.kind === 'flat' && (cart.zone_from_grams === null || grams < cart.zone_from_grams);
  if (source === 'cart' && isFlat) return paise(cart.flat_paise);
  const furtherKg = Math.ceil(Math.max(grams, 1) / 1000) - 1;
  return paise(zone.first_kg_paise + zone.extra_kg_paise * furtherKg);
}

type NamedZone = ZoneRate & { name: string; pincode_prefixes: readonly string[] };

/** The setting by example, for the owner: what carts to a zone pay, one line for each rate that applies. */
export function cartShippingExamples(zone: NamedZone | undefined, cart: CartShipping): string[] {
  if (!zone) return [];
  const pincode = (zone.pincode_prefixes[0] ?? '').padEnd(5, '0').padEnd(6, '1');
  const limit = cart.kind === 'flat' ? cart.zone_from_grams : null;
  const weights = limit === null ? [2000] : limit > 1 ? [Math.ceil(limit / 2), limit] : [limit];
  return weights.map((grams) => {
    const charge = formatPaise(shippingCharge(zone, grams, 'cart', cart));
    return `A ${formatGrams(grams)} cart to ${pincode} (${zone.name}) is charged ${charge}.`;
  });
}
