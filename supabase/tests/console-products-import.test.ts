import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type CsvCell, csvLine } from '../../domain/csv/write-csv.ts';
import { productHeadings } from '../../domain/products/product-columns.ts';
import { readProductFile } from '../../domain/products/read-product-file.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertUser, newMark } from '../../tests/support/rows.ts';

type Plan = {
  fingerprint: string;
  rows: {
    line: number;
    id: number | null;
    name: string;
    action: string;
    changes: { field: string; from: unknown; to: unknown }[];
    problems: { field: string; message: string }[];
  }[];
};

let database: TestDatabase;
let sql: Sql;
let asha: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'), 'demo');
  sql = database.sql;
  asha = { userId: await insertUser(sql, { name: 'Asha', administrator: true }) };
});
afterAll(async () => {
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
  await database.drop();
});

type Values = Record<string, unknown>;
const numbered = (rows: Values[]) => rows.map((values, index) => ({ line: index + 2, values }));
const importRows = async (rows: unknown, dryRun: boolean, fingerprint: string | null = null) =>
  (
    await as(
      sql,
      asha,
      (tx) => tx`select public.admin_import_products(${sql.json(rows as never)}, ${dryRun}, ${fingerprint}) as answer`,
    )
  )[0]?.answer;
const tryRows = (rows: Values[]): Promise<Plan> => importRows(numbered(rows), true);
const apply = (rows: Values[], fingerprint: string) => importRows(numbered(rows), false, fingerprint);
const problemsOf = async (...rows: Values[]) =>
  (await tryRows(rows)).rows.map(({ problems }) => problems.map(({ field, message }) => `${field}: ${message}`));
const productOf = async (name: string) =>
  (await sql`select *, "Id"::int as id, updated_at::text as seen from public."Products" where "Name" = ${name}`)[0];
async function everything(): Promise<string> {
  const [row] = await sql`select md5(string_agg(p::text, '|' order by p."Id")) as print from public."Products" p`;
  return row?.print;
}

const sweet = (name = newMark('Sweet')) => ({
  name,
  category: 'Laddu',
  price_paise: 25000,
  has_size: true,
  food_mark: 'veg',
  ingredients: 'Ghee',
  allergens: 'Milk',
  shelf_life_days: 9,
  storage: 'Cool',
  is_listed: true,
});

async function exported(filter: object = { state: 'all' }): Promise<string> {
  const rows: CsvCell[][] = [];
  let after: unknown = null;
  do {
    const [row] = await as(
      sql,
      'service',
      (tx) =>
        tx`select public.export_products(${sql.json(filter as never)}, ${after === null ? null : sql.json(after as never)}, now()) as page`,
    );
    rows.push(...(row?.page.rows ?? []));
    after = row?.page.next;
  } while (after);
  return [productHeadings as CsvCell[], ...rows].map(csvLine).join('');
}

test('an exported file, imported again, changes nothing', async () => {
  await sql`insert into public."Products" ("Name", "Price", "Category", "Description", ingredients, gst_percent, archived_at)
    values ('=Formula, "quoted"', 12.5, 'Gift', E'- one\r\n- two\nthree ', '@home', 12.5, now()), ('Plain', 1, 'Takeaway', '', '', 0, null)`;
  const file = readProductFile(await exported());
  if (!file.ok) throw new Error(file.message);
  expect(file.rows.flatMap(({ problems }) => problems)).toEqual([]);
  expect(file.ignoredHeadings).toEqual([]);
  const plan: Plan = await importRows(file.rows, true);
  expect(plan.rows.filter(({ action }) => action !== 'unchanged')).toEqual([]);
  expect(plan.rows.length).toBe(Number((await sql`select count(*) from public."Products"`)[0]?.count));
  const before = await everything();
  expect(await importRows(file.rows, false, plan.fingerprint)).toEqual({ added: 0, changed: 0, unused_images: [] });
  expect(await everything()).toBe(before);
});

test('the export takes the filter of the list', async () => {
  const file = readProductFile(await exported({ category: 'Halwa', search: 'halwa' }));
  expect(file.ok && new Set(file.rows.map((row) => row.values.category))).toEqual(new Set(['Halwa']));
});

test('a dry run says what would change, and changes nothing', async () => {
  const before = await everything();
  const besan = await productOf('Besan Laddu');
  const { rows } = await tryRows([
    { id: besan?.id, name: 'Besan Laddu', price_paise: 35000, offer_percent: 0, unit_cost_paise: 15000 },
    { name: 'motichoor LADDU', gst_percent: 18 },
    { name: 'Kaju Katli Deluxe', category: 'Gift', price_paise: 50000, has_size: false, weight_grams: 400 },
    {
      id: besan?.id + 2,
      name: (await sql`select "Name" as name from public."Products" where "Id" = ${besan?.id + 2}`)[0]?.name,
    },
  ]);
  expect(rows[0]).toMatchObject({ line: 2, id: besan?.id, action: 'changed' });
  expect(rows[0]?.changes.map(({ field, to }) => [field, to])).toEqual([
    ['price_paise', 35000],
    ['unit_cost_paise', 15000],
  ]);
  expect(rows[0]?.changes[0]?.from).toBe(32000);
  expect(rows[1]).toMatchObject({ action: 'changed', name: 'Motichoor Laddu' });
  // The name is the product's as the file writes it. Its stored null becomes the tag that the prices make.
  expect(rows[1]?.changes.map(({ field }) => field)).toEqual(['gst_percent', 'name', 'offer_percent']);
  expect(rows[2]).toMatchObject({ action: 'new', id: null, name: 'Kaju Katli Deluxe', problems: [] });
  expect(rows[3]?.action).toBe('unchanged');
  expect(await everything()).toBe(before);
});

test('importing does exactly what the dry run said, and is in the log', async () => {
  const name = newMark('New');
  const nariyal = await productOf('Nariyal Laddu');
  const rows = [sweet(name), { name: 'Nariyal Laddu', price_paise: 28000, unit_cost_paise: 9900 }];
  const { fingerprint } = await tryRows(rows);
  expect(await apply(rows, fingerprint)).toEqual({ added: 1, changed: 1, unused_images: [] });
  const made = await productOf(name);
  expect(made).toMatchObject({ Price: '250.00', hasSize: true, weight_grams: 500, is_listed: true, offer_percent: 0 });
  expect(await productOf('Nariyal Laddu')).toMatchObject({ Price: '280.00', Description: nariyal?.Description });
  const [cost] = await sql`select private.unit_cost_at(${nariyal?.id}, now()) as cost`;
  expect(cost?.cost).toBe('99.00');
  const log = await sql`select action, actor_id from public.audit_log
    where table_name = 'Products' and row_id in (${String(made?.id)}, ${String(nariyal?.id)}) order by id`;
  expect(log).toEqual([
    { action: 'insert', actor_id: asha.userId },
    { action: 'update', actor_id: asha.userId },
  ]);
});

test('changes since the dry run are not overwritten', async () => {
  const rows = [sweet(), { name: 'Til Gud Laddu', price_paise: 29000 }];
  const { fingerprint } = await tryRows(rows);
  await as(
    sql,
    asha,
    (tx) => tx`update public."Products" set allergens = 'Milk, Sesame' where "Name" = 'Til Gud Laddu'`,
  );
  const before = await everything();
  await expect(apply(rows, fingerprint)).rejects.toMatchObject({ code: 'PT409', detail: 'stale' });
  await expect(apply(rows, '')).rejects.toMatchObject({ code: 'PT409' });
  await expect(importRows(numbered(rows), false)).rejects.toMatchObject({ code: 'PT409' });
  const again = await tryRows(rows);
  const dearer = [sweet(), { name: 'Til Gud Laddu', price_paise: 99000 }];
  await expect(apply(dearer, again.fingerprint)).rejects.toMatchObject({ code: 'PT409' });
  expect(await everything()).toBe(before);
});

test('one refused row and nothing is imported', async () => {
  const rows = [sweet(), { ...sweet(), price_paise: 5 }];
  const plan = await tryRows(rows);
  expect(plan.rows.map(({ action }) => action)).toEqual(['new', 'refused']);
  const before = await everything();
  await expect(apply(rows, plan.fingerprint)).rejects.toMatchObject({ code: 'PT422' });
  expect(await everything()).toBe(before);
});

test('errors are reported with row and column', async () => {
  expect(await problemsOf({ ...sweet(), storage: '', gst_percent: 50 })).toEqual([
    [
      'gst_percent: A GST rate is between 0 and 40, with at most two decimals.',
      'storage: To list it, enter how to store it.',
    ],
  ]);
  expect(await problemsOf({ id: 987654321, name: 'x' }, { id: 'seven' }, { id: -1 })).toEqual([
    ['id: Product not found.'],
    ['id: Product not found.'],
    ['id: Product not found.'],
  ]);
  expect(await problemsOf({ name: 'Only a name' })).toEqual([
    [
      'category: Choose Halwa, Chocolate, Laddu, Takeaway or Gift.',
      'price_paise: Give the product a price.',
      'has_size: Choose weight or piece.',
      'weight_grams: Enter the weight of a piece or pack.',
    ],
  ]);
  expect(await problemsOf({ ...sweet(), is_archived: true, is_listed: false })).toEqual([
    ['is_archived: A new product cannot start in the archive.'],
  ]);
  expect(await problemsOf({ ...sweet(), colour: 'red' })).toEqual([['colour: Products have no such field.']]);
});

test('two rows about the same thing are refused at the second', async () => {
  const [name, besan] = [newMark('Twin'), await productOf('Besan Laddu')];
  expect(await problemsOf(sweet(name), sweet(name.toUpperCase()))).toEqual([[], ['name: Line 2 has the same name.']]);
  expect(await problemsOf({ id: besan?.id, price_paise: 40000 }, { name: 'besan laddu', price_paise: 50000 })).toEqual([
    [],
    ['id: Line 2 is about the same product.'],
  ]);
  await sql`update public."Products" set combo = null where combo = 'laddu'`;
  expect(await problemsOf({ ...sweet(), combo: 'laddu' }, { ...sweet(), combo: 'laddu' })).toEqual([
    [],
    ['combo: Line 2 has the same combo pack.'],
  ]);
});

test.each([null, {}, [], [1], [{ values: {} }], [{ line: 'x', values: {} }], [{ line: 2, values: [] }]])(
  'refuses %j as rows of a file',
  async (rows) => {
    await expect(importRows(rows, true)).rejects.toMatchObject({ code: 'PT422' });
  },
);

test('the export is for the shop’s own functions', async () => {
  const ask = as(sql, asha, (tx) => tx`select public.export_products('{}', null, now())`);
  await expect(ask).rejects.toMatchObject({ code: '42501' });
});

test('a file of many products is imported in one go', async () => {
  await sql`insert into public."Products" ("Name", "Price", "Category", "Description", ingredients)
    select 'Bulk ' || n, 100 + n, 'Gift', repeat('Sweet and soft. ', 30), 'Sugar' from generate_series(1, 600) n`;
  const file = readProductFile(await exported({ search: 'Bulk' }));
  if (!file.ok) throw new Error(file.message);
  const rows = file.rows.map(({ line, values }) => ({ line, values: { ...values, hsn: '1704' } }));
  const plan: Plan = await importRows(rows, true);
  expect(await importRows(rows, false, plan.fingerprint)).toMatchObject({ added: 0, changed: 600 });
});

test('pictures, taste and travel are imported, and files that nothing shows any longer are named', async () => {
  const name = newMark('Pictured');
  const old = '/storage/v1/object/public/products/pictured-old-960.webp';
  const row = { ...sweet(name), taste: 'Nutty', travel: 'In a tin', more_pictures: `${old} cut open` };
  const first = await tryRows([row]);
  expect(await apply([row], first.fingerprint)).toMatchObject({ added: 1, unused_images: [] });
  const next = { name, more_pictures: '/b.webp in its box | /c.webp' };
  const second = await tryRows([next]);
  expect(second.rows[0]?.changes.map(({ field }) => field)).toEqual(['more_pictures']);
  expect(await apply([next], second.fingerprint)).toMatchObject({ changed: 1, unused_images: [old] });
  const file = readProductFile(await exported({ state: 'all', search: name }));
  expect(file.ok && file.rows[0]?.values).toMatchObject({ taste: 'Nutty', travel: 'In a tin', ...next });
  const refused = await tryRows([{ name, more_pictures: 'javascript:x' }]);
  expect(refused.rows[0]?.problems.map(({ field }) => field)).toEqual(['more_pictures']);
});
