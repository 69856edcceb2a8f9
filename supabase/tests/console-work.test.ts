// What the dashboard and the menus say of the day, against rows that were put there for it.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';
import { callConsole } from './call-console.ts';

type Work = Record<
  | 'unconfirmed'
  | 'to_give_back'
  | 'to_collect'
  | 'to_collect_paise'
  | 'undelivered'
  | 'bills_overdue'
  | 'bills_overdue_paise'
  | 'expenses_due'
  | 'expenses_due_paise'
  | 'refunds_open'
  | 'refunds_overdue'
  | 'refunds_to_decide',
  number
> & { refund_due_on: string | null };

let database: TestDatabase;
let sql: Sql;
let owner: { userId: string };
let productId: number;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  owner = { userId: await insertUser(sql, { administrator: true }) };
  productId = await insertProduct(sql, { stock: 1000, price: 100 });
});
afterAll(() => database.drop());

const readWork = (at?: string) => callConsole<Work>(sql, owner, 'admin_read_work', at ? { at } : {});

test('an empty shop has nothing to do', async () => {
  expect(await readWork()).toMatchObject({
    unconfirmed: 0,
    to_collect: 0,
    to_collect_paise: 0,
    undelivered: 0,
    refund_due_on: null,
    bills_overdue: 0,
    bills_overdue_paise: 0,
    expenses_due: 0,
    expenses_due_paise: 0,
  });
});

test('unpaid orders are to be collected unless they were canceled, with what they come to', async () => {
  const unpaid = await insertPaidOrder(sql, { userId: null, productId, paid: false });
  const delivered = await insertPaidOrder(sql, { userId: null, productId, paid: false, status: 'Delivered' });
  await insertPaidOrder(sql, { userId: null, productId, paid: false, status: 'canceled' });
  await insertPaidOrder(sql, { userId: null, productId });
  const back = await insertPaidOrder(sql, { userId: null, productId, status: 'Undelivered' });
  expect(await readWork()).toMatchObject({
    to_collect: 2,
    to_collect_paise: unpaid.totalPaise + delivered.totalPaise,
    undelivered: 1,
  });
  await sql`update public.orders set status = 'canceled', cancel_reason = 'Not at home' where id = ${back.id}`;
  expect((await readWork()).undelivered).toBe(0);
});

test('the first deadline of the refunds due is shown', async () => {
  const days = ['2026-11-04T06:00:00Z', '2026-11-02T06:00:00Z', '2026-11-07T06:00:00Z'];
  for (const since of days) {
    const { id } = await insertPaidOrder(sql, { userId: null, productId, paid: false, status: 'canceled' });
    await sql.begin(async (tx) => {
      await tx`select set_config('session_replication_role', 'replica', true)`;
      await tx`update public.orders set payment_status = 'paid_offline', status_since = ${since} where id = ${id}`;
      await tx`insert into private.offline_refunds_due (order_id, since, due_on)
        values (${id}, ${since}, private.refund_due_on(private.day_of(${since}::timestamptz)))`;
    });
  }
  // 4, 7 and 2 November; the last is a Monday, and Sundays are no business days.
  expect(await readWork('2026-11-09T06:00:00Z')).toMatchObject({
    to_give_back: 3,
    // And one of an order of the test before that was paid online.
    refunds_open: 4,
    refunds_overdue: 0,
    refunds_to_decide: 3,
    refund_due_on: '2026-11-10',
    refund_days_left: 1,
  });
  // Half an hour before and after midnight in India.
  expect(await readWork('2026-11-10T18:00:00Z')).toMatchObject({ refunds_overdue: 0, refund_days_left: 0 });
  expect(await readWork('2026-11-10T19:00:00Z')).toMatchObject({ refunds_overdue: 1, refund_days_left: -1 });
});

test('bills and repeated expenses count from the day they are due in India', async () => {
  await sql`insert into public.expenses (spent_on, category, amount, payment_mode, repeats)
    values ('2026-10-18', 'Rent', 18000, 'Bank transfer', 'monthly')`;
  await sql.begin(async (tx) => {
    await tx`select set_config('session_replication_role', 'replica', true)`;
    const [vendor] = await tx`insert into public.vendors (name) values ('Gokul Dairy') returning id`;
    await tx`insert into public.vendor_bills (vendor_id, receipt_id, bill_number, billed_on, due_on, goods, gst, amount)
      values (${vendor?.id}, gen_random_uuid(), 'G-1', '2026-10-01', '2026-11-17', 500.5, 0, 500.5), (${vendor?.id}, gen_random_uuid(), 'G-2', '2026-10-01', '2026-11-18', 700, 0, 700)`;
  });
  // Half past eleven at night, and half past midnight.
  expect(await readWork('2026-11-17T18:00:00Z')).toMatchObject({ bills_overdue: 0, expenses_due: 0 });
  expect(await readWork('2026-11-17T19:00:00Z')).toMatchObject({
    bills_overdue: 1,
    bills_overdue_paise: 50050,
    expenses_due: 1,
    expenses_due_paise: 1800000,
  });
});

type Profit = { month: string; month_before: string; now: { profit_paise: number }; before: { profit_paise: number } };

test('the profit of a month is compared with as many days of the month before', async () => {
  const spend = (day: string, amount: number) => sql`
    insert into public.expenses (spent_on, category, amount, payment_mode) values (${day}, 'Gas', ${amount}, 'Cash')`;
  await spend('2026-03-02', 10);
  await spend('2026-02-01', 100);
  await spend('2026-02-28', 1000);
  const read = (at: string) => callConsole<Profit>(sql, owner, 'admin_read_month_profit', { at });
  expect(await read('2026-03-03T06:00:00Z')).toMatchObject({
    month: '2026-03-01',
    month_before: '2026-02-01',
    now: { profit_paise: -1000 },
    before: { profit_paise: -10000 },
  });
  expect(await read('2026-03-31T06:00:00Z')).toMatchObject({ before: { profit_paise: -110000 } });
});

test.each(['admin_read_work', 'admin_read_month_profit'])('only administrators can call %s', async (request) => {
  const customer = { userId: await insertUser(sql) };
  await expect(callConsole(sql, customer, request)).rejects.toMatchObject({ code: 'PT403' });
});
