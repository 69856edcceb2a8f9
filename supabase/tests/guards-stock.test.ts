import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import {
  as,
  grantEverything,
  insertPaidOrder,
  insertProduct,
  insertUser,
  moveStock,
} from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
let customer: { userId: string };
let administrator: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  await grantEverything(sql);
  customer = { userId: await insertUser(sql) };
  administrator = { userId: await insertUser(sql, { administrator: true }) };
});
afterAll(() => database.drop());

const levelOf = async (id: number) =>
  (await sql`select on_hand, reserved, low_at from public.stock_levels where product_id = ${id}`)[0];
const isAvailable = async (id: number) =>
  (await sql`select isavailable from public."Products" where "Id" = ${id}`)[0]?.isavailable;
const record = (productId: number, quantity: number, reason: string) =>
  as(sql, administrator, (tx) => moveStock(tx, productId, quantity, reason));
const wait = (productId: number, userId = customer.userId) =>
  as(
    sql,
    { userId },
    (tx) => tx`insert into public.notify_subscriptions (product_id, user_id) values (${productId}, ${userId})`,
  );
const waiting = (productId: number) =>
  sql`select user_id from public.notify_subscriptions where product_id = ${productId}`;
const notified = async (productId: number) =>
  (
    await sql`select payload ->> 'user_id' as id from private.outbox
    where payload ->> 'template' = 'back-in-stock' and payload ->> 'product_id' = ${String(productId)}`
  ).map(({ id }) => id);

test('an administrator changes stock by movements only, and the low-stock level directly', async () => {
  const id = await insertProduct(sql, { stock: 10 });
  for (const values of [{ on_hand: 99 }, { reserved: 1 }, { product_id: await insertProduct(sql) }]) {
    const attempt = as(
      sql,
      administrator,
      (tx) => tx`update public.stock_levels set ${tx(values)} where product_id = ${id}`,
    );
    await expect(attempt).rejects.toMatchObject({ code: 'PT403' });
  }
  await as(sql, administrator, (tx) => tx`update public.stock_levels set low_at = 4 where product_id = ${id}`);
  expect(await levelOf(id)).toEqual({ on_hand: 10, reserved: 0, low_at: 4 });
  await record(id, 5, 'purchase');
  await record(id, -3, 'wastage');
  await record(id, -2, 'count');
  expect(await levelOf(id)).toMatchObject({ on_hand: 10 });
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
});

test('sales and movements of an order are not for administrators to write', async () => {
  const id = await insertProduct(sql, { stock: 10 });
  const order = await insertPaidOrder(sql, { userId: customer.userId, productId: id });
  await expect(record(id, -1, 'sale')).rejects.toMatchObject({ code: '42501' });
  const forOrder = as(
    sql,
    administrator,
    (tx) => tx`insert into public.stock_movements (product_id, quantity, reason, order_id)
    values (${id}, 1, 'return', ${order.id})`,
  );
  await expect(forOrder).rejects.toMatchObject({ code: '42501' });
  expect(await levelOf(id)).toMatchObject({ on_hand: 8 });
});

test('movements are dated by the shop', async () => {
  const id = await insertProduct(sql);
  await as(
    sql,
    administrator,
    (tx) => tx`insert into public.stock_movements (product_id, quantity, reason, created_at)
    values (${id}, 1, 'production', '2001-01-01')`,
  );
  const [row] =
    await sql`select created_at > now() - interval '1 minute' as fresh from public.stock_movements where product_id = ${id}`;
  expect(row?.fresh).toBe(true);
});

test('stock never goes below what is reserved', async () => {
  const id = await insertProduct(sql, { stock: 10 });
  await sql`update public.stock_levels set reserved = 4 where product_id = ${id}`;
  await expect(record(id, -7, 'wastage')).rejects.toMatchObject({ code: 'PT409' });
  expect(await levelOf(id)).toMatchObject({ on_hand: 10 });
  expect(await sql`select from public.stock_movements where product_id = ${id}`).toHaveLength(1);
  await record(id, -6, 'wastage');
  expect(await levelOf(id)).toMatchObject({ on_hand: 4, reserved: 4 });
});

test('a product is available while it is listed and in stock, whatever is written', async () => {
  const id = await insertProduct(sql);
  expect(await isAvailable(id)).toBe(false);
  await as(sql, administrator, (tx) => tx`update public."Products" set isavailable = true where "Id" = ${id}`);
  expect(await isAvailable(id)).toBe(false);
  await record(id, 5, 'production');
  expect(await isAvailable(id)).toBe(true);
  await sql`update public.stock_levels set reserved = 5 where product_id = ${id}`;
  expect(await isAvailable(id)).toBe(true);
  await sql`update public.stock_levels set reserved = 0 where product_id = ${id}`;
  for (const change of [{ is_listed: false }, { is_listed: true, archived_at: '2026-01-01' }]) {
    await as(sql, administrator, (tx) => tx`update public."Products" set ${tx(change)} where "Id" = ${id}`);
    expect(await isAvailable(id)).toBe(false);
  }
  await as(sql, administrator, (tx) => tx`update public."Products" set archived_at = null where "Id" = ${id}`);
  expect(await isAvailable(id)).toBe(true);
  await record(id, -5, 'wastage');
  expect(await isAvailable(id)).toBe(false);
});

test('customers who requested it get one email when a product is back in stock, and the request ends', async () => {
  const id = await insertProduct(sql);
  const other = await insertUser(sql);
  await wait(id);
  await wait(id, other);
  await record(id, 5, 'production');
  expect((await notified(id)).sort()).toEqual([customer.userId, other].sort());
  expect(await waiting(id)).toEqual([]);
  await record(id, -5, 'wastage');
  await record(id, 5, 'production');
  expect(await notified(id)).toHaveLength(2);
});

test.each([{ is_listed: false }, { archived_at: '2026-01-01' }])(
  'customers who wait for a product that is not on sale (%j) are emailed when it is listed with stock',
  async (hidden) => {
    const id = await insertProduct(sql);
    await wait(id);
    const write = (change: object) =>
      as(sql, administrator, (tx) => tx`update public."Products" set ${tx(change)} where "Id" = ${id}`);
    await write(hidden);
    await record(id, 5, 'production');
    expect(await notified(id)).toEqual([]);
    expect(await waiting(id)).toHaveLength(1);
    await write({ is_listed: true, archived_at: null });
    expect(await notified(id)).toEqual([customer.userId]);
    expect(await waiting(id)).toEqual([]);
  },
);

test('a product that is listed without stock causes no email', async () => {
  const id = await insertProduct(sql);
  await wait(id);
  for (const listed of [false, true])
    await as(sql, administrator, (tx) => tx`update public."Products" set is_listed = ${listed} where "Id" = ${id}`);
  expect(await notified(id)).toEqual([]);
  expect(await waiting(id)).toHaveLength(1);
});

test('more of what is in stock already is no news', async () => {
  const id = await insertProduct(sql, { stock: 1 });
  await wait(id);
  await record(id, 5, 'production');
  expect(await notified(id)).toEqual([]);
  expect(await waiting(id)).toHaveLength(1);
});

const soldOut = async () => {
  const productId = await insertProduct(sql, { stock: 2 });
  const order = await insertPaidOrder(sql, { userId: customer.userId, productId, quantity: 2, status: 'Packed' });
  await wait(productId);
  return { productId, orderId: order.id };
};
const cancel = (orderId: string, goods: 'stock' | 'wastage') =>
  as(
    sql,
    administrator,
    (tx) => tx`update public.orders
    set status = 'canceled', cancel_reason = 'Box fell', canceled_goods = ${goods} where id = ${orderId}`,
  );

test('a canceled order whose goods go back to the shelf tells who waits', async () => {
  const { productId, orderId } = await soldOut();
  await cancel(orderId, 'stock');
  expect(await levelOf(productId)).toMatchObject({ on_hand: 2 });
  expect(await notified(productId)).toEqual([customer.userId]);
  expect(await waiting(productId)).toEqual([]);
});

test('a cancelled order whose goods are thrown away sends no back-in-stock email', async () => {
  const { productId, orderId } = await soldOut();
  await cancel(orderId, 'wastage');
  expect(await levelOf(productId)).toMatchObject({ on_hand: 0 });
  expect(await isAvailable(productId)).toBe(false);
  expect(await notified(productId)).toEqual([]);
  expect(await waiting(productId)).toHaveLength(1);
  const movements =
    await sql`select quantity, reason from public.stock_movements where order_id = ${orderId} order by id`;
  expect(movements).toEqual([
    { quantity: -2, reason: 'sale' },
    { quantity: 2, reason: 'return' },
    { quantity: -2, reason: 'wastage' },
  ]);
});

test('grams stay grams: hasSize is frozen once stock has moved', async () => {
  const id = await insertProduct(sql, { hasSize: true });
  const set = (hasSize: boolean) =>
    as(sql, administrator, (tx) => tx`update public."Products" set "hasSize" = ${hasSize} where "Id" = ${id}`);
  await set(false);
  await set(true);
  await record(id, 1000, 'production');
  await expect(set(false)).rejects.toMatchObject({ code: 'PT409' });
  expect(await sql`select "hasSize" from public."Products" where "Id" = ${id}`).toEqual([{ hasSize: true }]);
  await insertPaidOrder(sql, { userId: customer.userId, productId: id, quantity: 1 });
  expect(await levelOf(id)).toMatchObject({ on_hand: 500 });
});
