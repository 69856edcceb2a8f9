// What is kept so that long lists answer like short ones, held against the same made from nothing.
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import {
  deriveFromOrders,
  insertPaidOrder,
  insertProduct,
  insertUser,
  moveStock,
  newMark,
} from '../../tests/support/rows.ts';
import { type Ask, asking } from '../../tests/support/stock-room.ts';

let database: TestDatabase;
let sql: Sql;
let ask: Ask;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  ask = asking(sql, { userId: await insertUser(sql, { administrator: true }) });
});
afterAll(() => database.drop());

const setCost = (productId: number, cost: number, from: string) =>
  sql`insert into private.product_costs (product_id, unit_cost, valid_from) values (${productId}, ${cost}, now() + ${from}::interval)`;

test('products are sorted by the margin they have now, whatever changed their price or their cost', async () => {
  const mark = newMark('Margin');
  const [thin, wide, unknown] = [
    await insertProduct(sql, { name: `${mark} thin`, price: 100 }),
    await insertProduct(sql, { name: `${mark} wide`, price: 100 }),
    await insertProduct(sql, { name: `${mark} unknown`, price: 100 }),
  ];
  const order = async () =>
    (await ask('admin_list_products', { filter: { search: mark }, sort: 'margin' })).rows.map(
      ({ id }: { id: number }) => id,
    );
  await setCost(thin, 90, '-2 days');
  await setCost(wide, 20, '-2 days');
  expect(await order()).toEqual([unknown, thin, wide]);
  await sql`update public."Products" set "Price" = 1000 where "Id" = ${thin}`;
  expect(await order()).toEqual([unknown, wide, thin]);
  await setCost(unknown, 1, '-1 day');
  expect(await order()).toEqual([wide, thin, unknown]);
  await sql`delete from private.product_costs where product_id = ${wide}`;
  await setCost(thin, 999, '1 second');
  expect(await order()).toEqual([wide, thin, unknown]);
  await setCost(wide, 100, '-1 day');
  expect(await order()).toEqual([wide, thin, unknown]);
  await sql`update private.product_costs set unit_cost = 99.95 where product_id = ${wide}`;
  await pause(1100);
  // Since a second ago the other costs 999 of 1000.
  expect(await order()).toEqual([wide, thin, unknown]);
  await sql`update private.product_costs set unit_cost = 50 where product_id = ${wide}`;
  expect(await order()).toEqual([thin, wide, unknown]);
});

test('out of stock and low stock are known after every kind of stock movement', async () => {
  const short = async () =>
    (await sql`select product_id::int as id from private.low_stock order by 1`).map(({ id }) => id);
  const expected = async () =>
    (
      await sql`select product_id::int as id from public.stock_levels where on_hand = 0 or on_hand - reserved <= low_at order by 1`
    ).map(({ id }) => id);
  const id = await insertProduct(sql, { stock: 10 });
  const level = (set: object) => sql`update public.stock_levels set ${sql(set as never)} where product_id = ${id}`;
  const isShort = async () => {
    expect(await short()).toEqual(await expected());
    return (await short()).includes(id);
  };
  await level({ low_at: 3 });
  expect(await isShort()).toBe(false);
  await moveStock(sql, id, -7, 'wastage');
  expect(await isShort()).toBe(true);
  await moveStock(sql, id, 1, 'production');
  expect(await isShort()).toBe(false);
  await level({ reserved: 1 });
  expect(await isShort()).toBe(true);
  await level({ reserved: 0, low_at: 0 });
  expect(await isShort()).toBe(false);
  await moveStock(sql, id, -4, 'wastage');
  expect(await isShort()).toBe(true);
  const product = await sql`delete from public."Products" where "Id" = ${await insertProduct(sql)} returning "Id"`;
  expect(product).toHaveLength(1);
  expect(await isShort()).toBe(true);
});

test('a group of customers is never counted larger than it is', async () => {
  const productId = await insertProduct(sql, { stock: 1000 });
  const people: string[] = [];
  for (let n = 0; n < 12; n += 1) {
    const userId = await insertUser(sql);
    people.push(userId);
    await sql`insert into public.user_profiles (user_id, phone, city) values (${userId}, '9000000001', ${n < 8 ? 'Mumbai' : 'Pune'})`;
  }
  const orders = [];
  for (const userId of people.slice(0, 6)) orders.push(await insertPaidOrder(sql, { userId, productId, quantity: 1 }));
  await deriveFromOrders(sql);
  const crowds = async () =>
    Object.fromEntries(
      (await sql`select list, at_least from private.large_customer_lists`).map((c) => [c.list, c.at_least]),
    );
  const [before] = await sql`select count(*)::int as all from private.customer_figures`;
  const all = Number(before?.all);
  await sql`select private.count_large_customer_lists(4)`;
  expect(await crowds()).toEqual({ everybody: all, ordered: 6, 'in mumbai': 8 });

  // Those who come are counted when the worker comes.
  const late = await insertUser(sql);
  await sql`insert into public.user_profiles (user_id, phone, city) values (${late}, '9000000001', 'mumbai')`;
  await insertPaidOrder(sql, { userId: late, productId, quantity: 1 });
  await deriveFromOrders(sql);
  expect(await crowds()).toEqual({ everybody: all, ordered: 6, 'in mumbai': 8 });

  await sql`update public.orders set status = 'canceled', cancel_reason = 'asked' where id = ${orders[0]?.id ?? ''}`;
  await deriveFromOrders(sql);
  await sql`update public.user_profiles set city = 'Nagpur' where user_id = ${people[1] ?? ''}`;
  await sql`delete from auth.users where id = ${people[7] ?? ''}`;
  expect(await crowds()).toEqual({ everybody: all - 1, ordered: 5, 'in mumbai': 6 });
  await sql`select private.count_large_customer_lists(4)`;
  expect(await crowds()).toEqual({ everybody: all, ordered: 6, 'in mumbai': 7 });
  await sql`select private.count_large_customer_lists(7)`;
  expect(await crowds()).toEqual({ everybody: all });
});

test('more than ten thousand customers are ten thousand and more, counted or known', async () => {
  const city = newMark('city');
  await sql.begin(async (tx) => {
    // Past the triggers: ten thousand cards take them long.
    await tx`select set_config('session_replication_role', 'replica', true)`;
    await tx`insert into auth.users (id, email) select md5(${city} || n)::uuid, ${city} || n from generate_series(1, 10002) n`;
    await tx`insert into private.customer_cards (user_id, name, email, phone, city)
      select md5(${city} || n)::uuid, 'Test Person', '', '', ${city} from generate_series(1, 10002) n`;
    await tx`insert into private.customer_figures (user_id) select md5(${city} || n)::uuid from generate_series(1, 10002) n`;
  });
  const count = async () => {
    const { count, count_is_capped } = await ask('admin_list_customers', { city });
    return [count, count_is_capped];
  };
  expect(await count()).toEqual([10000, true]);
  await sql`select private.count_large_customer_lists()`;
  expect(await count()).toEqual([10000, true]);
  await sql`delete from auth.users where id in (select md5(${city} || n)::uuid from generate_series(1, 3) n)`;
  expect(await count()).toEqual([9999, false]);
});
