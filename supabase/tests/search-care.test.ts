import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertProduct } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
});
afterAll(() => database.drop());

const found = async (query: string) =>
  (await sql`select (public.search_products(${query}) ->> 'found')::int as found`)[0]?.found as number;
const lostWords = () => sql`
  select word from private.search_entries where word not like '=%' and word not in (select word from private.search_words)
  union all
  select word from private.search_synonym_words where word not in (select word from private.search_words)`;

describe('words of products that are saved at the same time', () => {
  test('are not lost, neither to the other save nor to the sweep', async () => {
    const [one, other] = [await sql.reserve(), await sql.reserve()];
    try {
      const id = await insertProduct(sql, { name: 'Delight Zanzibari' });
      await one`begin`;
      await insertProduct(one, { name: 'Crunch Zanzibari' });
      await other`update public."Products" set "Name" = 'Plain Delight' where "Id" = ${id}`;
      const swept = other`select public.sweep()`.execute(); // waits for the first, and sees what it wrote
      await new Promise((resolve) => setTimeout(resolve, 200));
      await one`commit`;
      await swept;
      expect(await found('zanzibari')).toBe(1);
      expect(await lostWords()).toEqual([]);
    } finally {
      one.release();
      other.release();
    }
  });

  test('and that swap their names do not wait for each other', async () => {
    const [a, b] = [
      await insertProduct(sql, { name: 'Quirkoza One' }),
      await insertProduct(sql, { name: 'Vortimel Two' }),
    ];
    const [one, other] = [await sql.reserve(), await sql.reserve()];
    try {
      await one`begin`;
      await other`begin`;
      await one`update public."Products" set "Name" = 'Vortimel One' where "Id" = ${a}`;
      await other`update public."Products" set "Name" = 'Quirkoza Two' where "Id" = ${b}`;
      await one`commit`;
      await other`commit`;
    } finally {
      one.release();
      other.release();
    }
    await sql`select public.sweep()`;
    expect([await found('quirkoza'), await found('vortimel')]).toEqual([1, 1]);
    expect(await lostWords()).toEqual([]);
  });

  test('are written again when the product is saved, also when they were deleted', async () => {
    const id = await insertProduct(sql, { name: 'Healable' });
    await sql`delete from private.search_words where word = private.search_key('healable')`;
    expect(await found('healable')).toBe(0);
    await sql`update public."Products" set "Name" = "Name" where "Id" = ${id}`;
    expect(await found('healable')).toBe(1);
  });

  test('that nothing has any more are not in the way before they are swept', async () => {
    const id = await insertProduct(sql, { name: 'Marzipanna' });
    await insertProduct(sql, { name: 'Marzipano' });
    await sql`update public."Products" set "Name" = 'Something else' where "Id" = ${id}`;
    expect(await found('marzipanna')).toBe(1);
  });
});

test('a word is looked up once, and eight at most', async () => {
  const terms = async (query: string) =>
    (await sql`select term from private.search_terms(${query}) where first = last`).map(({ term }) => term as string);
  expect(await terms('laddu LADOO लड्डू barfi laddu')).toEqual(['ladu', 'barfi']);
  expect(await terms('one two three four five six seven eight nine ten')).toHaveLength(8);
  expect((await terms('x'.repeat(500))).every((term) => term.length <= 40)).toBe(true);
});
