import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertOrder } from '../../tests/support/random-orders.ts';
import { insertProduct, insertUser } from '../../tests/support/rows.ts';
import { callConsole } from './call-console.ts';

let database: TestDatabase;
let sql: Sql;
let productId: number;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  productId = await insertProduct(sql, { stock: 10_000 });
  await sql`update public.shop_settings set state = 'Maharashtra', gstin = '27AAAAA0000A1Z5'`;
});
afterAll(() => database.drop());

test('an erased customer is removed from invoices, but from ₹50,000 on the law requires name and address', async () => {
  const administrator = { userId: await insertUser(sql, { administrator: true }) };
  const userId = await insertUser(sql, { name: 'Zubeida Khandelwal' });
  const buy = (price: number) =>
    insertOrder(sql, {
      userId,
      name: 'Zubeida Khandelwal',
      status: 'Delivered',
      lines: [{ productId, name: 'Hamper', quantity: 20, size: 500, hasSize: false, price, gst: 5, hsn: '2106' }],
    });
  const [small, large] = [await buy(100), await buy(2500)];
  const other = await insertOrder(sql, {
    name: 'Another Customer',
    status: 'Delivered',
    lines: [{ productId, name: 'Hamper', quantity: 1, size: 500, hasSize: false, price: 10, gst: 5, hsn: '2106' }],
  });
  const told = async () => {
    const rows = await sql`select order_id, recipient, to_jsonb(i) - 'recipient' as rest from private.invoices i`;
    return new Map(rows.map((row) => [row.order_id as string, row]));
  };
  const before = await told();
  await callConsole(sql, administrator, 'admin_erase_customer', {
    customer_id: userId,
    confirmation: 'Zubeida Khandelwal',
  });
  const after = await told();
  for (const [id, row] of after) expect(row.rest).toEqual(before.get(id)?.rest);
  expect(after.get(small.id)?.recipient).toEqual({
    ...before.get(small.id)?.recipient,
    name: 'Erased customer',
    building_no: '',
    street: '',
  });
  expect(after.get(large.id)?.recipient).toEqual(before.get(large.id)?.recipient);
  expect(after.get(other.id)?.recipient).toMatchObject({ name: 'Another Customer' });
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
  await expect(
    sql`update private.invoices set recipient = recipient || '{"name": "Erased customer"}'`,
  ).rejects.toMatchObject({ code: 'PT403' });
});
