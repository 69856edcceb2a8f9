import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';

export type ManyRows = { orders: number; customers: number; products: number; days?: number };

/**
 * A shop that is years old, in seconds: as many products, customers and orders with their lines, events, payments and
 * movements as requested, spread evenly over two years (or other days) up to now and the same at every filling. Written past the triggers, as
 * they would have written it: `check_invariants()` stays empty. What other triggers keep besides (sums by day, say) is for
 * the caller to recalculate. Needs the database's owner.
 */
export async function fillOrders(sql: Sql, { orders, customers, products, days = 730 }: ManyRows): Promise<void> {
  const text = await readFile(join(import.meta.dirname, 'many-rows.sql'), 'utf8');
  await sql.begin(async (transaction) => {
    await transaction`select set_config('many.orders', ${String(orders)}, true),
      set_config('many.customers', ${String(customers)}, true), set_config('many.products', ${String(products)}, true),
      set_config('many.days', ${String(days)}, true)`;
    await transaction.unsafe(text).simple();
  });
  await sql`vacuum (analyze)`;
}
