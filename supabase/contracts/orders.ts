// Functions of schemas/07_orders: what customers read of their own payments. Read in the browser, which has no Zod there:
// it takes the types from here.
import { day, defineFunction, fulfilment, moment } from './contract.ts';
import { z } from './z.ts';

export const refundStatus = z.enum(['queued', 'pending', 'processed', 'failed']);

/** null: no such payment, or somebody else's. */
export const myCheckout = defineFunction(
  'my_checkout',
  { provider_order_id: z.string() },
  z
    .object({
      state: z.enum(['ordered', 'refunded', 'confirming', 'lapsed']),
      total_paise: z.number(),
      order_id: z.string().nullable(),
      number: z.number().nullable(),
      delivery_by: day.nullable(),
      fulfilment,
      /** Name and address, line by line; null when it is picked up. */
      address: z.array(z.string()).nullable(),
      items: z
        .array(
          z.object({
            name: z.string(),
            image: z.string(),
            quantity: z.number(),
            size: z.number().nullable(),
            line_paise: z.number(),
          }),
        )
        .nullable(),
      refund: z.object({ reason: z.string(), amount_paise: z.number(), status: refundStatus }).nullable(),
    })
    .nullable(),
);

export const myRefunds = defineFunction(
  'my_refunds',
  {},
  z.array(
    z.object({
      id: z.string(),
      /** null: the payment never became an order. */
      order_id: z.string().nullable(),
      amount_paise: z.number(),
      status: refundStatus,
      reason: z.string(),
      created_at: moment,
      processed_at: moment.nullable(),
    }),
  ),
);
