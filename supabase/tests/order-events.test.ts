import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
});
afterAll(() => database.drop());

const customersOf = async (orderId: string) =>
  (await sql`select user_id from public.order_events where order_id = ${orderId} order by id`).map(
    (row) => row.user_id,
  );

test('events carry the customer of their order, whatever is inserted, and follow the order', async () => {
  const [userId, other] = [await insertUser(sql), await insertUser(sql)];
  const { id } = await insertPaidOrder(sql, { userId, productId: await insertProduct(sql, { stock: 10 }) });
  await as(sql, { userId }, (tx) => tx`update public.orders set status = 'canceled' where id = ${id}`);
  expect(await customersOf(id)).toEqual([userId, userId]);
  await sql`insert into public.order_events (order_id, from_status, to_status, actor_role, user_id)
    values (${id}, 'canceled', 'canceled', 'system', ${other})`;
  expect(await customersOf(id)).toEqual([userId, userId, userId]);
  await sql`update public.orders set user_id = null where id = ${id}`;
  expect(await customersOf(id)).toEqual([null, null, null]);
});

test('no role moves an event to another order, or changes it', async () => {
  const userId = await insertUser(sql);
  const { id } = await insertPaidOrder(sql, { userId, productId: await insertProduct(sql, { stock: 10 }) });
  const change = (values: Record<string, unknown>) =>
    sql`update public.order_events set ${sql(values)} where order_id = ${id}`;
  for (const values of [
    { user_id: await insertUser(sql) },
    { user_id: null },
    { user_id: userId },
    { public_note: 'Changed' },
    { public_note: '' },
    { to_status: 'Shipped' },
  ])
    await expect(change(values), JSON.stringify(values)).rejects.toMatchObject({ code: 'PT403' });
  expect(await customersOf(id)).toEqual([userId]);
});
