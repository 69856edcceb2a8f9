// Generated orders with claims of partial quantities, refunds of shipping, replacements and refunds besides: the books agree.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { fuzzSeed } from '../../tests/support/properties.ts';
import { insertOrder, type LineWish } from '../../tests/support/random-orders.ts';
import { as, insertProduct, insertUser } from '../../tests/support/rows.ts';
import { type OrderConsole, openConsole } from './order-console.ts';

let database: TestDatabase;
let sql: Sql;
let asha: OrderConsole;
let customer: string;
let products: { sized: number; pieces: number };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  asha = await openConsole(sql);
  customer = await insertUser(sql, { name: 'Meera Till' });
  products = {
    sized: await insertProduct(sql, { hasSize: true, stock: 90_000_000 }),
    pieces: await insertProduct(sql, { stock: 9_000_000 }),
  };
  await sql`update public.shop_settings set state = 'Maharashtra', gstin = '27AAAAA0000A1Z5'`;
});
afterAll(() => database.drop());

const rates = [
  [5, '2106'],
  [5, '1806'],
  [18, '2106'],
  [0, '0406'],
] as const;
const Line = fc.record({
  hasSize: fc.boolean(),
  quantity: fc.constantFrom(1, 2, 3, 7, 25),
  size: fc.constantFrom(500 as const, 1000 as const),
  price: fc.constantFrom(1, 9.99, 33.33, 349.5, 0.07),
  rate: fc.constantFrom(...rates),
});
const Order = fc.record({
  lines: fc.array(Line, { minLength: 1, maxLength: 4 }),
  shipping: fc.constantFrom(0, 0.01, 40, 99.99),
  state: fc.constantFrom('Maharashtra', 'Kerala'),
  isPaidOnline: fc.boolean(),
});
/** What is done with an order: parts of its lines as shares of what is left, in claims of their own, or a refund besides. */
const Step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      shipping: fc.double({ min: 0, max: 1, noNaN: true }),
      later: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('replace' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('besides' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
);
type Step = typeof Step extends fc.Arbitrary<infer One> ? One : never;

async function newOrder(wish: typeof Order extends fc.Arbitrary<infer One> ? One : never) {
  const lines = wish.lines.map(
    ({ hasSize, quantity, size, price, rate: [gst, hsn] }, place): LineWish => ({
      productId: hasSize ? products.sized : products.pieces,
      name: `Sweet ${place + 1}`,
      quantity,
      size: hasSize ? size : 500,
      hasSize,
      price,
      gst,
      hsn,
    }),
  );
  const goods = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  // An order of less than a rupee is none.
  if (goods < 1)
    lines.push({
      productId: products.pieces,
      name: 'More',
      quantity: 1,
      size: 500,
      hasSize: false,
      price: 1,
      gst: 5,
      hsn: '2106',
    });
  const order = await insertOrder(sql, {
    lines,
    shipping: wish.shipping,
    state: wish.state,
    paid: wish.isPaidOnline,
    userId: customer,
  });
  for (const status of ['Packed', 'Shipped', 'Delivered'])
    await sql`update public.orders set status = ${status} where id = ${order.id}`;
  if (!wish.isPaidOnline) await asha.act('admin_mark_order_paid', order.id, { method: 'upi' });
  return order;
}

async function claim(
  orderId: string,
  share: number,
): Promise<{ id: string; items: { order_item_id: number; quantity: number }[] } | null> {
  const left = await sql<{ id: number; left: number }[]>`
    select i.id::int as id, (i.quantity - private.claimed_quantity(i.id))::int as left from public.order_items i
    where i.order_id = ${orderId} order by i.id`;
  const items = left
    .map(({ id, left: open }) => ({ order_item_id: id, quantity: Math.ceil(open * share) }))
    .filter(({ quantity }) => quantity > 0);
  if (items.length === 0) return null;
  const [row] = await as(
    sql,
    'service',
    (tx) => tx`
    select public.open_claim(${customer}, ${orderId}, ${sql.json(items.map((item) => ({ ...item, problem: 'damaged' })))}, 'x', ${randomUUID()}) as made`,
  );
  if (!row?.made.ok) throw new Error(row?.made.reason);
  return { id: row.made.id, items };
}

const seenOf = async (id: string) =>
  (await sql`select to_jsonb(updated_at) #>> '{}' as seen from private.claims where id = ${id}`)[0]?.seen;

async function done(orderId: string): Promise<void> {
  for (const {
    id,
  } of await sql`select id from private.refunds where order_id = ${orderId} and status in ('queued', 'pending') order by created_at, id`)
    await sql`select public.record_refund(${id}, ${`rfnd_${id}`}, 'processed')`;
}

async function take(orderId: string, step: Step): Promise<void> {
  const [order] = await sql`select status from public.orders where id = ${orderId}`;
  if (order?.status !== 'Delivered') return; // given back in full
  if (step.do === 'besides') {
    const { money } = await asha.read(orderId);
    const amount_paise = Math.floor(money.refundable_paise * step.share);
    if (amount_paise > 0) await asha.act('admin_refund_order', orderId, { amount_paise, reason: 'Besides' });
    return done(orderId);
  }
  const made = await claim(orderId, step.share);
  if (!made) return;
  const seen = await seenOf(made.id);
  if (step.do === 'replace') {
    await asha
      .ask('admin_replace_claim', { claim_id: made.id, items: sql.json(made.items), words: 'x', seen })
      // Nothing is replaced that a refund besides gave back.
      .catch((error: { code: string }) => {
        if (error.code !== 'PT422') throw error;
      });
    return;
  }
  const [left] = await sql`select private.refundable_shipping(${orderId})::int as paise`;
  const shipping_paise = Math.floor(left?.paise * step.shipping);
  await asha
    .ask('admin_refund_claim', { claim_id: made.id, items: sql.json(made.items), shipping_paise, words: 'x', seen })
    // A refund besides may have taken what the line had: that is said, and nothing moves.
    .catch((error: { code: string }) => {
      if (error.code !== 'PT422') throw error;
    });
  if (!step.later) await done(orderId);
}

test('credit notes come to what was refunded, and refunds never to more than was paid', {
  timeout: process.env.SOAK ? 7_200_000 : 180_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(Order, fc.array(Step, { minLength: 1, maxLength: 6 }), async (wish, steps) => {
      await sql`delete from private.rate_limits where true`;
      const order = await newOrder(wish);
      for (const step of steps) await take(order.id, step);
      await done(order.id);
      const [books] = await sql`
        select coalesce((select sum(r.amount_paise) from private.refunds r where r.order_id = ${order.id} and r.status = 'processed'), 0)::int as refunded,
               coalesce((select sum(n.total_paise) from private.credit_notes n join private.invoices i on i.id = n.invoice_id
                         where i.order_id = ${order.id}), 0)::int as credited`;
      expect(books?.credited).toBe(books?.refunded);
      expect(books?.refunded).toBeLessThanOrEqual(order.totalPaise);
      // A refund for a line or for shipping is credited there alone, unless its line was taken by a refund besides.
      if (!steps.some((step) => step.do === 'besides')) {
        const strays = await sql`
          select from private.credit_notes n join private.claim_refunds c on c.refund_id = n.refund_id
          cross join jsonb_to_recordset(n.lines) as l (place bigint, description text)
          where c.claim_id in (select k.id from private.claims k where k.order_id = ${order.id})
            and case when c.order_item_id is null then l.description <> 'Delivery'
                     else l.place <> private.invoice_line_position(c.order_item_id) end`;
        expect(strays).toHaveLength(0);
      }
      expect(await sql`select * from private.check_orders(${order.id}, ${order.id})`).toEqual([]);
    }),
    { seed: fuzzSeed, numRuns: process.env.SOAK ? 10_000 : 60 },
  );
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
});
