import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import type { Mail } from '../../adapters/mail/mail.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertProduct, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import { doDueWork } from '../functions/_shared/run-jobs.ts';

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

async function buy(customer: string): Promise<string> {
  const sweet = await insertProduct(database.sql, { price: 100, stock: 10 });
  const { orderId } = await till.checkout(customer, [{ productId: sweet, quantity: 1, size: 500 }]);
  const placed = await till.place(customer, await till.pay(orderId));
  expect(placed.status).toBe(201);
  return (placed.body as unknown as { order_id: string }).order_id;
}

test('while the mail server is down for an hour the customer sees the order immediately, and gets the email once when it is back', async () => {
  till.breakMail(true);
  const customers: string[] = [];
  for (let minute = 0; minute < 60; minute += 1) {
    if (minute % 12 === 0) {
      const customer = await till.customer();
      customers.push(customer);
      await buy(customer);
      const seen = await as(
        database.sql,
        { userId: customer },
        (sql) => sql`select status from public.order_details_view where user_id = ${customer}`,
      );
      expect(seen).toEqual([{ status: 'Pending' }]);
    }
    await till.work();
    till.later(1);
  }
  expect(till.mails).toEqual([]);
  const waiting = await database.sql<{ attempts: number; last_error: string }[]>`
    select attempts, last_error from private.outbox where kind = 'mail' and done_at is null`;
  expect(waiting).toHaveLength(customers.length);
  // Later each time: a server that is back is not met by everything at once, nor knocked at every second before.
  for (const { attempts, last_error } of waiting) {
    expect(attempts).toBeLessThan(9);
    expect(last_error).toContain('the mail server is down');
  }
  till.breakMail(false);
  for (let minute = 0; minute < 65; minute += 5) {
    await till.work();
    till.later(5);
  }
  expect(till.mails.map(({ to }) => to.address).sort()).toEqual(customers.map((id) => `${id}@example.com`).sort());
});

const queued = process.env.SOAK ? 10_000 : 500;
test(`with ${queued} emails in the queue the email about an order and due refunds do not wait behind them, and every customer gets one`, {
  timeout: 300_000,
}, async () => {
  const owed = await till.customer();
  const canceled = await buy(owed);
  await till.work();
  const [reader, sweet] = [await till.customer(), await insertProduct(database.sql, { stock: 5 })];
  const at = new Date(till.clock.at);
  await database.sql`
    insert into private.outbox (kind, key, payload, run_after, created_at)
    select 'mail', 'mail:back-in-stock:many:' || n,
           jsonb_build_object('template', 'back-in-stock', 'product_id', ${sweet}::bigint, 'user_id', ${reader}::uuid), ${at}, ${at}
    from generate_series(1, ${queued}::int) n`;
  await database.sql`analyze private.outbox`;
  till.later(1);
  const buyer = await till.customer();
  await buy(buyer);
  await as(
    database.sql,
    { userId: owed },
    (sql) => sql`update public.orders set status = 'canceled' where id = ${canceled}`,
  );
  till.later(1);

  const sent = new Map<string, number>();
  const order: string[] = [];
  const atOnce = { now: 0, most: 0 };
  let refundedAfter = -1;
  const context = {
    ...till.context,
    mailer: {
      async send({ key, to }: Mail) {
        atOnce.now += 1;
        atOnce.most = Math.max(atOnce.most, atOnce.now);
        await new Promise((resolve) => setImmediate(resolve));
        sent.set(key, (sent.get(key) ?? 0) + 1);
        order.push(to.address);
        atOnce.now -= 1;
      },
    },
    payments: new Proxy(till.provider, {
      get: (provider, name) => {
        if (name === 'refund') refundedAfter = order.length;
        return provider[name as keyof typeof provider];
      },
    }),
  };
  // One call works for 500 rounds at the most; the worker calls again.
  for (const done of [await doDueWork(context), await doDueWork(context)]) expect(done.postponed).toBe(0);
  expect([...sent.keys()].filter((key) => key.startsWith('mail:back-in-stock:many:'))).toHaveLength(queued);
  expect([...sent.values()].every((times) => times === 1)).toBe(true);
  // Twenty at a time are read, made and sent, however many there are: memory does not grow with the queue.
  expect(atOnce.most).toBeLessThanOrEqual(20);
  expect(order.indexOf(`${buyer}@example.com`)).toBeLessThan(20);
  expect(refundedAfter).toBeGreaterThanOrEqual(0);
  expect(refundedAfter).toBeLessThan(20);
  const [left] = await database.sql`select count(*)::int as jobs from private.outbox where done_at is null`;
  expect(left).toEqual({ jobs: 0 });
});
