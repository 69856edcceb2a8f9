// The clock of the machine is set, or jumps: everything that depends on it is told the time by the shop's own code, so
// the tests tell it another. What only measures how long something took goes by a clock that nobody sets.
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { startWorker } from '../../server/worker.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertProduct, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import type { DatabasePort } from '../functions/_shared/context.ts';

let database: TestDatabase;
let till: Till;
const day = 24 * 60;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  till = openTill(database.connection, database.sql);
  await insertZone(database.sql, { prefixes: ['400'] });
});
afterEach(async () => {
  vi.useRealTimers();
  till.clock.at = Date.now();
  await till.expectCleanBooks();
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

const newSweet = (stock: number) => insertProduct(database.sql, { price: 100, stock });
const one = (productId: number) => [{ productId, quantity: 1, size: 500 as const }];
const code = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code];
const mailsTo = (customer: string) => till.mails.filter(({ to }) => to.address === `${customer}@example.com`).length;

test('a clock that jumps a day ahead while somebody pays: the price is asked for anew, but what is paid becomes an order', async () => {
  const customer = await till.customer();
  const sweet = await newSweet(5);
  const quoted = await till.quote(customer, one(sweet));
  const { total, quote_id } = quoted.body as unknown as { total: number; quote_id: string };
  const payer = await till.customer();
  const paying = await till.checkout(payer, one(sweet));
  till.later(day);
  expect(code(await till.create(customer, total, quote_id))).toEqual([409, 'quote-expired']);
  await till.work();
  expect(await database.sql`select reserved from public.stock_levels where product_id = ${sweet}`).toEqual([
    { reserved: 0 },
  ]);
  expect((await till.place(payer, await till.pay(paying.orderId))).status).toBe(201);
});

test('a clock that jumps a day ahead and back again: nobody gets a mail or an order twice, and the mail of the wrong hour comes when that hour comes', async () => {
  const customer = await till.customer();
  const { orderId } = await till.checkout(customer, one(await newSweet(5)));
  const paid = await till.pay(orderId);
  till.later(day);
  expect((await till.place(customer, paid)).status).toBe(201);
  till.later(-day);
  for (let minute = 0; minute < 5; minute += 1) {
    await till.work();
    till.later(1);
  }
  const inTheFuture = mailsTo(customer);
  till.later(day);
  await till.work();
  till.later(-day);
  await till.work();
  expect(await database.sql`select status from public.orders where user_id = ${customer}`).toHaveLength(1);
  expect({ inTheFuture, inTheEnd: mailsTo(customer) }).toEqual({ inTheFuture: 0, inTheEnd: 1 });
});

test('a clock that jumps an hour back: a price that was given is still good, and buying goes on', async () => {
  const customer = await till.customer();
  const sweet = await newSweet(5);
  const { total, quote_id } = (await till.quote(customer, one(sweet))).body as unknown as {
    total: number;
    quote_id: string;
  };
  till.later(-60);
  const created = await till.create(customer, total, quote_id);
  expect(created.status).toBe(201);
  const placed = await till.place(customer, await till.pay((created.body as unknown as { id: string }).id));
  expect(placed.status).toBe(201);
});

test('a clock that jumps: limits count by the minute it says, so nobody is locked out for longer than one', async () => {
  const customer = await till.customer();
  const turn = async (at: Date) =>
    (await database.sql`select private.take_turn('test', ${customer}, 1, interval '1 minute', ${at}) as allowed`)[0]
      ?.allowed;
  const now = Date.now();
  expect(await turn(new Date(now))).toBe(true);
  expect(await turn(new Date(now))).toBe(false);
  for (const jump of [86_400_000, -86_400_000, 3_600_000]) expect(await turn(new Date(now + jump))).toBe(true);
});

test('a clock that jumps a day back does not keep the shop from sweeping up', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval', 'performance'] });
  const asked: string[] = [];
  const rpc = async (name: string) => {
    asked.push(name);
    return name === 'claim_jobs' ? { lapsed: 0, checkouts: [], refunds: [], outbox: [] } : false;
  };
  const worker = startWorker({ ...till.context, db: { rpc: rpc as unknown as DatabasePort['rpc'] } });
  const sweeps = () => asked.filter((name) => name === 'sweep').length;
  await vi.advanceTimersByTimeAsync(5_000);
  const first = sweeps();
  vi.setSystemTime(Date.now() - 86_400_000);
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  expect([first, sweeps()]).toEqual([1, 2]);
  await worker.stop();
});
