import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
let owner: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  owner = { userId: await insertUser(sql, { administrator: true }) };
  await insertPaidOrder(sql, { userId: null, productId: await insertProduct(sql, { stock: 100 }) });
});
afterAll(() => database.drop());

const list = (filter: object, sort = '-placed', after: unknown = null) =>
  as(sql, owner, async (tx) => {
    const [row] = await tx<{ answer: { rows: unknown[] } }[]>`
      select public.admin_list_orders(${tx.json(filter as never)}, ${sort}, ${after === null ? null : tx.json(after as never)}) as answer`;
    return row?.answer;
  });

test.each([
  ['a number that is none', { number: 'twelve' }, '-placed', null, ''],
  ['a day that is none', { placed_from: '2026-02-30' }, '-placed', null, ''],
  ['a day beyond reason', { placed_to: '9999999-01-01' }, '-placed', null, ''],
  ['a day before the shop', { placed_to: '0001-01-01' }, '-placed', null, 'placed_to'],
  ['a list where a filter belongs', ['x'], '-placed', null, ''],
  ['statuses that are no list', { status: 'Pending' }, '-placed', null, ''],
  ['a pincode of letters', { pincode: '40%' }, '-placed', null, 'pincode'],
  ['a long search', { search: 'x'.repeat(101) }, '-placed', null, 'search'],
  ['work that there is none of', { todo: 'sing' }, '-placed', null, 'todo'],
  ['hours before now', { waiting_hours: -1 }, '-placed', null, 'waiting_hours'],
  ['a sort that there is none of', {}, 'created_at; drop table', null, 'sort'],
  ['a cursor of nothing', {}, '-placed', {}, 'after'],
  ['a cursor of something else', {}, '-placed', { key: "x' or true --", id: 'y' }, 'after'],
  [
    'a cursor of another sort',
    {},
    'number',
    { key: '2026-01-01T00:00:00Z', id: '00000000-0000-4000-8000-000000000000' },
    'after',
  ],
])('%s is refused with a sentence', async (_name, filter, sort, after, field) => {
  await expect(list(filter, sort, after)).rejects.toMatchObject({
    code: 'PT422',
    detail: field,
    message: /^[A-Z].*\.$/,
  });
});

test('nothing typed gets into the statement', async () => {
  const nasty = "'; select pg_sleep(9); -- $$ %s %1$s %L \\' ";
  for (const field of ['search', 'customer', 'product', 'source', 'fulfilment'])
    expect((await list({ [field]: nasty }))?.rows).toEqual([]);
  expect((await list({ status: [nasty], payment: [nasty] }))?.rows).toEqual([]);
});
