import type { Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { nextDue, repetitions } from '../../domain/expenses/recurrence.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertUser } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
let owner: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  owner = { userId: await insertUser(sql, { administrator: true }) };
});
afterAll(async () => {
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
  await database.drop();
});
beforeEach(() => sql`delete from public.expenses`);

type Due = { id: number; next_due_on: string; amount_paise: number };
type Row = { id: number; spent_on: string; amount: string; repeats: string; next_due_on: string | null };

async function add(spentOn: string, repeats: string, amount = 38000): Promise<number> {
  const [row] = await as(
    sql,
    owner,
    (tx) => tx`
      insert into public.expenses (spent_on, category, description, amount, payment_mode, repeats)
      values (${spentOn}, 'Rent', 'Shop', ${amount}, 'UPI', ${repeats}) returning id`,
  );
  return Number(row?.id);
}
const dueAt = async (day: string): Promise<{ due: Due[]; coming: Due[] }> => {
  const [row] = await as(
    sql,
    owner,
    (tx) => tx`select public.admin_list_due_expenses(${`${day} 12:00+05:30`}::text::timestamptz) as answer`,
  );
  return row?.answer;
};
const enter = (id: number, dueOn: string, entry: object = {}) =>
  as(
    sql,
    owner,
    (tx) => tx`select public.admin_enter_due_expense(${id}, ${dueOn}, ${sql.json(entry as never)}) ->> 'id' as id`,
  ).then(([row]) => Number(row?.id));
const skip = (id: number, dueOn: string) =>
  as(sql, owner, (tx) => tx`select public.admin_skip_due_expense(${id}, ${dueOn}) ->> 'next_due_on' as day`).then(
    ([row]) => row?.day,
  );
const all = () =>
  sql<
    Row[]
  >`select id::int, spent_on::text, amount, repeats, next_due_on::text from public.expenses order by spent_on, id`;
const refused = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ code, detail }: { code: string; detail: string }) => `${code} ${detail}`,
  );

test('the database and the console agree on when a series is due', async () => {
  const rows = await sql<{ begins: string; repeats: string; after: string; due: string | null }[]>`
    select f::date::text as begins, r as repeats, a::date::text as after, private.next_due(f::date, r, a::date)::text as due
    from unnest(${[...repetitions]}::text[]) r,
         generate_series('2026-01-28'::timestamp, '2028-03-02', '17 days') f,
         generate_series('2026-01-01'::timestamp, '2030-03-31', '41 days') a`;
  const wrong = rows.filter(({ begins, repeats, after, due }) => nextDue(begins, repeats as never, after) !== due);
  expect(wrong).toEqual([]);
  expect(rows.length).toBeGreaterThan(5000);
});

describe('a recurring expense', () => {
  test('is proposed when it is due and not before', async () => {
    const rent = await add('2025-01-31', 'monthly');
    expect(await dueAt('2025-02-20')).toEqual({ due: [], coming: [] });
    expect((await dueAt('2025-02-27')).coming).toMatchObject([{ id: rent, next_due_on: '2025-02-28' }]);
    expect((await dueAt('2025-02-28')).due).toMatchObject([{ id: rent, amount_paise: 3_800_000 }]);
  });

  test('is entered with one tap, at the ends of months too', async () => {
    const january = await add('2025-01-31', 'monthly');
    const february = await enter(january, '2025-02-28');
    await enter(february, '2025-03-31');
    expect(await all()).toMatchObject([
      { spent_on: '2025-01-31', repeats: 'never', next_due_on: null },
      { spent_on: '2025-02-28', repeats: 'never', next_due_on: null },
      { spent_on: '2025-03-31', repeats: 'monthly', next_due_on: '2025-04-30', amount: '38000.00' },
    ]);
  });

  test('is entered with changed values', async () => {
    const id = await add('2025-01-12', 'monthly', 7200);
    await enter(id, '2025-02-12', {
      spent_on: '2025-02-15',
      amount_paise: 812_050,
      payment_mode: 'Cash',
      vendor_id: null,
    });
    expect((await all()).at(-1)).toMatchObject({
      spent_on: '2025-02-15',
      amount: '8120.50',
      next_due_on: '2025-03-12',
    });
  });

  test('is never entered twice, even with simultaneous taps', async () => {
    const id = await add('2025-01-31', 'monthly');
    let second = Promise.resolve('');
    await as(sql, owner, async (tx) => {
      await tx`select public.admin_enter_due_expense(${id}, '2025-02-28')`;
      second = refused(enter(id, '2025-02-28'));
      // It has come as far as it can while the first is not done.
      for (let waits = 0; waits < 100; waits += 1) {
        const [waiting] = await sql`select count(*)::int as count from pg_locks where not granted`;
        if (waiting?.count > 0) break;
        await new Promise((later) => setTimeout(later, 10));
      }
    });
    expect(await second).toBe('PT409 stale');
    expect(await refused(skip(id, '2025-02-28'))).toBe('PT409 stale');
    expect(await all()).toHaveLength(2);
  });

  test.each([
    ['spent_on', { spent_on: '2025-02-31' }],
    ['spent_on', { spent_on: [] }],
    ['spent_on', { spent_on: 'infinity' }],
    ['vendor_id', { vendor_id: 'x' }],
    ['vendor_id', { vendor_id: 999_999 }],
    ['amount', { amount_paise: '1.5' }],
    ['amount', { amount_paise: 0 }],
    ['amount', { amount_paise: '999999999999999999' }],
    ['amount', { amount_paise: '99999999999999999999' }],
    ['gst', { gst_paise: {} }],
    ['gst', { gst_paise: 99_999_999_900 }],
    ['gst', { gst_paise: -1 }],
    ['category', { category: 'Gold' }],
    ['payment_mode', { payment_mode: '' }],
    ['description', { description: 'x'.repeat(301) }],
    ['receipt', { receipt_path: 'x'.repeat(301) }],
    ['', []],
    ['', 'x'],
  ])('refuses nonsense in words, at the field %s, and is still due: %j', async (field, entry) => {
    const id = await add('2025-01-31', 'monthly');
    expect(await refused(enter(id, '2025-02-28', entry as object))).toBe(`PT422 ${field}`);
    expect(await all()).toMatchObject([{ repeats: 'monthly', next_due_on: '2025-02-28' }]);
  });

  test('can be skipped, once', async () => {
    const id = await add('2025-01-31', 'monthly');
    expect(await skip(id, '2025-02-28')).toBe('2025-03-31');
    expect(await refused(skip(id, '2025-02-28'))).toBe('PT409 stale');
    expect(await refused(enter(id, '2025-02-28'))).toBe('PT409 stale');
    expect((await dueAt('2025-03-01')).due).toEqual([]);
    await enter(id, '2025-03-31');
    expect((await all()).map(({ spent_on }) => spent_on)).toEqual(['2025-01-31', '2025-03-31']);
  });

  test('is due again when the entered one is deleted', async () => {
    const january = await add('2025-01-31', 'monthly');
    const february = await enter(january, '2025-02-28');
    await as(sql, owner, (tx) => tx`delete from public.expenses where id = ${february}`);
    expect(await all()).toMatchObject([{ id: january, repeats: 'monthly', next_due_on: '2025-02-28' }]);
    const again = await enter(january, '2025-02-28');
    await enter(again, '2025-03-31');
    expect(await all()).toHaveLength(3);
  });

  test('continues when an earlier one of the series is deleted', async () => {
    const january = await add('2025-01-31', 'monthly');
    const february = await enter(january, '2025-02-28');
    await as(sql, owner, (tx) => tx`delete from public.expenses where id = ${january}`);
    expect(await all()).toMatchObject([{ id: february, repeats: 'monthly', next_due_on: '2025-03-31' }]);
  });

  test('follows a corrected date, another rhythm, and stops', async () => {
    const id = await add('2025-01-13', 'monthly');
    const change = (set: object) =>
      as(sql, owner, (tx) => tx`update public.expenses set ${sql(set as never)} where id = ${id}`);
    await change({ spent_on: '2025-01-31' });
    expect(await all()).toMatchObject([{ next_due_on: '2025-02-28' }]);
    await change({ repeats: 'quarterly' });
    expect(await all()).toMatchObject([{ next_due_on: '2025-04-30' }]);
    await change({ description: 'Shop and kitchen' });
    expect(await all()).toMatchObject([{ next_due_on: '2025-04-30' }]);
    await change({ repeats: 'never' });
    expect(await all()).toMatchObject([{ next_due_on: null }]);
  });

  test('does not branch: only the latest of a series can repeat', async () => {
    const january = await add('2025-01-31', 'monthly');
    await enter(january, '2025-02-28');
    const branch = as(sql, owner, (tx) => tx`update public.expenses set repeats = 'weekly' where id = ${january}`);
    expect(await refused(branch)).toBe('PT422 repeats');
  });

  test('that is unknown is not found, and entering or skipping one is in the log', async () => {
    expect(await refused(enter(999_999, '2025-02-28'))).toBe('PT404 undefined');
    const id = await add('2025-01-31', 'monthly');
    await skip(id, '2025-02-28');
    const entered = await enter(id, '2025-03-31');
    const log = await sql`select action, row_id from public.audit_log where table_name = 'expenses'
      and row_id in (${String(id)}, ${String(entered)}) and actor_id = ${owner.userId} order by id`;
    expect(log.map(({ action, row_id }) => [action, Number(row_id)])).toEqual([
      ['insert', id],
      ['update', id],
      ['update', id],
      ['insert', entered],
    ]);
  });
});

describe('the day of an expense', () => {
  const inDays = async (days: number): Promise<string> =>
    (await sql`select (private.day_of(now()) + ${days}::int)::text as day`)[0]?.day;

  test.each([0, 1])('is today or, give or take a time zone, tomorrow: %i days ahead', async (days) => {
    expect(await refused(add(await inDays(days), 'never'))).toBe('done');
  });

  test.each([2, 40, 800])('is not %i days ahead', async (days) => {
    expect(await refused(add(await inDays(days), 'monthly'))).toBe('PT422 spent_on');
  });

  test('is not in another century, and not moved there', async () => {
    expect(await refused(add('1999-12-31', 'never'))).toBe('PT422 spent_on');
    const id = await add('2025-01-31', 'never');
    const moved = as(sql, owner, (tx) => tx`update public.expenses set spent_on = '0026-11-16' where id = ${id}`);
    expect(await refused(moved)).toBe('PT422 spent_on');
  });

  test('of the next of a series can be in advance, by a year at most', async () => {
    const rent = await add(await inDays(0), 'yearly');
    const [first] = await all();
    expect(await refused(enter(rent, first?.next_due_on ?? '', { spent_on: await inDays(30) }))).toBe('done');
    const [, second] = await all();
    const due = second?.next_due_on ?? '';
    expect(await refused(enter(second?.id ?? 0, due))).toBe('PT422 spent_on');
  });
});
