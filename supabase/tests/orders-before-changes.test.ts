// A shop that took orders before their emails and figures were derived from a queue (migration run_one_rule_for_each_call).
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrate } from '../../server/backends/schema/migrate.ts';
import { readMigrations } from '../../server/backends/schema/migration-history.ts';
import { newEmptyDatabase, supabaseDir, type TestDatabase } from '../../tests/support/database.ts';
import { deriveFromOrders, insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';

const step = '20261121004600';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await newEmptyDatabase(inject('postgresPath'));
  sql = database.sql;
  const { history, migrations } = await readMigrations(supabaseDir);
  const older = [...history, ...migrations].map(({ version }) => version).filter((version) => version < step);
  await migrate(sql, supabaseDir, new Set(older));
});
afterAll(() => database.drop());

const figuresOf = async (userId: string) =>
  (
    await sql`select orders, value_paise::int as paise, last_order_at > '-infinity' as has_ordered
      from private.customer_figures where user_id = ${userId}`
  )[0];
const emailsOf = async (orderId: string) =>
  (
    await sql`select payload ->> 'template' as template from private.outbox
      where payload ->> 'order_id' = ${orderId} order by id`
  ).map(({ template }) => template);

test('orders, cancellations and refunds from before keep their figures and emails, and are followed from then on', async () => {
  const productId = await insertProduct(sql, { stock: 1_000 });
  const userId = await insertUser(sql);
  const stays = await insertPaidOrder(sql, { userId, productId });
  const canceled = await insertPaidOrder(sql, { userId, productId });
  await sql`update public.orders set status = 'canceled', cancel_reason = 'Out of season' where id = ${canceled.id}`;
  const before = { figures: await figuresOf(userId), emails: [await emailsOf(stays.id), await emailsOf(canceled.id)] };
  expect(before.figures).toMatchObject({ orders: 1, has_ordered: true });
  expect(before.emails[0]).toEqual(['order-placed']);

  const { applied } = await migrate(sql, supabaseDir);
  expect(applied[0]).toContain(step);
  expect(await sql`select from private.order_changes`).toEqual([]);
  await deriveFromOrders(sql);
  expect({ figures: await figuresOf(userId), emails: [await emailsOf(stays.id), await emailsOf(canceled.id)] }).toEqual(
    before,
  );
  expect(await sql`select * from public.check_invariants()`).toEqual([]);

  // An order from before changes after, and a new one comes.
  await sql`update public.orders set status = 'canceled', cancel_reason = 'Out of season' where id = ${stays.id}`;
  const newer = await insertPaidOrder(sql, { userId, productId });
  expect(await figuresOf(userId)).toEqual(before.figures);
  await deriveFromOrders(sql);
  expect(await figuresOf(userId)).toMatchObject({ orders: 1, paise: expect.any(Number) });
  expect(await emailsOf(stays.id)).toEqual(['order-placed', 'order-canceled']);
  expect(await emailsOf(newer.id)).toEqual(['order-placed']);
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
});
