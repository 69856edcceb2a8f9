// Append-only rows, also for the service role.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { actAs, as, grantEverything, insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
let administrator: string;
let stranger: string;
let orderId: string;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  await grantEverything(sql);
  administrator = await insertUser(sql, { administrator: true });
  stranger = await insertUser(sql);
  const productId = await insertProduct(sql, { stock: 10 });
  orderId = (await insertPaidOrder(sql, { userId: await insertUser(sql), productId })).id;
  await as(sql, { userId: administrator }, (tx) => tx`update public.orders set courier = 'Blue Dart' where true`);
});
afterAll(() => database.drop());

const otherValues = {
  id: () => '00000000-0000-4000-8000-000000000001',
  number: () => 7,
  user_id: () => stranger,
  payment_id: () => 'pay_other',
  created_at: () => '2020-01-01T00:00:00Z',
  source: () => 'direct',
  fulfilment: () => 'pickup',
  sub_total: () => 1,
  tax: () => 1,
  shipping_charge: () => 1,
  total_amount: () => 1,
};

test.each(Object.entries(otherValues))('%s of an order never changes', async (column, value) => {
  const read = () => sql`select * from public.orders where id = ${orderId}`;
  const before = await read();
  for (const caller of ['service', { userId: administrator }] as const) {
    const attempt = as(
      sql,
      caller,
      (tx) => tx`update public.orders set ${tx({ [column]: value() })} where id = ${orderId}`,
    );
    await expect(attempt).rejects.toMatchObject({ code: 'PT403' });
  }
  expect(await read()).toEqual(before);
});

const appendOnly = {
  order_items: 'unit_price',
  order_events: 'to_status',
  stock_movements: 'quantity',
  audit_log: 'action',
};

test.each(Object.entries(appendOnly))('rows of %s are never changed or deleted', async (table, column) => {
  const read = () => sql`select to_jsonb(t) from public.${sql(table)} t order by t.id`;
  const before = await read();
  expect(before.length).toBeGreaterThan(0);
  for (const statement of [
    `update public.${table} set ${column} = ${column} where true`,
    `delete from public.${table} where true`,
  ]) {
    await expect(as(sql, 'service', (tx) => tx.unsafe(statement))).rejects.toMatchObject({ code: 'PT403' });
  }
  expect(await read()).toEqual(before);
});

// Row triggers and policies do not see a truncate.
test.each([...Object.keys(appendOnly), 'orders'])('%s cannot be truncated', async (table) => {
  const truncate = sql.begin(async (tx) => {
    await actAs(tx, 'service');
    await tx.unsafe(`truncate public.${table} cascade`);
    throw new Error('it was emptied');
  });
  await expect(truncate).rejects.toMatchObject({ code: expect.stringMatching(/^(PT403|42501)$/) });
});
