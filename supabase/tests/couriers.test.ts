import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertUser } from '../../tests/support/rows.ts';
import { type Args, callConsole } from './call-console.ts';

type Courier = { id: number; name: string; tracking_pattern: string; updated_at: string };

let database: TestDatabase;
let sql: Sql;
let asha: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  asha = { userId: await insertUser(sql, { administrator: true }) };
});
afterAll(() => database.drop());

const ask = <T>(name: string, args: Args = {}) => callConsole<T>(sql, asha, name, args);
const list = () => ask<Courier[]>('admin_list_couriers');

test('a courier is added, changed and deleted, each with an entry in the log', async () => {
  await ask('admin_save_courier', { name: 'Pavan Parcel', tracking_pattern: 'https://pavan.example/t/{tracking}' });
  await ask('admin_save_courier', { name: 'Own rider' });
  expect((await list()).map(({ name, tracking_pattern }) => [name, tracking_pattern])).toEqual([
    ['Own rider', ''],
    ['Pavan Parcel', 'https://pavan.example/t/{tracking}'],
  ]);
  const [rider] = (await list()) as [Courier];
  await ask('admin_save_courier', { name: 'Our rider', courier_id: rider.id, seen: rider.updated_at });
  await expect(
    ask('admin_save_courier', { name: 'Late', courier_id: rider.id, seen: rider.updated_at }),
  ).rejects.toMatchObject({ code: 'PT409', detail: 'stale' });
  const [renamed] = (await list()) as [Courier];
  await ask('admin_delete_courier', { courier_id: renamed.id, seen: renamed.updated_at });
  expect(await list()).toHaveLength(1);
  const log =
    await sql`select action from public.audit_log where table_name = 'couriers' and row_id = ${String(rider.id)} order by id`;
  expect(log.map(({ action }) => action)).toEqual(['insert', 'update', 'delete']);
});

test.each([
  ['http://pavan.example/{tracking}', 'A tracking address begins with https://.'],
  ['javascript:alert({tracking})', 'A tracking address begins with https://.'],
  ['https://pavan.example/', /\{tracking\} once/],
  ['https://pavan.example/{tracking}/{tracking}', /\{tracking\} once/],
  ['https://{tracking}.example/', /\{tracking\} once/],
  ['https://me@pavan.example/{tracking}', /\{tracking\} once/],
])('%s is no tracking address', async (tracking_pattern, message) => {
  await expect(ask('admin_save_courier', { name: 'Nobody', tracking_pattern })).rejects.toMatchObject({
    code: 'PT422',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
    detail: 'tracking_pattern',
  });
  await expect(
    sql`insert into private.couriers (name, tracking_pattern) values ('Nobody', ${tracking_pattern})`,
  ).rejects.toMatchObject({ code: '23514' });
});

test('there is one courier of a name', async () => {
  await ask('admin_save_courier', { name: 'Garuda' });
  await expect(ask('admin_save_courier', { name: ' GARUDA' })).rejects.toMatchObject({ code: 'PT422', detail: 'name' });
});

test('customers neither read nor write couriers', async () => {
  const customer = { userId: await insertUser(sql) };
  await expect(as(sql, customer, (tx) => tx`select public.admin_list_couriers()`)).rejects.toMatchObject({
    code: 'PT403',
  });
  await expect(as(sql, customer, (tx) => tx`select * from private.couriers`)).rejects.toMatchObject({ code: '42501' });
});
