// Functions of schemas/20_console/14_phone_orders.sql: orders taken by phone.
import { Spoiled } from '../checkout.ts';
import { defineFunction, fulfilment } from '../contract.ts';
import { z } from '../z.ts';
import { Delivery } from './order.ts';

const Sweet = z.object({
  product_id: z.number(),
  name: z.string(),
  image: z.string(),
  category: z.string(),
  has_size: z.boolean(),
  price_paise: z.number().int(),
  left: z.number(),
});
export type Sweet = z.infer<typeof Sweet>;

export const Sweets = z.array(Sweet);

const Caller = z.object({
  user_id: z.string().nullable(),
  name: z.string(),
  building_no: z.string(),
  street: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  orders: z.number(),
  is_blocked: z.boolean(),
  notes: z.string(),
});
export type Caller = z.infer<typeof Caller>;

export const Callers = z.array(Caller);

const paise = z.number().int();

export const Priced = z.object({
  lines: z.array(
    z.object({ product_id: z.number(), size: z.number(), quantity: z.number(), line_paise: paise, left: z.number() }),
  ),
  sub_total_paise: paise,
  tax_paise: paise,
  grams: z.number(),
  zone_shipping_paise: paise.nullable(),
  /** What the same sweets would pay in an online cart. */
  cart_shipping_paise: paise.nullable(),
  shipping_paise: paise.nullable(),
  shipping_tax_paise: paise,
  total_paise: paise.nullable(),
  delivery_by: z.string().nullable(),
  /** Would spoil on the way; a warning only. */
  spoiled: z.array(Spoiled),
  problem: z.object({ message: z.string(), field: z.string() }).nullable(),
});
export type Priced = z.infer<typeof Priced>;

export const Taken = z.object({ id: z.string(), number: z.number() });

const AskedLines = z.array(z.object({ product_id: z.number(), size: z.number(), quantity: z.number() }));

export const findSweets = defineFunction('admin_find_sweets', { search: z.string() }, Sweets);

export const findCallers = defineFunction('admin_find_callers', { phone: z.string() }, Callers);

export const priceOrder = defineFunction(
  'admin_price_order',
  { lines: AskedLines, fulfilment, pincode: z.string().nullish(), shipping_paise: z.number().nullish() },
  Priced,
);

export const takeOrder = defineFunction(
  'admin_create_phone_order',
  {
    order_id: z.string(),
    lines: AskedLines,
    fulfilment,
    delivery: Delivery,
    total_paise: z.number(),
    shipping_paise: z.number().nullish(),
    offline_method: z.string().nullish(),
    customer_id: z.string().nullish(),
    note: z.string().nullish(),
  },
  Taken,
);
