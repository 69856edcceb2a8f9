// The log and the history of orders are append-only. Erasing is the one exception; here is how narrow it is.

import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertPaidOrder, insertProduct, insertUser, type Queries } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
});
afterAll(() => database.drop());

test('an erasure alone may touch the books, and only to black out', async () => {
  const administrator = { userId: await insertUser(sql, { administrator: true }) };
  const productId = await insertProduct(sql, { stock: 10 });
  const [entry] = await sql`insert into public.audit_log (action, table_name, row_id, after)
    values ('insert', 'vendors', '1', '{"name": "Gokul", "terms": 7}') returning id`;
  const { id: order } = await insertPaidOrder(sql, { userId: null, productId });
  const change = (tx: Queries, what: string) =>
    tx.unsafe(`update public.audit_log set ${what} where id = ${entry?.id}`);
  const blackOut = `after = '{"name": "[erased]", "terms": 7}'`;
  const refused = { code: 'PT403' };
  await expect(as(sql, 'service', (tx) => change(tx, blackOut))).rejects.toMatchObject(refused);
  await expect(sql.begin((tx) => change(tx, blackOut))).rejects.toMatchObject(refused);
  const beginErasure = (tx: Queries) =>
    tx`insert into private.erasures (customer_id, orders, erased_by) values (${randomUUID()}, 0, ${randomUUID()})`;
  for (const caller of ['service', administrator] as const)
    await expect(as(sql, caller, beginErasure)).rejects.toMatchObject({ code: '42501' });

  const during = (work: (tx: Queries) => Promise<unknown>) =>
    sql.begin(async (tx) => {
      await beginErasure(tx);
      await work(tx);
    });
  for (const what of [
    `after = '{"name": "Another", "terms": 7}'`,
    `after = '{"terms": 7}'`,
    `after = null`,
    `before = '{"name": "[erased]"}'`,
    `actor_id = gen_random_uuid()`,
    `at = now() - interval '1 day'`,
    `${blackOut}, table_name = 'expenses'`,
  ])
    await expect(
      during((tx) => change(tx, what)),
      what,
    ).rejects.toMatchObject(refused);
  const forbidden = [
    `delete from public.audit_log where id = ${entry?.id}`,
    `delete from public.order_events where order_id = '${order}'`,
    `update public.order_events set public_note = 'x' where order_id = '${order}'`,
    `update public.order_events set public_note = '', to_status = 'Shipped' where order_id = '${order}'`,
    'delete from private.erasures',
    'update private.erasures set orders = 1',
  ];
  for (const statement of forbidden)
    await expect(
      during((tx) => tx.unsafe(statement)),
      statement,
    ).rejects.toMatchObject(refused);
  await during((tx) => change(tx, blackOut));
  expect(await sql`select after from public.audit_log where id = ${entry?.id}`).toEqual([
    { after: { name: '[erased]', terms: 7 } },
  ]);
});
