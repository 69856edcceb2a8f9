// Functions of schemas/10_stock that customers cause. Those of the console are in console/stock.ts.
import { defineFunction } from './contract.ts';
import { z } from './z.ts';

/** Whether the customer waits for the product; null: there is no such product. `wanted` null: only tells. */
export const setNotification = defineFunction(
  'set_notification',
  { customer_id: z.string(), product_id: z.number(), wanted: z.boolean().nullable() },
  z.boolean().nullable(),
);
