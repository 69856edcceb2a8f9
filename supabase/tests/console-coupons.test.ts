// The console's offers: made, changed, stopped, resumed and deleted by administrators, and by no other role.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertOffer } from '../../tests/support/offers.ts';
import { as, insertProduct, insertUser, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import type { OfferRow } from '../contracts/console/offers.ts';
import { type Args, callConsole } from './call-console.ts';

let database: TestDatabase;
let sql: Sql;
let till: Till;
let owner: { userId: string };
let sweet: number;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  till = openTill(database.connection, sql);
  owner = { userId: await insertUser(sql, { administrator: true }) };
  await insertZone(sql, { prefixes: ['400'] });
  sweet = await insertProduct(sql, { price: 200, stock: 1_000 });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
  await database.drop();
});

const base = { name: 'Ten off', kind: 'percent', percent: 10, from_day: '2026-11-01', code: 'CONSOLE10' };
const save = (args: Args) => callConsole<{ id: number; updated_at: string }>(sql, owner, 'admin_save_offer', args);
const rows = async () => (await callConsole<{ offers: OfferRow[] }>(sql, owner, 'admin_list_offers')).offers;
const rowOf = async (id: number) => {
  const found = (await rows()).find((row) => row.id === id);
  if (!found) throw new Error(`no offer ${id}`);
  return found;
};
async function buy(code: string): Promise<string> {
  const customer = await till.customer();
  const { orderId } = await till.checkout(customer, [{ productId: sweet, quantity: 1, size: 500 }], {
    source: 'cart',
    code,
  });
  expect((await till.place(customer, await till.pay(orderId))).status).toBe(201);
  return customer;
}

describe('an offer', () => {
  test('is made, changed and found with its days in India', async () => {
    const { id } = await save({
      ...base,
      code: 'first-one',
      until_day: '2026-11-30',
      max_uses: 5,
      categories: ['Gift', 'Laddu'],
    });
    const made = await rowOf(id);
    expect(made).toMatchObject({
      code: 'FIRSTONE',
      percent: 10,
      from_day: '2026-11-01',
      until_day: '2026-11-30',
      max_uses: 5,
      categories: ['Gift', 'Laddu'],
      uses: 0,
    });
    const [stored] = await sql`select starts_at, ends_at from private.offers where id = ${id}`;
    expect([stored?.starts_at, stored?.ends_at]).toEqual([
      new Date('2026-10-31T18:30:00Z'),
      new Date('2026-11-30T18:30:00Z'),
    ]);
    await save({
      ...base,
      code: 'FIRSTONE',
      kind: 'amount',
      percent: null,
      amount_paise: 7_500,
      offer_id: id,
      seen: made.updated_at,
    });
    expect(await rowOf(id)).toMatchObject({
      kind: 'amount',
      percent: null,
      amount_paise: 7_500,
      max_uses: null,
      until_day: null,
    });
    await expect(save({ ...base, offer_id: id, seen: made.updated_at })).rejects.toMatchObject({ code: 'PT409' });
    const [entry] =
      await sql`select action from public.audit_log where table_name = 'offers' and row_id = ${id} order by id desc limit 1`;
    expect(entry).toEqual({ action: 'update' });
  });

  test.each<[string, Args, string]>([
    ['without a name', { name: ' ' }, 'name'],
    ['with a short code', { code: 'AB' }, 'code'],
    ['with signs in its code', { code: 'TEN%OFF' }, 'code'],
    ['without what it gives', { kind: 'gift' }, 'kind'],
    ['of 0%', { percent: 0 }, 'percent'],
    ['of 101%', { percent: 101 }, 'percent'],
    ['of 99999%', { percent: 99_999 }, 'percent'],
    ['of no amount', { kind: 'amount', percent: null }, 'amount_paise'],
    ['with a tiny maximum', { max_discount_paise: 1 }, 'max_discount_paise'],
    ['with a negative minimum', { min_order_paise: -1 }, 'min_order_paise'],
    ['for an unknown category', { categories: ['Pizza'] }, 'categories'],
    ['for no use', { max_uses: 0 }, 'max_uses'],
    ['for no use per customer', { max_uses_per_customer: 0 }, 'max_uses_per_customer'],
    ['with a negative budget', { budget_paise: -5 }, 'budget_paise'],
    ['that ends before it begins', { until_day: '2026-10-30' }, 'until_day'],
  ])('%s is refused at its field', async (_what, change, field) => {
    await expect(save({ ...base, code: 'REFUSED', ...change })).rejects.toMatchObject({ detail: field });
  });

  test('keeps its code, its uses and its budget once it was used, and cannot be deleted', async () => {
    const { id, updated_at } = await save({ ...base, code: 'USEDONCE', max_uses: 10, budget_paise: 10_000 });
    await buy('USEDONCE');
    const again = (change: Args) =>
      save({
        ...base,
        code: 'USEDONCE',
        max_uses: 10,
        budget_paise: 10_000,
        offer_id: id,
        seen: updated_at,
        ...change,
      });
    await buy('USEDONCE');
    await expect(again({ code: 'OTHER' })).rejects.toMatchObject({ detail: 'code' });
    await expect(again({ max_uses: 1 })).rejects.toMatchObject({ detail: 'max_uses' });
    await expect(again({ budget_paise: 3_999 })).rejects.toMatchObject({ detail: 'budget_paise' });
    await expect(callConsole(sql, owner, 'admin_delete_offer', { offer_id: id, seen: updated_at })).rejects.toThrow(
      /was used/,
    );
    // Two uses of ₹20, and two orders of 180 + 9 + 40.
    expect(await rowOf(id)).toMatchObject({
      uses: 2,
      reserved: 0,
      cost_paise: 4_000,
      discount_paise: 4_000,
      sales_paise: 45_800,
      canceled: 0,
    });
    const read = await callConsole<{ orders: { saved_paise: number }[] }>(sql, owner, 'admin_read_offer', {
      offer_id: id,
    });
    expect(read.orders.map(({ saved_paise }) => saved_paise)).toEqual([2_000, 2_000]);
  });

  test('is stopped and resumed at once, and deleted while it was never used', async () => {
    const { id, updated_at } = await save({ ...base, code: 'STOPGO' });
    const stop = (is_stopped: boolean, seen: string) =>
      callConsole<{ updated_at: string }>(sql, owner, 'admin_stop_offer', { offer_id: id, is_stopped, seen });
    const stopped = await stop(true, updated_at);
    expect(await rowOf(id)).toMatchObject({ state: 'stopped' });
    await expect(stop(false, updated_at)).rejects.toMatchObject({ code: 'PT409' });
    const resumed = await stop(false, stopped.updated_at);
    expect(await rowOf(id)).toMatchObject({ state: 'running' });
    await callConsole(sql, owner, 'admin_delete_offer', { offer_id: id, seen: resumed.updated_at });
    expect((await rows()).some((row) => row.id === id)).toBe(false);
  });

  test('whose order was cancelled keeps its use, without the sale', async () => {
    const { id } = await save({ ...base, code: 'CANCELED' });
    const customer = await buy('CANCELED');
    await sql`update public.orders set status = 'canceled', cancel_reason = 'asked' where user_id = ${customer}`;
    expect(await rowOf(id)).toMatchObject({ uses: 1, sales_paise: 0, canceled: 1 });
  });
});

test('customers and visitors can neither read nor change offers', async () => {
  const customer = { userId: await insertUser(sql) };
  await insertOffer(sql, { code: 'SECRET' });
  for (const caller of [customer, 'anon'] as const) {
    for (const call of [
      'select public.admin_list_offers()',
      'select public.admin_read_offer(1)',
      `select public.admin_save_offer('Mine', 'percent', '2026-11-01', 'MINE', 100)`,
      'select public.admin_stop_offer(1, true, now())',
      'select public.admin_delete_offer(1, now())',
      'select * from private.offers',
      'select * from private.offer_uses',
      'update private.offer_counts set used = 0 where true',
    ])
      await expect(
        as(sql, caller, (tx) => tx.unsafe(call)),
        call,
      ).rejects.toMatchObject({
        code: expect.stringMatching(/^(PT403|PT401|42501)$/),
      });
  }
  expect(await sql`select used from private.offer_counts where used > 2`).toEqual([]);
});
