import type { Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertPaidOrder, insertProduct, insertUser, type Queries } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
let owner: { userId: string };
let productId: number;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  owner = { userId: await insertUser(sql, { administrator: true, name: 'Asha Rao' }) };
  productId = await insertProduct(sql, { price: 100, stock: 1000, hasSize: false });
});
afterAll(async () => {
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
  await database.drop();
});
beforeEach(async () => {
  await sql`delete from private.month_closings`;
  await sql`delete from public.expenses`;
});

type Refusal = { code: string; detail: string; message: string };
const refused = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ code, detail }: Refusal) => `${code} ${detail}`,
  );
const asOwner = <T>(work: (tx: Queries) => Promise<T>) => as(sql, owner, work);
const november = '2026-11-10 12:00+05:30';
const profitOf = async (month: string) =>
  Number(
    (
      await sql`select profit_paise from private.profit_and_loss(${month}::date, (${month}::date + interval '1 month')::date - 1)`
    )[0]?.profit_paise,
  );
const close = async (month: string, seen?: number, at = november) => {
  const profit = seen ?? (await profitOf(month));
  return asOwner(
    (tx) => tx`select public.admin_close_month(${month}::date, ${profit}::bigint, ${at}::text::timestamptz)`,
  );
};
const reopen = (month: string, reason: string) =>
  asOwner((tx) => tx`select public.admin_reopen_month(${month}::date, ${reason})`);
const spend = (spentOn: string, amount = 100) =>
  asOwner(
    (tx) => tx`insert into public.expenses (spent_on, category, description, amount, payment_mode)
      values (${spentOn}, 'Gas', 'Cylinder', ${amount}, 'UPI') returning id`,
  ).then(([row]) => Number(row?.id));
const change = (id: number, values: object) =>
  asOwner((tx) => tx`update public.expenses set ${sql(values as never)} where id = ${id}`);
const remove = (id: number) => asOwner((tx) => tx`delete from public.expenses where id = ${id}`);
const monthIn = async (month: string) => {
  const [row] = await asOwner(
    (tx) => tx`select public.admin_read_profit(2026, ${november}::text::timestamptz) as year`,
  );
  return row?.year.months.find((one: { month: string }) => one.month === month);
};

describe('a closed month', () => {
  test('refuses to have its expenses added, changed, moved or removed', async () => {
    const before = await spend('2026-10-31');
    const later = await spend('2026-11-01');
    await close('2026-10-01');
    expect(await refused(spend('2026-10-01'))).toBe('PT422 spent_on');
    expect(await refused(change(before, { amount: 1 }))).toBe('PT422 spent_on');
    expect(await refused(change(before, { description: 'x' }))).toBe('PT422 spent_on');
    expect(await refused(change(before, { spent_on: '2026-11-02' }))).toBe('PT422 spent_on');
    expect(await refused(change(later, { spent_on: '2026-10-31' }))).toBe('PT422 spent_on');
    expect(await refused(remove(before))).toBe('PT422 spent_on');
    expect(await refused(change(later, { amount: 7 }))).toBe('done');
    expect(await refused(spend('2026-09-30'))).toBe('done');
    const serviceToo = as(sql, 'service', (tx) => tx`delete from public.expenses where id = ${before}`);
    expect(await refused(serviceToo)).toBe('PT422 spent_on');
  });

  test('says its name when it refuses', async () => {
    await close('2026-10-01');
    const message = await spend('2026-10-04').catch((error: Refusal) => error.message);
    expect(message).toBe('October 2026 is closed. Reopen it first, or choose another date.');
  });

  test('still takes a receipt, and lets a series go on', async () => {
    const [row] = await asOwner(
      (tx) => tx`insert into public.expenses (spent_on, category, description, amount, payment_mode, repeats)
        values ('2026-10-03', 'Rent', 'Shop', 38000, 'UPI', 'monthly') returning id`,
    );
    await close('2026-10-01');
    expect(await refused(change(Number(row?.id), { receipt_path: '2026/a.webp' }))).toBe('done');
    const [entered] = await asOwner(
      (tx) => tx`select public.admin_enter_due_expense(${row?.id}, '2026-11-03') ->> 'id' as id`,
    );
    expect(await refused(remove(Number(entered?.id)))).toBe('done');
  });

  test('can be opened again, with a reason, and then takes expenses', async () => {
    await close('2026-10-01');
    expect(await refused(reopen('2026-10-01', ' '))).toBe('PT422 reason');
    expect(await refused(reopen('2026-10-01', 'The gas bill came late'))).toBe('done');
    expect(await refused(reopen('2026-10-01', 'The gas bill came late'))).toBe('PT409 stale');
    expect(await refused(spend('2026-10-20'))).toBe('done');
    expect(await refused(close('2026-10-01'))).toBe('done');
    const log = await sql`select action, after ->> 'reopen_reason' as reason from public.audit_log
      where table_name = 'month_closings' and row_id = '2026-10-01' and actor_id = ${owner.userId} order by id desc limit 3`;
    expect(log).toMatchObject([
      { action: 'insert' },
      { action: 'update', reason: 'The gas bill came late' },
      { action: 'insert' },
    ]);
  });

  test('keeps its figures, and shows what has changed since', async () => {
    await spend('2026-09-20', 40);
    await close('2026-09-01');
    expect((await monthIn('2026-09-01')).closing).toMatchObject({ closed_by: 'Asha Rao', was: null });
    await sql`insert into private.payments (payment_id, provider_order_id, amount_paise, fee_paise, status, captured_at)
      values ('pay_september', 'order_september', 50000, 1234, 'refunded', '2026-09-15 10:00+05:30')`;
    const { figures, closing } = await monthIn('2026-09-01');
    expect(closing.was).toMatchObject({ fee_paise: 0, profit_paise: -4000 });
    expect(figures).toMatchObject({ fee_paise: 1234, profit_paise: -4000 - 1234 });
    await sql`delete from private.payments where payment_id = 'pay_september'`;
    await sql`delete from private.profit_days`;
    expect((await monthIn('2026-09-01')).closing.was).toBeNull();
  });
});

describe('closing', () => {
  test('waits for the end of the month, in India', async () => {
    expect(await refused(close('2026-11-01'))).toBe('PT422 month');
    expect(await refused(close('2026-11-01', undefined, '2026-11-30 18:29:59+00'))).toBe('PT422 month');
    expect(await refused(close('2026-11-01', undefined, '2026-11-30 18:30:00+00'))).toBe('done');
    expect(await refused(close('2027-05-01'))).toBe('PT422 month');
  });

  test('happens once, and only with figures that were shown before', async () => {
    await spend('2026-10-20');
    expect(await refused(close('2026-10-01', 0))).toBe('PT409 stale');
    const outcomes = await Promise.all([close('2026-10-01'), close('2026-10-01')].map(refused));
    expect(outcomes.sort()).toEqual(['PT409 stale', 'done']);
  });

  test('misses no expense that is entered at the same moment', async () => {
    for (let round = 0; round < 8; round += 1) {
      await sql`delete from private.month_closings`;
      const seen = await profitOf('2026-10-01');
      const [entered, closed] = await Promise.all([refused(spend('2026-10-20')), refused(close('2026-10-01', seen))]);
      // Either the figures are no longer those that were seen, or the expense comes too late.
      expect([`${entered}, ${closed}`]).toEqual([expect.stringMatching(/^(done, PT409 stale|PT422 spent_on, done)$/)]);
    }
  });

  test('a late refund belongs to the month in which it happens', async () => {
    const order = await insertPaidOrder(sql, { userId: owner.userId, productId, status: 'Delivered', quantity: 2 });
    const [months] = await sql<{ now: string; before: string }[]>`
      select date_trunc('month', private.day_of(now())::timestamp)::date::text as now,
             (date_trunc('month', private.day_of(now())::timestamp) - interval '1 month')::date::text as before`;
    const [now, before] = [months?.now ?? '', months?.before ?? ''];
    const [profitNow, profitBefore] = [await profitOf(now), await profitOf(before)];
    await sql`insert into private.refunds (payment_id, order_id, amount_paise, reason, status)
      values (${order.paymentId}, ${order.id}, 10500, 'one broken', 'processed')`;
    expect(await profitOf(before)).toBe(profitBefore);
    expect((await profitOf(now)) - profitNow).toBe(-10_000); // of ₹105, ₹5 was tax
  });
});

test('no year but a sensible one', async () => {
  const read = (year: number | null) => refused(asOwner((tx) => tx`select public.admin_read_profit(${year})`));
  expect(await Promise.all([1999, 2101, null].map(read))).toEqual(Array(3).fill('PT422 year'));
});
