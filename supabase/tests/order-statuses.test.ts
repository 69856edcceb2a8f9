// What each status of an order means is stated once in SQL; what repeats it says the same.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { emailedStatuses, type OrderStatus, orderStatuses } from '../../domain/orders/status.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
});
afterAll(() => database.drop());

const statusesIn = (text = ''): OrderStatus[] => orderStatuses.filter((status) => text.includes(`'${status}'`));
const statusesWhere = async (condition: string): Promise<OrderStatus[]> => {
  const rows = await sql<{ status: OrderStatus }[]>`
    select s.status from unnest(${[...orderStatuses]}::text[]) as s (status) where ${sql.unsafe(condition)}`;
  return orderStatuses.filter((status) => rows.some((row) => row.status === status));
};

test('a status is before packing, packed, or finished; only a canceled order may have been either', async () => {
  const [before, packed] = [
    await statusesWhere('private.is_before_packing(s.status)'),
    await statusesWhere('private.was_packed(s.status)'),
  ];
  expect([...before, ...packed, 'canceled'].sort()).toEqual([...orderStatuses].sort());
  expect(await statusesWhere('private.is_finished(s.status) and private.is_before_packing(s.status)')).toEqual([]);
});

test.each(['orders_open_idx', 'orders_pack_on_idx'])(
  'the index of open orders %s leaves out the finished ones',
  async (name) => {
    const [index] = await sql<{ text: string }[]>`select pg_get_indexdef(${`public.${name}`}::regclass) as text`;
    expect(index?.text).toContain('<> ALL');
    expect(statusesIn(index?.text)).toEqual(await statusesWhere('private.is_finished(s.status)'));
  },
);

test('an order that is inserted in any status after packing gets an invoice', async () => {
  const [trigger] = await sql<{ text: string }[]>`
    select pg_get_triggerdef(oid) as text from pg_trigger where tgname = 'orders_inserted_as_packed'`;
  expect(statusesIn(trigger?.text)).toEqual(await statusesWhere('private.was_packed(s.status)'));
});

test('the console announces an email for the statuses that cause one', async () => {
  expect(orderStatuses.filter((status) => emailedStatuses.includes(status))).toEqual(
    await statusesWhere('private.mail_of_status(s.status) is not null'),
  );
});
