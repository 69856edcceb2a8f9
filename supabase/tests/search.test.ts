import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertProduct, newMark, type Queries } from '../../tests/support/rows.ts';
import { notFound, searchQueries, without } from './search-queries.ts';

type Card = { Id: number; Name: string; Price: number; Category: string; isavailable: boolean };
type Answer = { found: number; total: number; products: Card[]; nearest: Card[] };

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'), 'demo');
  sql = database.sql;
});
afterAll(() => database.drop());

/** As a visitor's browser asks. */
async function search(query: string, more: Record<string, string | number> = {}): Promise<Answer> {
  const args = Object.entries({ query, ...more });
  const list = args.map(([name], place) => `${name} => $${place + 1}`).join(', ');
  const rows = await as(sql, 'anon', (tx) =>
    tx.unsafe<{ answer: Answer }[]>(
      `select public.search_products(${list}) as answer`,
      args.map(([, value]) => value) as never[],
    ),
  );
  return rows[0]?.answer as Answer;
}
const names = ({ products }: Answer) => products.map(({ Name }) => Name);
const keyOf = async (words: string) => (await sql`select private.search_key(${words}) as key`)[0]?.key as string;

test('the right sweet comes first for every spelling, slip and language in the table', async () => {
  expect(searchQueries.length).toBeGreaterThanOrEqual(50);
  const firsts: [string, string | undefined][] = [];
  for (const [typed] of searchQueries) firsts.push([typed, names(await search(typed))[0]]);
  expect(firsts).toEqual(searchQueries);
});

test.each(notFound)('%s is not found by a word that is merely like it', async (typed) => {
  expect(names(await search(typed))).toEqual([]);
});

describe('a search for sweets without an ingredient', () => {
  test.each(without)('%s finds nothing that has it, and nothing is called near', async (typed) => {
    expect(await search(typed)).toEqual({ found: 0, total: 0, products: [], nearest: [] });
  });

  test('is found where a sweet is called so', async () => {
    const id = await insertProduct(sql, { name: 'Sugar Free Anjeer Roll' });
    for (const typed of ['sugarfree', 'sugar free', 'sugar-free anjeer'])
      expect(names(await search(typed)), typed).toEqual(['Sugar Free Anjeer Roll']);
    await sql`delete from public."Products" where "Id" = ${id}`;
  });
});

describe('a search for eggless or vegetarian sweets', () => {
  async function insertEggCake(): Promise<number> {
    const id = await insertProduct(sql, { name: 'Egg Cake' });
    await sql`update public."Products" set food_mark = 'non-veg' where "Id" = ${id}`;
    return id;
  }

  test.each(['eggless', 'egg free', 'veg', 'Pure veg', 'eggless sweets', 'without egg', 'शाकाहारी'])(
    '%s is all that carries the green mark',
    async (typed) => {
      const cake = await insertEggCake();
      const [veg] = await sql`select count(*)::int as count from public."Products"
        where food_mark = 'veg' and is_listed and archived_at is null`;
      const answer = await search(typed, { most: 480 });
      expect(answer.found).toBe(veg?.count);
      expect(names(answer)).not.toContain('Egg Cake');
      await sql`delete from public."Products" where "Id" = ${cake}`;
    },
  );

  test('is looked for among it, and near is only what carries it too', async () => {
    expect(names(await search('eggless kaju katli'))[0]).toBe('Kaju Katli Silver Box');
    const cake = await insertEggCake();
    expect(names(await search('cake'))).toEqual(['Egg Cake']);
    const { found, nearest } = await search('eggless cake');
    expect(found).toBe(0);
    expect(nearest.length).toBeGreaterThan(0);
    expect(nearest.map(({ Name }) => Name)).not.toContain('Egg Cake');
    await sql`delete from public."Products" where "Id" = ${cake}`;
  });

  test.each(['non veg', 'non-veg laddu', 'eggless sugar free laddu', 'egg'])('%s is not that', async (typed) => {
    expect((await search(typed)).found).toBe(0);
  });
});

describe('what is found', () => {
  test('is found by name before category before ingredient', async () => {
    const chocolates = (await search('chocolate', { most: 40 })).products;
    const isNamed = ({ Name }: Card) => Name.includes('Chocolate');
    const named = chocolates.filter(isNamed);
    expect(named.length).toBeGreaterThan(3);
    expect(chocolates.slice(0, named.length)).toEqual(named);
    const rest = chocolates.slice(named.length);
    expect(rest.map(({ Category }) => Category)).toContain('Chocolate');
    expect(names(await search('cardamom', { most: 40 }))).toContain('Besan Laddu');
  });

  test('has every word that was typed; otherwise nothing is found and the nearest are offered', async () => {
    const answer = await search('ghevar laddu');
    expect(answer).toMatchObject({ found: 0, total: 0, products: [] });
    expect(answer.nearest.length).toBeGreaterThan(3);
    expect(answer.nearest[0]?.Name).toContain('Laddu');
    const unknown = await search('zzyzx');
    expect(unknown.found).toBe(0);
    expect(unknown.nearest.every(({ isavailable }) => isavailable)).toBe(true);
    expect(unknown.nearest.length).toBe(8);
  });

  test('finds everything for “sweets”', async () => {
    expect((await search('mithai')).found).toBe((await search('sweets')).found);
    expect((await search('मिठाई')).found).toBeGreaterThan(30);
  });

  test('can be had before what is sold out, where both fit equally', async () => {
    const mark = newMark('Zauberei').replace(/\W/g, '');
    await insertProduct(sql, { name: `${mark} Gone` });
    const here = await insertProduct(sql, { name: `${mark} Here`, stock: 5000 });
    const answer = await search(mark);
    expect(answer.found).toBe(2);
    expect(answer.products[0]?.Id).toBe(here);
  });

  test('is never archived, and never unlisted', async () => {
    const mark = newMark('Hidden').replace(/\W/g, '');
    const id = await insertProduct(sql, { name: `${mark} Peda`, stock: 5000 });
    expect((await search(mark)).found).toBe(1);
    await sql`update public."Products" set is_listed = false where "Id" = ${id}`;
    const { found, nearest } = await search(mark, { most: 480 });
    expect([found, nearest.some(({ Id }) => Id === id)]).toEqual([0, false]);
    await sql`update public."Products" set is_listed = true, archived_at = now() where "Id" = ${id}`;
    expect((await search(mark)).found).toBe(0);
  });

  test('follows a product that gets another name, category or ingredient, and one that is deleted', async () => {
    const [before, after] = [newMark('Before'), newMark('After')].map((mark) => mark.replace(/\W/g, ''));
    const id = await insertProduct(sql, { name: `${before} Sweet` });
    await sql`update public."Products" set "Name" = ${`${after} Sweet`}, ingredients = ${`${after}nuts, sugar`} where "Id" = ${id}`;
    expect([(await search(before ?? '')).found, (await search(`${after}nuts`)).found]).toEqual([0, 1]);
    const known = async (word = '') =>
      (await sql`select from private.search_words where word = private.search_key(${word})`).length;
    await sql`select public.sweep()`;
    expect([await known(before), await known(after)]).toEqual([0, 1]);
    await sql`delete from public."Products" where "Id" = ${id}`;
    await sql`select public.sweep()`;
    expect([(await search(`${after}nuts`)).found, await known(after)]).toEqual([0, 0]);
  });
});

describe('the filters', () => {
  test('of price and category leave out, and say what there would be without them', async () => {
    const all = await search('laddu', { most: 40 });
    const cheap = await search('laddu', { most: 40, min_price: 0, max_price: 300 });
    expect(cheap.found).toBe(all.found);
    expect(cheap.total).toBe(all.products.filter(({ Price }) => Price <= 300).length);
    expect(cheap.total).toBeLessThan(all.total);
    const gifts = await search('laddu', { most: 40, category: 'Gift' });
    expect(new Set(gifts.products.map(({ Category }) => Category))).toEqual(new Set(['Gift']));
  });

  test('are sorted by price up, down and by rating when chosen', async () => {
    const prices = async (sort: string) =>
      (await search('laddu', { most: 40, sort })).products.map(({ Price }) => Price);
    const up = await prices('l-h');
    expect(up).toEqual([...up].sort((a, b) => a - b));
    expect(await prices('h-l')).toEqual([...up].reverse().sort((a, b) => b - a));
    expect(names(await search('laddu', { sort: 'nonsense' }))).toEqual(names(await search('laddu')));
  });

  test('never give more than 480, and never fewer than none', async () => {
    expect((await search('laddu', { most: -5 })).products).toEqual([]);
    expect((await search('laddu', { most: 2_000_000_000 })).total).toBeGreaterThan(0);
  });
});

describe('odd questions', () => {
  const odd = [
    '',
    '   ',
    '%',
    '_',
    '%%%%',
    "'; drop table orders; --",
    '\\',
    '(((',
    '*:* | & !',
    '\u0001\u0002\u001f',
    '\u202e\u200b\ufeff',
    '🍬🍮',
    'لڈو',
    'லட்டு',
    '甜品',
    'ﷺ',
    'x'.repeat(10_000),
    'लड्डू '.repeat(2_000),
    'a '.repeat(5_000),
    'é'.repeat(5_000),
    '\u0301'.repeat(3_000),
  ];
  test.each(odd.map((query) => [query.slice(0, 20), query]))('%j does no harm', async (_shown, query) => {
    const started = performance.now();
    const answer = await search(query);
    expect(answer.products.length + answer.nearest.length).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test('wildcards of SQL are plain characters', async () => {
    expect((await search('l%u')).found).toBe(0);
    expect((await search('lad_u')).found).toBe((await search('lad u')).found);
  });

  test('a product with long and unusual words is indexed quickly', async () => {
    const started = performance.now();
    const id = await insertProduct(sql, { name: 'x'.repeat(120) });
    await sql`update public."Products" set ingredients = ${'ab'.repeat(999)} where "Id" = ${id}`;
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

test('one function reads all spellings: case, accents, doubled letters, sounds and Devanagari', async () => {
  for (const spelling of ['Motichoor Laddoo', 'motichur  LADU', 'mótīchōōr-laddu', 'मोतीचूर लड्डू'])
    expect(await keyOf(spelling), spelling).toBe('moticur ladu');
  expect(await keyOf('हलवा रसमलाई बेसन')).toBe('halva rasmalai besan');
  expect(await keyOf('Halwas, Pistachios & Almonds')).toBe('halva pistacio almond');
});

test('search reads the catalogue and its words, and nothing that grows with orders', async () => {
  const scans = (tx: Queries) => tx<{ name: string; scans: number }[]>`
    select relname as name, (seq_scan + coalesce(idx_scan, 0))::int as scans from pg_stat_xact_user_tables order by 1`;
  const read = await sql.begin(async (tx) => {
    const before = new Map((await scans(tx)).map(({ name, scans }) => [name, scans]));
    for (const query of ['ladoo', 'kaju katli', 'zzyzx', 'mithai']) await tx`select public.search_products(${query})`;
    return (await scans(tx)).filter(({ name, scans }) => scans > (before.get(name) ?? 0)).map(({ name }) => name);
  });
  expect(read).toEqual(['Products', 'search_entries', 'search_synonym_words', 'search_words']);
});
