// The effects of an order are derived after it was placed, by any worker: exactly once, also when a worker dies.
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
let productId: number;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  productId = await insertProduct(sql, { stock: 10_000 });
});
afterAll(() => database.drop());
beforeEach(async () => void (await derive()));

const derive = async (most = 500) =>
  (await sql`select private.derive_from_changes(most => ${most}) as taken`)[0]?.taken;
const queued = async () => (await sql`select from private.order_changes`).length;
const figuresOf = async (userId: string) =>
  (await sql`select orders, value_paise::int as paise from private.customer_figures where user_id = ${userId}`)[0];
const emailsOf = async (orderId: string) =>
  (
    await sql`select payload ->> 'template' as template from private.outbox
      where payload ->> 'order_id' = ${orderId} order by id`
  ).map(({ template }) => template);

/** Without triggers: an event never changes. */
const dateBack = (orderId: string) =>
  sql.begin(async (tx) => {
    await tx`select set_config('session_replication_role', 'replica', true)`;
    await tx`update public.order_events set created_at = created_at - interval '3 days' where order_id = ${orderId}`;
  });

async function customerWithOrder() {
  const userId = await insertUser(sql);
  return { userId, ...(await insertPaidOrder(sql, { userId, productId })) };
}

test('an order is placed without its email and figures, and the worker derives both', async () => {
  const { userId, id, totalPaise } = await customerWithOrder();
  expect(await queued()).toBe(1);
  expect(await emailsOf(id)).toEqual([]);
  expect(await figuresOf(userId)).toEqual({ orders: 0, paise: 0 });
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
  expect(await derive()).toBe(1);
  expect(await emailsOf(id)).toEqual(['order-placed']);
  expect(await figuresOf(userId)).toEqual({ orders: 1, paise: totalPaise });
  expect(await derive()).toBe(0);
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
});

test('one round of the worker derives the email and hands it out', async () => {
  const { id } = await customerWithOrder();
  const [claimed] = await sql`select public.claim_jobs('http://shop.test') as jobs`;
  expect(claimed?.jobs.derived).toBe(1);
  const mails = claimed?.jobs.outbox.filter(
    ({ mail }: { mail: { facts: { order: { id: string } } } }) => mail.facts.order.id === id,
  );
  expect(mails).toHaveLength(1);
});

test('a worker that dies between deriving and committing has derived nothing, and the next one does it once', async () => {
  const { userId, id, totalPaise } = await customerWithOrder();
  const dying = postgres({ ...database.connection, max: 1, onnotice: () => {} });
  const [backend] = await dying`select pg_backend_pid() as pid`;
  await dying`begin`;
  expect((await dying`select private.derive_from_changes() as taken`)[0]?.taken).toBe(1);
  await sql`select pg_terminate_backend(${backend?.pid})`;
  await dying.end({ timeout: 0 });
  while (
    (await sql`select from pg_stat_activity where pid = ${backend?.pid}`).length > 0 // it lets go of its locks at last
  );
  expect(await emailsOf(id)).toEqual([]);
  expect(await derive()).toBe(1);
  expect(await derive()).toBe(0);
  expect(await emailsOf(id)).toEqual(['order-placed']);
  expect(await figuresOf(userId)).toEqual({ orders: 1, paise: totalPaise });
});

test('two simultaneous workers share the changes: none is processed twice, and neither waits for the other', async () => {
  const first = await customerWithOrder();
  const second = await customerWithOrder();
  await sql.begin(async (one) => {
    expect((await one`select private.derive_from_changes(most => 1) as taken`)[0]?.taken).toBe(1);
    expect(await derive()).toBe(1);
  });
  expect(await queued()).toBe(0);
  for (const { userId, id, totalPaise } of [first, second]) {
    expect(await emailsOf(id)).toEqual(['order-placed']);
    expect(await figuresOf(userId)).toEqual({ orders: 1, paise: totalPaise });
  }
});

test('of two workers at one customer the later one does not write what the earlier one saw', async () => {
  const userId = await insertUser(sql);
  const early = await insertPaidOrder(sql, { userId, productId });
  let later: Promise<unknown> = Promise.resolve();
  let late = early;
  await sql.begin(async (one) => {
    await one`select private.derive_from_changes()`;
    late = await insertPaidOrder(sql, { userId, productId });
    later = derive();
    while (
      (await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
        .length === 0
    );
  });
  expect(await later).toBe(1);
  expect(await figuresOf(userId)).toEqual({ orders: 2, paise: early.totalPaise + late.totalPaise });
});

test('many workers and many orders: every order has one email, every customer their figures', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => insertUser(sql)));
  const orders = Promise.all(
    Array.from({ length: 60 }, (_, n) => insertPaidOrder(sql, { userId: people[n % 5] as string, productId })),
  );
  const workers = Promise.all(Array.from({ length: 40 }, () => derive(7)));
  const placed = await orders;
  await workers;
  while ((await derive(7)) > 0);
  for (const { id } of placed) expect(await emailsOf(id)).toEqual(['order-placed']);
  for (const userId of people) expect((await figuresOf(userId))?.orders).toBe(12);
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
});

test('a move that is undone before its email was derived has none', async () => {
  const { id } = await customerWithOrder();
  await derive();
  const administrator = { userId: await insertUser(sql, { administrator: true }) };
  await as(sql, administrator, async (tx) => {
    await tx`update public.orders set status = 'Confirmed' where id = ${id}`;
    const [row] = await tx`select updated_at::text as seen from public.orders where id = ${id}`;
    const [undone] = await tx`select public.admin_undo_moves(${tx.json([{ id, seen: row?.seen }])}) as answer`;
    expect(undone?.answer).toMatchObject({ undone: [id] });
  });
  expect(await derive()).toBe(2);
  expect(await emailsOf(id)).toEqual(['order-placed']);
});

test('check_invariants() finds a figure that is wrong, and one that is missing', async () => {
  const wrong = await customerWithOrder();
  const missing = await customerWithOrder();
  await derive();
  await sql`update private.customer_figures set value_paise = value_paise + 1 where user_id = ${wrong.userId}`;
  await sql`delete from private.customer_figures where user_id = ${missing.userId}`;
  const found = await sql`select invariant, subject from public.check_invariants() order by subject`;
  expect(found).toEqual([wrong.userId, missing.userId].sort().map((subject) => ({ invariant: 14, subject })));
  await sql`select private.count_customers(${[wrong.userId, missing.userId]})`;
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
});

test('a change that fails holds up neither the others nor the jobs: it stays queued, and the metrics show it', async () => {
  const poisoned = await customerWithOrder();
  const other = await customerWithOrder();
  await sql.unsafe(`
    create function private.fail_for_one() returns trigger language plpgsql as $$
    begin raise 'broken'; end $$;
    create trigger fail_for_one before update on private.customer_figures
      for each row when (new.user_id = '${poisoned.userId}') execute function private.fail_for_one()`);
  try {
    const [claimed] = await sql`select public.claim_jobs('http://shop.test') as jobs`;
    expect(claimed?.jobs.derived).toBe(1);
    expect(await emailsOf(other.id)).toEqual(['order-placed']);
    expect((await figuresOf(other.userId))?.orders).toBe(1);
    expect(await emailsOf(poisoned.id)).toEqual([]);
    const [metrics] = await sql`select public.queue_metrics(now() + interval '1 hour') as queues`;
    expect(metrics?.queues.depth['order-change']).toBe(1);
    expect(metrics?.queues.overdue['order-change']).toBeGreaterThan(3_500);
  } finally {
    await sql.unsafe('drop trigger fail_for_one on private.customer_figures; drop function private.fail_for_one()');
  }
  expect(await derive()).toBe(1);
  expect(await emailsOf(poisoned.id)).toEqual(['order-placed']);
});

test('a worker that comes days later still sends the email; an event that was old when it was recorded causes none', async () => {
  const late = await customerWithOrder();
  await sql`update private.order_changes set queued_at = queued_at - interval '3 days'`;
  await dateBack(late.id);
  await derive();
  expect(await emailsOf(late.id)).toEqual(['order-placed']);

  const moved = await customerWithOrder();
  await dateBack(moved.id);
  await derive();
  expect(await emailsOf(moved.id)).toEqual([]);
});
