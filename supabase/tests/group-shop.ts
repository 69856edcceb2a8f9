// A shop that sends groups of recipients, for one test file: a database, a till, and what the tests ask of both.
import type { Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { recipient } from '../../tests/support/groups.ts';
import { as, insertPaidOrder, insertProduct, insertZone } from '../../tests/support/rows.ts';
import { type Answer, openTill, type Till } from '../../tests/support/till.ts';

type Row = {
  id: string;
  status: string;
  payment_status: string;
  total: string;
  group_place: number;
  payment_id: string;
};

export const code = ({ status, body }: Answer) => [status, body.error?.code];
export const idOf = ({ body }: Answer) => (body as unknown as { id: string }).id;

/** Opened before the tests of a file and closed after them; the invariants hold after each. */
export function groupShop() {
  let database: TestDatabase;
  let till: Till;
  beforeAll(async () => {
    database = await newDatabase(inject('postgresPath'));
    till = openTill(database.connection, database.sql);
    await insertZone(database.sql, { prefixes: ['400'] });
  });
  afterEach(() => till.expectCleanBooks());
  afterAll(async () => {
    await till.close();
    await database.drop();
  });

  const box = (productId: number, quantity = 1) => [{ productId, quantity, size: 500 as const }];
  const product = (stock = 100, price = 100) => insertProduct(database.sql, { price, stock });
  return {
    get till(): Till {
      return till;
    },
    get sql(): Sql {
      return database.sql;
    },
    box,
    product,
    /** Sold by weight. */
    sweet: (kilograms: number) => insertProduct(database.sql, { price: 100, hasSize: true, stock: kilograms * 1000 }),
    some: (count: number, productId: number) =>
      Array.from({ length: count }, (_, index) => recipient(index + 1, box(productId))),

    /** An account that has bought before. */
    async regular(): Promise<string> {
      const customer = await till.customer();
      await insertPaidOrder(database.sql, { userId: customer, productId: await product() });
      return customer;
    },
    ordersOf: (groupId: string) => database.sql<Row[]>`
      select id, status, payment_status, (total_amount * 100)::bigint::text as total, group_place, payment_id
      from public.orders where group_id = ${groupId} order by group_place`,
    refundsOf: (customer: string) => database.sql<{ order_id: string | null; amount: number; reason: string }[]>`
      select r.order_id, r.amount_paise::int as amount, r.reason
      from private.refunds r join private.payments p using (payment_id) where p.user_id = ${customer} order by r.created_at, r.id`,
    async stockOf(productId: number) {
      const [row] =
        await database.sql`select on_hand, reserved from public.stock_levels where product_id = ${productId}`;
      return [row?.on_hand, row?.reserved];
    },
    cancel: (customer: string, orderId: string) =>
      as(
        database.sql,
        { userId: customer },
        (tx) => tx`update public.orders set status = 'canceled' where id = ${orderId}`,
      ),
  };
}
