import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertUser } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
let owner: { userId: string };
let vendorId: number;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  owner = { userId: await insertUser(sql, { administrator: true }) };
  const [vendor] =
    await sql`insert into public.vendors (name, gstin) values ('Rangoli Packaging', '27AAPFU0939F1ZV') returning id`;
  vendorId = Number(vendor?.id);
  await sql`insert into public.expenses (spent_on, category, vendor_id, description, amount, gst_amount, payment_mode, receipt_path)
    select date '2026-01-01' + n, case when n % 3 = 0 then 'Gas' else 'Packaging' end, case when n % 2 = 0 then ${vendorId}::bigint end,
           'Bill ' || n, 100 + n, 18, case when n % 5 = 0 then 'Cash' else 'UPI' end, case when n % 4 = 0 then '2026/x.webp' end
    from generate_series(0, 129) n`;
});
afterAll(() => database.drop());

type Answer = {
  rows: { id: number; spent_on: string; description: string; amount_paise: number; vendor: string | null }[];
  next: { key: unknown; id: number } | null;
  count: number;
  totals: { amount_paise: number; gst_paise: number };
};
const list = async (filter: object = {}, by = 'date', after: object | null = null): Promise<Answer> => {
  const [row] = await as(
    sql,
    owner,
    (tx) =>
      tx`select public.admin_list_expenses(${sql.json(filter as never)}, ${by}, ${after && sql.json(after as never)}) as answer`,
  );
  return row?.answer;
};

describe('the list of expenses', () => {
  test.each(['date', 'amount'])('comes by %s, page by page, each once', async (by) => {
    const rows = [];
    let page = await list({}, by);
    expect(page.rows).toHaveLength(50);
    for (rows.push(...page.rows); page.next; rows.push(...page.rows)) page = await list({}, by, page.next);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(130);
    const keys = rows.map((row) => (by === 'date' ? row.spent_on : String(row.amount_paise).padStart(9, '0')));
    expect(keys).toEqual([...keys].sort().reverse());
  });

  test.each<[object, number]>([
    [{}, 130],
    [{ from: '2026-01-11', to: '2026-01-20' }, 10],
    [{ category: 'Gas' }, 44],
    [{ vendor_id: 'own' }, 65],
    [{ payment_mode: 'Cash' }, 26],
    [{ receipt: 'with' }, 33],
    [{ receipt: 'without' }, 97],
    [{ search: 'BILL 12' }, 11],
    [{ search: 'rangoli' }, 65],
    [{ search: '229.00' }, 1],
    [{ search: '%' }, 0],
    [{ category: 'Gas', payment_mode: 'Cash', search: 'bill', from: '2026-02-01' }, 6],
    [{ category: '', search: '' }, 130],
  ])('filtered by %o has %i', async (filter, count) => {
    const own = 'vendor_id' in filter ? { vendor_id: String(vendorId) } : filter;
    const answer = await list(own);
    const all = [];
    for (let page = answer; ; page = await list(own, 'date', page.next)) {
      all.push(...page.rows);
      if (!page.next) break;
    }
    expect([answer.count, all.length]).toEqual([count, count]);
    expect(answer.totals.amount_paise).toBe(all.reduce((sum, { amount_paise }) => sum + amount_paise, 0));
    expect(answer.totals.gst_paise).toBe(count * 1800);
  });
});

describe('for the accountant', () => {
  type Page = { rows: unknown[][]; next: object | null };
  const exported = (filter: object) =>
    as(
      sql,
      'service',
      (tx) => tx`select public.export_expenses(${sql.json(filter as never)}, null, now()) as page`,
    ).then(([row]) => row?.page);

  test('a line has what a ledger needs, oldest first', async () => {
    const page = await exported({ from: '2026-01-01', to: '2026-01-02' });
    expect(page).toEqual({
      next: null,
      rows: [
        ['2026-01-01', 'Gas', 'Rangoli Packaging', '27AAPFU0939F1ZV', 'Bill 0', 100, 18, 82, 'Cash', 'yes'],
        ['2026-01-02', 'Packaging', '', '', 'Bill 1', 101, 18, 83, 'UPI', 'no'],
      ],
    });
  });

  test('a long list comes in pages, each line once', async () => {
    await sql`insert into public.expenses (spent_on, category, amount, payment_mode)
      select date '2025-01-01' + n / 9, 'Other', 1 + n, 'UPI' from generate_series(1, 2500) n`;
    const amounts: number[] = [];
    let after: object | null = null;
    do {
      const [row] = await as(
        sql,
        'service',
        (tx) =>
          tx`select public.export_expenses('{"category": "Other"}', ${after && sql.json(after as never)}, now()) as page`,
      );
      const page = row?.page as Page;
      amounts.push(...page.rows.map((cells) => Number(cells[5])));
      after = page.next;
    } while (after);
    expect(amounts).toHaveLength(2500);
    expect(new Set(amounts).size).toBe(2500);
  });

  test('the months of a year have the lines of the profit and loss', async () => {
    const [row] = await as(
      sql,
      'service',
      (tx) => tx`select public.export_profit('{"year": 2025}', null, '2026-03-20 10:00+05:30') as page`,
    );
    const page = row?.page as Page;
    const { rows } = page;
    expect(rows.map(([month]) => month)).toEqual(
      [4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3].map(
        (month) => `${month < 4 ? 2026 : 2025}-${String(month).padStart(2, '0')}`,
      ),
    );
    const [january] = await sql`select * from private.profit_and_loss('2026-01-01', '2026-01-31')`;
    const cells = rows[9] ?? [];
    expect(Number(cells[16]) * 100).toBe(Number(january?.expenses_paise));
    expect(Number(cells[17]) * 100).toBe(Number(january?.profit_paise));
  });

  test.each(['export_expenses', 'export_profit'])('%s is not for browsers', async (name) => {
    const call = as(sql, owner, (tx) => tx.unsafe(`select public.${name}('{"year": 2025}', null, now())`));
    await expect(call).rejects.toMatchObject({ code: '42501' });
  });
});
