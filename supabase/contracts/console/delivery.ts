// Functions of schemas/20_console/70_delivery.sql: zones, closures, working days, shipping charges.

import { at, day, defineFunction, moment } from '../contract.ts';
import { DeliveryCheck } from '../delivery.ts';
import { z } from '../z.ts';

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

const FestivalCutoff = z.object({
  id: z.number(),
  name: z.string(),
  starts_on: day,
  ends_on: day,
  order_by: day,
  /** null: all zones. */
  zone_id: z.number().nullable(),
  updated_at: z.string(),
});
export type FestivalCutoff = z.infer<typeof FestivalCutoff>;

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
  cutoffs: z.array(FestivalCutoff),
});
export type DeliverySettings = z.infer<typeof DeliverySettings>;

export const readDelivery = defineFunction('admin_read_delivery', {}, DeliverySettings);

export const tryDelivery = defineFunction(
  'admin_try_delivery',
  { pincode: z.string(), at, grams: z.number().nullish() },
  DeliveryCheck,
);

export const saveZone = defineFunction(
  'admin_save_zone',
  {
    /** null: a new one. */
    zone_id: z.number().nullable(),
    name: z.string(),
    pincode_prefixes: z.array(z.string()),
    first_kg_paise: z.number(),
    extra_kg_paise: z.number(),
    min_days: z.number(),
    max_days: z.number(),
    is_published: z.boolean(),
    seen: moment.nullish(),
  },
  z.object({ id: z.number(), updated_at: moment }),
);

export const deleteZone = defineFunction(
  'admin_delete_zone',
  { zone_id: z.number(), seen: moment },
  z.object({ id: z.number() }),
);

export const saveClosure = defineFunction(
  'admin_save_closure',
  { closure_id: z.number().nullable(), starts_on: day, ends_on: day, reason: z.string(), seen: moment.nullish() },
  z.object({ id: z.number(), updated_at: moment }),
);

export const deleteClosure = defineFunction(
  'admin_delete_closure',
  { closure_id: z.number(), seen: moment },
  z.object({ id: z.number() }),
);

export const saveCutoff = defineFunction(
  'admin_save_cutoff',
  {
    cutoff_id: z.number().nullable(),
    name: z.string(),
    starts_on: day,
    ends_on: day,
    order_by: day,
    zone_id: z.number().nullish(),
    seen: moment.nullish(),
  },
  z.object({ id: z.number(), updated_at: moment }),
);

export const deleteCutoff = defineFunction(
  'admin_delete_cutoff',
  { cutoff_id: z.number(), seen: moment },
  z.object({ id: z.number() }),
);

export const saveWorkingDays = defineFunction(
  'admin_save_working_days',
  { cutoff_time: z.string(), weekly_off: z.array(z.number()), seen: moment },
  z.object({ updated_at: moment }),
);

export const saveCartShipping = defineFunction(
  'admin_save_cart_shipping',
  { kind: z.string(), flat_paise: z.number(), zone_from_grams: z.number().nullable(), seen: moment },
  z.object({ updated_at: moment }),
);
