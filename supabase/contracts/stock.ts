// Functions of schemas/10_stock that customers cause. Those of the console are in console/stock.ts.
import { defineFunction } from './contract.ts';
import { z } from './z.ts';

/** Whether the customer is subscribed to the product; null: no such product. `wanted` null: read only. */
export const setNotification = defineFunction(
  'set_notification',
  { customer_id: z.string(), product_id: z.number(), wanted: z.boolean().nullable() },
  z.boolean().nullable(),
);
