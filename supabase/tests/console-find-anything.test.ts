// One search over the console: what it finds, in which order, and for whom.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, deriveFromOrders, insertPaidOrder, insertProduct, insertUser, newMark } from '../../tests/support/rows.ts';

type Line = { kind: string; id: string; title: string; detail: string; status?: string; paise?: number };
type Found = { recent: Line[]; groups: { kind: string; count: number; rows: Line[] }[] };

let database: TestDatabase;
let sql: Sql;
let owner: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  owner = { userId: await insertUser(sql, { administrator: true }) };
});
afterAll(() => database.drop());

const find = (typed: string, recent: unknown = [], caller = owner) =>
  as(sql, caller, async (tx) => {
    const [row] = await tx<{ found: Found }[]>`
      select public.admin_find_anything(${typed}, ${tx.json(recent as never)}) as found`;
    if (!row) throw new Error('nothing was returned');
    return row.found;
  });
const rowsOf = (found: Found, kind: string) => found.groups.find((group) => group.kind === kind)?.rows ?? [];

test('one word finds orders, customers, products and vendors, the newest and the last first', async () => {
  const mark = newMark('Zafrani');
  const userId = await insertUser(sql, { name: `Leela ${mark}` });
  const earlier = await insertUser(sql, { name: `Asif ${mark}` });
  const productId = await insertProduct(sql, { name: `${mark} Peda`, stock: 100 });
  await sql`insert into public.vendors (name, phone) values (${`${mark} Dairy`}, '9820012345')`;
  const placed: string[] = [];
  for (const buyer of [earlier, userId, userId])
    placed.push((await insertPaidOrder(sql, { userId: buyer, productId, deliveryName: `Leela ${mark}` })).id);
  await deriveFromOrders(sql);
  const found = await find(` ${mark.toLowerCase()} `);
  expect(found.groups.map(({ kind, count }) => [kind, count])).toEqual([
    ['order', 3],
    ['customer', 2],
    ['product', 1],
    ['vendor', 1],
  ]);
  expect(rowsOf(found, 'order').map(({ id }) => id)).toEqual(placed.toReversed());
  expect(rowsOf(found, 'order')[0]).toMatchObject({ status: 'Pending', detail: expect.stringContaining(mark) });
  expect(rowsOf(found, 'customer').map(({ id }) => id)).toEqual([userId, earlier]);
  expect(rowsOf(found, 'product')).toEqual([
    { kind: 'product', id: String(productId), title: `${mark} Peda`, detail: 'Laddu' },
  ]);
  expect(rowsOf(found, 'vendor')).toMatchObject([{ title: `${mark} Dairy`, detail: '9820012345' }]);
});

test('of many the first five come, and how many there are', async () => {
  const mark = newMark('Manymore');
  const productId = await insertProduct(sql, { stock: 100 });
  for (let n = 0; n < 7; n += 1) await insertPaidOrder(sql, { userId: null, productId, deliveryName: mark });
  const [orders] = (await find(mark)).groups;
  expect(orders?.count).toBe(7);
  expect(orders?.rows).toHaveLength(5);
});

test('recently opened rows come in that order with their current names; deleted and unknown ones are left out', async () => {
  const userId = await insertUser(sql, { name: 'Nirmala Devi' });
  const productId = await insertProduct(sql, { name: newMark('Old'), stock: 10 });
  const order = await insertPaidOrder(sql, { userId, productId, deliveryName: 'Nirmala Devi' });
  const renamed = newMark('New');
  await sql`update public."Products" set "Name" = ${renamed} where "Id" = ${productId}`;
  const { recent, groups } = await find('', [
    { kind: 'product', id: String(productId) },
    { kind: 'vendor', id: '999999' },
    { kind: 'order', id: order.id },
    { kind: 'order', id: "'; drop table orders" },
    { kind: 'moon', id: '1' },
    'nothing',
    { kind: 'customer', id: userId },
  ]);
  expect(recent.map(({ kind, title }) => [kind, title])).toEqual([
    ['product', renamed],
    ['order', expect.stringMatching(/^Order \d+$/)],
    ['customer', 'Nirmala Devi'],
  ]);
  expect(groups).toEqual([]);
});

test('a value that is not a list, or is too long, is refused', async () => {
  for (const recent of [{}, 'x', Array.from({ length: 51 }, () => ({}))])
    await expect(find('', recent)).rejects.toMatchObject({ code: 'PT422' });
});

test('only administrators can use the search', async () => {
  const customer = { userId: await insertUser(sql) };
  await expect(find('a', [], customer)).rejects.toMatchObject({ code: 'PT403' });
  await expect(find('', [], customer)).rejects.toMatchObject({ code: 'PT403' });
  await expect(as(sql, 'anon', (tx) => tx`select public.admin_find_anything('a')`)).rejects.toMatchObject({
    code: '42501',
  });
});
