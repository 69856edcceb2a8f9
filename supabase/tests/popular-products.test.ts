import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
const customers: string[] = [];
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  for (let place = 0; place < 7; place += 1) customers.push(await insertUser(sql));
});
afterAll(() => database.drop());

const popular = async (at = new Date()) => {
  await sql`select public.refresh_popular_products(${at})`;
  const [row] = await as(sql, 'anon', (tx) => tx<{ ids: number[] }[]>`select public.popular_products() as ids`);
  return row?.ids ?? [];
};
const days = (count: number) => new Date(Date.now() + count * 86_400_000);

/** One order each of so many customers. */
async function sell(productId: number, buyers: number, status = 'Pending'): Promise<void> {
  for (const userId of customers.slice(0, buyers))
    await insertPaidOrder(sql, { userId, productId, status, quantity: 1 });
}

test('what most customers bought in the last 30 days is popular, if five did', async () => {
  const [well, little, canceled] = await Promise.all([1, 2, 3].map(() => insertProduct(sql, { stock: 100_000 })));
  await sell(well as number, 5);
  await sell(little as number, 4);
  await sell(canceled as number, 6, 'canceled');
  expect(await popular()).toEqual([well]);
  expect(await popular(days(29))).toEqual([well]);
  expect(await popular(days(31)), 'sales of last month no longer count').toEqual([]);
  expect(await popular()).toEqual([well]);
  await sql`update public."Products" set is_listed = false where "Id" = ${well as number}`;
  expect(await popular()).toEqual([]);
});

test('one customer makes nothing popular, however many orders they place', async () => {
  const productId = await insertProduct(sql, { stock: 100_000 });
  for (let order = 0; order < 6; order += 1)
    await insertPaidOrder(sql, { userId: customers[0] as string, productId, quantity: 1 });
  expect(await popular()).not.toContain(productId);
  await sell(productId, 5);
  expect(await popular()).toContain(productId);
  await sql`update public."Products" set is_listed = false where "Id" = ${productId}`;
});

test('six products at most, those of the most customers', async () => {
  const products: number[] = [];
  for (let place = 0; place < 7; place += 1) products.push(await insertProduct(sql, { stock: 100_000 }));
  for (const [place, product] of products.entries()) await sell(product, place === 0 ? 6 : 7);
  expect(await popular()).toEqual(products.slice(1));
});

test('cached pages are invalidated when the list changes, and only then', async () => {
  const changes = async () =>
    Number((await sql<{ last: string }[]>`select coalesce(max(id), 0) as last from public.page_changes`)[0]?.last);
  await popular(days(40));
  const empty = await changes();
  const shown = await popular();
  expect(shown).toHaveLength(6);
  const filled = await changes();
  expect(filled).toBeGreaterThan(empty);
  await popular();
  expect(await changes()).toBe(filled);
});
