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

/** Why a day cannot be chosen: as in private.delivery_days(), and freshness. */
export const DayReason = z.enum(['day-closed', 'day-off', 'day-too-soon', 'day-cutoff-passed', 'would-spoil']);

/** The days that can be chosen for sweets sent to a pincode, and why the others cannot. */
export const DeliveryCalendar = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(false), reason: z.enum(['not-a-pincode', 'outside-zones']) }),
  z.object({
    ok: z.literal(true),
    zone: z.string(),
    today: day,
    /** So many working days before the chosen day it may arrive already. */
    may_be_early_days: z.number(),
    /** The sweet that keeps the shortest; null: all of them keep. */
    shortest: z.object({ product: z.string(), shelf_life_days: z.number() }).nullable(),
    days: z.array(
      z.object({
        day,
        /** Of possible days alone. */
        pack_on: day.optional(),
        reason: DayReason.optional(),
        /** Why the shop is closed. */
        closure: z.string().optional(),
        /** The festival that has a cut-off for this day. */
        festival: z.string().optional(),
        order_by: day.optional(),
      }),
    ),
  }),
]);

export const deliveryCalendar = defineFunction(
  'delivery_calendar',
  { pincode: z.string(), product_ids: z.array(z.number()).optional() },
  DeliveryCalendar,
);
