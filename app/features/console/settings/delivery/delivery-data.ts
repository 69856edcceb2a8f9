import { z } from 'zod';
import { formatPaise, paise } from '#domain/money.ts';

const Zone = z.object({
  id: z.number(),
  name: z.string(),
  pincode_prefixes: z.array(z.string()),
  first_kg_paise: z.number().int(),
  extra_kg_paise: z.number().int(),
  min_days: z.number(),
  max_days: z.number(),
  is_published: z.boolean(),
  updated_at: z.string(),
});
export type Zone = z.infer<typeof Zone>;

const Closure = z.object({
  id: z.number(),
  starts_on: z.string(),
  ends_on: z.string(),
  reason: z.string(),
  updated_at: z.string(),
  /** Open orders that were promised for its days; null when it is over. */
  promised: z
    .object({ count: z.number(), orders: z.array(z.object({ id: z.string(), number: z.number() })) })
    .nullable(),
});
export type Closure = z.infer<typeof Closure>;

const CartShipping = z.object({
  kind: z.enum(['flat', 'zone']),
  flat_paise: z.number().int(),
  zone_from_grams: z.number().int().nullable(),
});

export const DeliverySettings = z.object({
  cutoff_time: z.string(),
  weekly_off: z.array(z.number()),
  updated_at: z.string(),
  today: z.string(),
  cart_shipping: CartShipping,
  zones: z.array(Zone),
  closures: z.array(Closure),
});
export type DeliverySettings = z.infer<typeof DeliverySettings>;

const Spoiled = z.object({
  product_id: z.number(),
  product: z.string(),
  shelf_life_days: z.number(),
  travel_days: z.number(),
});
export const TriedDelivery = z.union([
  z.object({
    ok: z.literal(true),
    zone: z.string(),
    leaves_on: z.string(),
    arrives_on: z.string(),
    charge_paise: z.number().int(),
    cart_charge_paise: z.number().int(),
    cart_flat_below_grams: z.number().int().nullable(),
    spoiled: z.array(Spoiled),
  }),
  z.object({ ok: z.literal(false), reason: z.string() }),
]);
export type TriedDelivery = z.infer<typeof TriedDelivery>;

export const rupees = (amount: number): string => formatPaise(paise(amount));

/** 1 day, 2 to 5 days, the same day. */
export function daysWords({ min_days, max_days }: Pick<Zone, 'min_days' | 'max_days'>): string {
  if (max_days === 0) return 'the same day';
  const most = max_days === 1 ? '1 working day' : `${max_days} working days`;
  return min_days === max_days ? most : `${min_days} to ${most}`;
}

/** The first few, and how many more. */
export function prefixesInShort(prefixes: readonly string[]): string {
  return prefixes.length > 8
    ? `${prefixes.slice(0, 7).join(', ')} and ${prefixes.length - 7} more`
    : prefixes.join(', ');
}
