// Functions of schemas/06_delivery.
import { Spoiled } from './checkout.ts';
import { day, defineFunction, moment } from './contract.ts';
import { z } from './z.ts';

/** What can be delivered to a pincode, when and for how much. */
export const DeliveryCheck = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(false), reason: z.enum(['not-a-pincode', 'too-heavy', 'outside-zones', 'closed']) }),
  z.object({
    ok: z.literal(true),
    zone: z.string(),
    today: day,
    leaves_on: day,
    arrives_on: day,
    /** Until then an order leaves on that day. */
    order_before: moment,
    charge_paise: z.number(),
    cart_charge_paise: z.number(),
    /** The cart's flat charge holds below this weight; null: for any weight. */
    cart_flat_below_grams: z.number().nullable(),
    closed: z.object({ from: day, until: day, reason: z.string() }).nullable(),
    collect_from: day.nullable(),
    spoiled: z.array(Spoiled),
    instead: z.array(z.object({ product_id: z.number(), product: z.string() })),
  }),
]);

export const checkDelivery = defineFunction(
  'check_delivery',
  { pincode: z.string(), product_ids: z.array(z.number()).optional(), grams: z.number().optional() },
  DeliveryCheck,
);
