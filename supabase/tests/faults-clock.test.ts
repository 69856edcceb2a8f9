// The clock of the machine is set, or jumps: everything that depends on it gets the time from the shop's own code, so
// the tests can pass another time. Durations are measured with a monotonic clock.
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { holdMinutes } from '../../domain/checkout/hold-times.ts';
import { startWorker } from '../../server/jobs/worker.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertProduct, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import type { DatabasePort } from '../functions/_shared/context.ts';
import { boundDueTimes } from '../functions/_shared/run-jobs.ts';

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

test('a clock that jumps a day ahead during a payment: a new quote is needed, but a paid checkout becomes an order', async () => {
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

test('a clock that jumps a day ahead and back again: the email is sent immediately, and no customer gets an email or an order twice', async () => {
  const customer = await till.customer();
  const { orderId } = await till.checkout(customer, one(await newSweet(5)));
  const paid = await till.pay(orderId);
  till.later(day);
  expect((await till.place(customer, paid)).status).toBe(201);
  till.later(-day);
  await till.work();
  const atOnce = mailsTo(customer);
  for (const minutes of [5, day, -day]) {
    till.later(minutes);
    await till.work();
  }
  expect(await database.sql`select status from public.orders where user_id = ${customer}`).toHaveLength(1);
  expect({ atOnce, inTheEnd: mailsTo(customer) }).toEqual({ atOnce: 1, inTheEnd: 1 });
});

test.each([3, 0.8])(
  'a payment made while the clock was %s hours ahead is an order two minutes after it is set right',
  async (hours) => {
    const customer = await till.customer();
    const sweet = await newSweet(5);
    till.later(hours * 60);
    const { orderId } = await till.checkout(customer, one(sweet));
    await till.pay(orderId);
    // A worker has looked once, too early, while the clock was wrong.
    await till.work();
    till.later(-hours * 60);
    for (let half = 0; half < 4; half += 1) {
      await till.work();
      till.later(0.5);
    }
    expect(await database.sql`select status from public.orders where user_id = ${customer}`).toHaveLength(1);
  },
);

test('a refund that failed while the clock was ahead is tried again as soon as otherwise', async () => {
  const customer = await till.customer();
  const { orderId } = await till.checkout(customer, one(await newSweet(5)));
  await till.place(customer, await till.pay(orderId));
  await as(
    database.sql,
    { userId: customer },
    (sql) => sql`update public.orders set status = 'canceled' where user_id = ${customer}`,
  );
  till.later(180);
  till.simulator.faults.next.push({ match: /refund/, fault: '500' }, { match: /refund/, fault: '500' });
  await till.work();
  till.later(-180);
  for (let minute = 0; minute < 3; minute += 1) {
    await till.work();
    till.later(1);
  }
  expect(await database.sql`select payment_status from public.orders where user_id = ${customer}`).toEqual([
    { payment_status: 'refunded' },
  ]);
});

test('stock that was held while the clock was ahead is free as soon as otherwise', async () => {
  const sweet = await newSweet(5);
  till.later(180);
  await till.checkout(await till.customer(), one(sweet));
  till.later(-180);
  await till.work();
  till.later(holdMinutes);
  await till.work();
  expect(await database.sql`select reserved from public.stock_levels where product_id = ${sweet}`).toEqual([
    { reserved: 0 },
  ]);
});

test('holds that were left unpaid while the clock was ahead do not count against an account', async () => {
  const customer = await till.customer();
  till.later(2 * day);
  for (let n = 0; n < 2; n += 1) await till.checkout(customer, one(await newSweet(5)));
  till.later(-2 * day);
  const sweet = await newSweet(5);
  await till.checkout(customer, one(sweet));
  expect(await database.sql`select reserved from public.stock_levels where product_id = ${sweet}`).toEqual([
    { reserved: 1 },
  ]);
});

test('due times are set right around rows that a purchase has locked, which follow with the next call', async () => {
  till.later(30 * day);
  const [locked, free] = [
    await till.checkout(await till.customer(), one(await newSweet(5))),
    await till.checkout(await till.customer(), one(await newSweet(5))),
  ].map(({ orderId }) => orderId);
  till.later(-30 * day);
  const holdsAhead = async () => {
    const rows = await database.sql<{ id: string }[]>`select provider_order_id as id from private.checkouts
      where state = 'open' and reserved_until > ${new Date(till.clock.at + 25 * 3_600_000)}`;
    return rows.map(({ id }) => id).filter((id) => id === locked || id === free);
  };
  await database.sql.begin(async (purchase) => {
    await purchase`select from private.checkouts where provider_order_id = ${locked as string} for update`;
    await boundDueTimes(till.context);
    expect(await holdsAhead()).toEqual([locked]);
  });
  await boundDueTimes(till.context);
  expect(await holdsAhead()).toEqual([]);
});

test('no time at which something is due is left in the future: every column that holds one is known', async () => {
  const customer = await till.customer();
  const sweet = await newSweet(50);
  till.later(30 * day);
  for (let n = 0; n < 2; n += 1) {
    const { orderId } = await till.checkout(customer, one(sweet));
    await till.place(customer, await till.pay(orderId, { outcome: 'pay', refundFails: n === 1 }));
  }
  await till.checkout(customer, one(sweet));
  await till.quote(customer, one(sweet));
  await as(
    database.sql,
    { userId: customer },
    (sql) => sql`update public.orders set status = 'canceled' where user_id = ${customer}`,
  );
  till.breakMail(true);
  await till.work();
  till.breakMail(false);
  till.later(-30 * day);
  await boundDueTimes(till.context);
  const columns = await database.sql<{ name: string; table: string; column: string }[]>`
    select format('%s.%s.%s', n.nspname, c.relname, a.attname) as name, c.oid::regclass::text as table, a.attname as column
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('private', 'public') and c.relkind = 'r' and a.atttypid = 'timestamptz'::regtype and not a.attisdropped
    order by 1`;
  const ahead: string[] = [];
  const tomorrow = new Date(till.clock.at + 25 * 3_600_000);
  for (const { name, table, column } of columns) {
    const rows =
      await database.sql`select from ${database.sql.unsafe(table)} where ${database.sql(column)} > ${tomorrow} limit 1`;
    if (rows.length > 0) ahead.push(name);
  }
  // All of these say when something happened, as the clock said then, or belong to what is done. A column that is missing
  // here and says when something is due belongs into correct_due_times().
  expect(ahead).toEqual([
    'private.checkouts.created_at',
    'private.checkouts.reserved_until',
    'private.outbox.created_at',
    'private.outbox.done_at',
    'private.outbox.run_after',
    'private.payments.captured_at',
    'private.payments.created_at',
    'private.quotes.created_at',
    'private.refunds.accepted_at',
    'private.refunds.finished_at',
    'private.refunds.processed_at',
    'public.order_events.created_at',
    'public.orders.created_at',
    'public.stock_movements.created_at',
  ]);
  const undone = await database.sql`
    select 'hold' as kind from private.checkouts where (state = 'open' or held <> '{}') and reserved_until > ${tomorrow}
    union all select 'job' from private.outbox where done_at is null and run_after > ${tomorrow}`;
  expect(undone).toEqual([]);
  // Nothing of this is left to the other tests.
  await database.sql`update private.outbox set done_at = now() where done_at is null`;
});

test('a clock that jumps an hour back: a quoted price is still valid, and customers can still buy', async () => {
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

test('a clock that jumps: rate limits count by its minute, so no customer is locked out for longer than one', async () => {
  const customer = await till.customer();
  const turn = async (at: Date) =>
    (
      await database.sql`select private.consume_rate_limit('test', ${customer}, 1, interval '1 minute', ${at}) as allowed`
    )[0]?.allowed;
  const now = Date.now();
  expect(await turn(new Date(now))).toBe(true);
  expect(await turn(new Date(now))).toBe(false);
  for (const jump of [86_400_000, -86_400_000, 3_600_000]) expect(await turn(new Date(now + jump))).toBe(true);
});

test('a clock that jumps a day back does not keep the shop from sweeping up, nor from setting due times right', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval', 'performance'] });
  const asked: string[] = [];
  const rpc = async (name: string) => {
    asked.push(name);
    return name === 'claim_jobs' ? { lapsed: 0, derived: 0, checkouts: [], refunds: [], outbox: [] } : false;
  };
  const worker = startWorker({ ...till.context, db: { rpc: rpc as unknown as DatabasePort['rpc'] } });
  const sweeps = () => asked.filter((name) => name === 'sweep').length;
  const bounds = () => asked.filter((name) => name === 'correct_due_times').length;
  await vi.advanceTimersByTimeAsync(5_000);
  expect([sweeps(), bounds()]).toEqual([1, 1]);
  vi.setSystemTime(Date.now() - 86_400_000);
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  expect([sweeps(), bounds()]).toEqual([2, 12]);
  await worker.stop();
});
