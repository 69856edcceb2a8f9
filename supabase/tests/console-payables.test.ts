import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertUser, newMark } from '../../tests/support/rows.ts';
import { type Ask, asking, insertVendor, order, read, receive } from '../../tests/support/stock-room.ts';

let database: TestDatabase;
let sql: Sql;
let ask: Ask;
let administrator: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  administrator = { userId: await insertUser(sql, { administrator: true }) };
  ask = asking(sql, administrator);
});
afterAll(() => database.drop());

const today = '2026-11-16';
const at = new Date(`${today}T06:00:00Z`);

/** A bill of so many rupees, dated so. */
async function bill(vendor: number, rupees: number, billed_on: string) {
  const purchase = await order(ask, vendor, [{ quantity: 1, costPaise: rupees * 100, gst: 0 }]);
  await receive(ask, purchase, { quantities: [1], billed_on, at: new Date(`${billed_on}T06:00:00Z`) });
  return purchase.id;
}
const vendorOf = (id: number) => ask('admin_read_vendor', { vendor_id: id, at });
const pay = async (vendor: number, rupees: number, more: Record<string, unknown> = {}) =>
  ask('admin_pay_vendor', {
    payment_id: randomUUID(),
    vendor_id: vendor,
    owed_seen_paise: (await vendorOf(vendor)).owed_paise,
    amount_paise: rupees * 100,
    paid_on: today,
    mode: 'UPI',
    at,
    ...more,
  });

describe('payables', () => {
  test('are the bills less payments, and payments settle the earliest due bill first', async () => {
    const vendor = await insertVendor(sql, { terms: 10 });
    await bill(vendor, 300, '2026-11-10');
    await bill(vendor, 500, '2026-10-20');
    await bill(vendor, 200, '2026-11-01');
    expect(await vendorOf(vendor)).toMatchObject({ owed_paise: 100_000, overdue_paise: 70_000 });
    await pay(vendor, 600);
    const owed = await vendorOf(vendor);
    expect(owed).toMatchObject({ owed_paise: 40_000, overdue_paise: 10_000 });
    expect(owed.bills).toMatchObject([
      { due_on: '2026-11-11', amount_paise: 20_000, unpaid_paise: 10_000 },
      { due_on: '2026-11-20', amount_paise: 30_000, unpaid_paise: 30_000 },
    ]);
  });

  test('is listed with overdue vendors first, and adds up', async () => {
    const [late, soon, paid] = [
      await insertVendor(sql, { name: newMark('Late'), terms: 0 }),
      await insertVendor(sql, { name: newMark('Soon'), terms: 8 }),
      await insertVendor(sql, { name: newMark('Paid'), terms: 0 }),
    ];
    await bill(soon, 100, '2026-11-10');
    await bill(late, 50, '2026-11-15');
    await bill(paid, 10, '2026-11-15');
    await pay(paid, 10);
    const { rows, ...sums } = await ask('admin_list_payables', { at });
    const places = [late, soon, paid].map((id) =>
      rows.findIndex(({ vendor_id }: { vendor_id: number }) => vendor_id === id),
    );
    expect(places[0]).toBeLessThan(places[1] as number);
    expect(places[2]).toBe(-1);
    expect(rows[places[1] as number]).toMatchObject({
      owed_paise: 10_000,
      overdue_paise: 0,
      next_due_on: '2026-11-18',
    });
    const listed = await ask('admin_list_vendors', { at });
    const sum = (name: string, list: Record<string, number>[]) =>
      list.reduce((total, row) => total + (row[name] ?? 0), 0);
    expect(sums).toEqual({
      owed_paise: sum('owed_paise', rows),
      overdue_paise: sum('overdue_paise', rows),
      due_soon_paise: sum('due_soon_paise', listed.rows),
    });
    expect(listed).toMatchObject(sums);
    expect(sums.due_soon_paise).toBeGreaterThanOrEqual(10_000);
  });

  test('includes archived vendors while something is owed', async () => {
    const vendor = await insertVendor(sql);
    const purchase = await bill(vendor, 20, today);
    await ask('admin_move_purchase', {
      purchase_id: purchase,
      seen: (await read(ask, purchase)).updated_at,
      to_status: 'Closed',
    });
    await as(sql, administrator, (tx) => tx`update public.vendors set archived_at = now() where id = ${vendor}`);
    const isListed = async () =>
      (await ask('admin_list_vendors', { at })).rows.some(({ id }: { id: number }) => id === vendor);
    expect(await isListed()).toBe(true);
    await pay(vendor, 20);
    expect(await isListed()).toBe(false);
    expect((await ask('admin_list_vendors', { with_archived: true })).rows).toContainEqual(
      expect.objectContaining({ id: vendor }),
    );
  });
});

describe('a payment', () => {
  test('sent twice, even at the same moment, is recorded once', async () => {
    const vendor = await insertVendor(sql);
    await bill(vendor, 100, today);
    const payment_id = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => pay(vendor, 40, { payment_id, owed_seen_paise: 10_000 })),
    );
    expect(answers).toEqual(Array(3).fill({ id: payment_id, owed_paise: 6000 }));
    expect((await vendorOf(vendor)).owed_paise).toBe(6000);
  });

  test('by two administrators at the same time: the second gets a conflict', async () => {
    const vendor = await insertVendor(sql);
    await bill(vendor, 100, today);
    const outcomes = await Promise.allSettled([
      pay(vendor, 60, { owed_seen_paise: 10_000 }),
      pay(vendor, 60, { owed_seen_paise: 10_000 }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'PT409', detail: 'stale' },
    });
    expect((await vendorOf(vendor)).owed_paise).toBe(4000);
  });

  test.each([
    ['more than is owed', { amount_paise: 10_001 }, 'amount'],
    ['nothing', { amount_paise: 0 }, 'amount'],
    ['less than nothing', { amount_paise: -100 }, 'amount'],
    ['cowries', { mode: 'Cowries' }, 'mode'],
    ['tomorrow', { paid_on: '2026-11-17' }, 'paid_on'],
    ['a reference without end', { reference: 'x'.repeat(101) }, 'reference'],
  ])('of %s is refused', async (_what, more, field) => {
    const vendor = await insertVendor(sql);
    await bill(vendor, 100, today);
    await expect(pay(vendor, 50, more)).rejects.toMatchObject({ code: 'PT422', detail: field });
    expect((await vendorOf(vendor)).owed_paise).toBe(10_000);
  });

  test('is undone once', async () => {
    const vendor = await insertVendor(sql);
    await bill(vendor, 100, today);
    const { id } = await pay(vendor, 100);
    expect(await ask('admin_undo_vendor_payment', { payment_id: id })).toEqual({ id, owed_paise: 10_000 });
    await expect(ask('admin_undo_vendor_payment', { payment_id: id })).rejects.toMatchObject({ code: 'PT409' });
  });

  test('is no expense', async () => {
    const before = await sql`select count(*) from public.expenses`;
    const vendor = await insertVendor(sql);
    await bill(vendor, 100, today);
    await pay(vendor, 100);
    expect(await sql`select count(*) from public.expenses`).toEqual(before);
  });

  test('for a receipt that is undone later is money they owe us', async () => {
    const vendor = await insertVendor(sql);
    const purchase = await bill(vendor, 100, today);
    await pay(vendor, 100);
    const seen = await read(ask, purchase);
    await ask('admin_undo_receipt', { receipt_id: seen.receipts[0].id, seen: seen.updated_at });
    expect(await vendorOf(vendor)).toMatchObject({ owed_paise: -10_000, bills: [] });
  });
});

test('a vendor’s account lists bills and payments with the balance after each, page by page', async () => {
  const vendor = await insertVendor(sql);
  for (let day = 1; day <= 30; day++) {
    const billed = `2026-10-${String(day).padStart(2, '0')}`;
    await bill(vendor, 10, billed);
    await pay(vendor, 5, { paid_on: billed, at: new Date(`${billed}T08:00:00Z`) });
  }
  const { id } = await pay(vendor, 7, { paid_on: '2026-10-31' });
  await ask('admin_undo_vendor_payment', { payment_id: id });
  const list = (after: unknown) => ask('admin_list_vendor_account', { vendor_id: vendor, after });
  const first = await list(null);
  expect(first.rows).toHaveLength(50);
  expect(first.rows[0]).toMatchObject({ kind: 'payment', mode: 'UPI', amount_paise: -500, owed_after_paise: 15_000 });
  expect(first.rows[1]).toMatchObject({
    kind: 'bill',
    day: '2026-10-30',
    amount_paise: 1000,
    owed_after_paise: 15_500,
  });
  const second = await list(first.next);
  expect(second).toMatchObject({ next: null });
  const all = [...first.rows, ...second.rows];
  expect(all).toHaveLength(60);
  let owed = 15_000;
  for (const entry of all) {
    expect(entry.owed_after_paise).toBe(owed);
    owed -= entry.amount_paise;
  }
  expect(owed).toBe(0);
});
