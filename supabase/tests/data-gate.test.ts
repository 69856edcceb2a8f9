// The gate with the real catalogue, before the real library: what passes is answered as the library answers it without.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Catalogue, readCatalogue } from '../../server/lite/data-gate/catalogue.ts';
import { sentBy } from '../../server/lite/data-gate/everyday-requests.ts';
import { passDataGate } from '../../server/lite/data-gate/gate.ts';
import { createLite, type Lite } from '../../server/lite/lite.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';

const secretKey = 'sb_secret_gate';
let database: TestDatabase;
let lite: Lite;
let catalogue: Catalogue;
const productIds: number[] = [];

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  const { sql } = database;
  for (const [name, price] of [
    ['Kaju Katli', 900],
    ['Besan Laddu', 320],
    ['Motichoor Laddu', 300],
    ['1.50', 15],
    ['null', 16],
    ['007', 17],
    ['Kaju (500 g), gift', 450],
  ] as const) {
    const [row] = await sql<{ Id: string }[]>`
      insert into public."Products" ("Name", "Price", "Category") values (${name}, ${price}, 'Gift') returning "Id"`;
    productIds.push(Number(row?.Id));
  }
  for (let rating = 1; rating <= 5; rating += 1) {
    const [user] = await sql<{ id: string }[]>`insert into auth.users (id) values (gen_random_uuid()) returning id`;
    await sql`insert into public.comments (content, rating, product_id, user_id)
      values (${`Good ${rating}`}, ${rating}, ${productIds[0] ?? 0}, ${user?.id ?? ''})`;
  }
  lite = await createLite({
    connection: database.connection,
    keys: { publishableKey: 'sb_publishable_gate', secretKey, jwtSecret: 'gate'.repeat(10) },
    siteUrl: 'http://localhost',
    apiUrl: 'http://localhost',
    redirectUrls: [],
    social: { name: 'google', clientId: 'unused', clientSecret: 'unused' },
    filesDir: '.',
    log: () => {},
  });
  catalogue = await readCatalogue(sql);
});
afterAll(async () => {
  await lite.close();
  await database.drop();
});

type Build = Parameters<typeof sentBy>[0];

async function asService(build: Build): Promise<Request> {
  const request = await sentBy(build);
  const headers = new Headers(request.headers);
  headers.set('apikey', secretKey);
  headers.delete('authorization');
  return new Request(request, { headers });
}

async function answer(request: Request): Promise<unknown> {
  const response = await lite.fetch(request);
  return { status: response.status, range: response.headers.get('content-range'), text: await response.text() };
}

async function throughGate(request: Request): Promise<Request> {
  const passed = await passDataGate(request, { catalogue, isAdministrator: async () => false });
  if (passed instanceof Response) throw new Error(await passed.text());
  return passed;
}

test('the catalogue holds what the Data API offers, and nothing of other schemas', async () => {
  expect([...catalogue.relations.keys()]).toEqual(
    expect.arrayContaining(['Products', 'comments', 'orders', 'order_details_view']),
  );
  expect(catalogue.relations.has('users')).toBe(false);
  expect(catalogue.relations.has('administrators')).toBe(false);
  expect(catalogue.routines.has('consume_rate_limit')).toBe(false);
  expect(catalogue.routines.get('search_products')?.[0]?.args.get('query')).toEqual({ type: 'text', required: true });
  expect(catalogue.routines.get('product_reviews')?.[0]?.result?.columns.get('rating')).toBe('int2');
  expect(catalogue.relations.get('comments')?.links.map(({ target }) => target)).toEqual(['Products']);
});

describe('an answer through the gate is the library’s own', () => {
  test.each<[string, Build]>([
    ['columns', (db) => db.from('Products').select('Id, title:Name, Price::text').order('Id')],
    ['an embedded table', (db) => db.from('Products').select('Id, comments(id, content)').order('Id')],
    ['two levels', (db) => db.from('comments').select('id, Products(Id, comments(rating))').order('id')],
    [
      'an inner join with conditions, order and limit',
      (db) =>
        db
          .from('Products')
          .select('Id, opinions:comments!inner(rating)')
          .gt('opinions.rating', 2)
          .order('rating', { referencedTable: 'opinions', ascending: false })
          .limit(2, { referencedTable: 'opinions' }),
    ],
    ['what has none', (db) => db.from('Products').select('Id, comments(id)').is('comments', null).order('Id')],
    ['a spread', (db) => db.from('comments').select('rating, ...Products(Name)').order('rating')],
    ['a count of what is embedded', (db) => db.from('Products').select('Id, comments(count)').order('Id')],
    ['text', (db) => db.from('Products').select('Id').eq('Name', 'Kaju (500 g), gift')],
    ['leading zeros', (db) => db.from('Products').select('Id').eq('Name', '007')],
    ['numbers', (db) => db.from('Products').select('Name').gt('Price', 100).lte('Price', 450.5).order('Price')],
    ['patterns', (db) => db.from('Products').select('Name').ilike('Name', '*LADDU').order('Name')],
    ['several patterns', (db) => db.from('Products').select('Name').likeAnyOf('Name', ['Kaju%', '%u']).order('Name')],
    ['an expression', (db) => db.from('Products').select('Name').regexIMatch('Name', '^k.*(i|t)$').order('Name')],
    ['a text search', (db) => db.from('Products').select('Name').textSearch('Name', 'laddu & besan')],
    [
      'a list',
      (db) => db.from('Products').select('Name').in('Name', ['Kaju (500 g), gift', 'Besan Laddu']).order('Name'),
    ],
    ['not in a list', (db) => db.from('comments').select('rating').not('rating', 'in', '(1,2)').order('rating')],
    ['a truth', (db) => db.from('Products').select('Name').is('isavailable', true).order('Name')],
    ['another truth', (db) => db.from('Products').select('Name').eq('isavailable', true).order('Name')],
    ['nothing', (db) => db.from('Products').select('Name').not('Category', 'is', null).order('Name')],
    [
      'a group',
      (db) => db.from('Products').select('Name').or('Price.lt.20,and(Price.gt.400,Name.like.Kaju*)').order('Name'),
    ],
    [
      'a group with quotes',
      (db) => db.from('Products').select('Name').or('Name.eq."Kaju (500 g), gift",Price.in.(300,320)').order('Name'),
    ],
    ['a negated group', (db) => db.from('Products').select('Name').not('Price', 'lt', 300).order('Name')],
    ['a page', (db) => db.from('Products').select('Name', { count: 'exact' }).order('Id').range(1, 3)],
    ['a count only', (db) => db.from('Products').select('Id', { count: 'exact', head: true }).gt('Price', 100)],
    ['one', (db) => db.from('Products').select('Name').eq('Name', 'Kaju Katli').single()],
    ['none of one', (db) => db.from('Products').select('Name').eq('Name', 'nope').single()],
    ['csv', (db) => db.from('Products').select('Name, Price').order('Id').csv()],
    ['moments', (db) => db.from('comments').select('rating').gt('created_at', '2020-01-01T00:00:00+05:30').order('id')],
    ['an update of nothing', (db) => db.from('Products').update({ Price: 5 }).eq('Id', -1).select('Id')],
    ['a delete of nothing', (db) => db.from('comments').delete().eq('id', -1).select('id')],
    ['a function', (db) => db.rpc('search_products', { query: 'laddu', most: 2 })],
    ['a function with GET', (db) => db.rpc('search_products', { query: 'laddu', most: 2 }, { get: true })],
    [
      'rows of a function',
      (db) => db.rpc('product_reviews', { product_id: productIds[0] }).gt('rating', 3).order('rating'),
    ],
    ['a function that finds nothing wrong', (db) => db.rpc('check_invariants')],
    ['a function with a list', (db) => db.rpc('check_delivery', { pincode: '400001', product_ids: productIds })],
    [
      'the same with GET',
      (db) => db.rpc('check_delivery', { pincode: '400001', product_ids: productIds }, { get: true }),
    ],
  ])('%s', async (_what, build) => {
    const request = await asService(build);
    const without = await answer(request.clone());
    expect(await answer(await throughGate(request))).toEqual(without);
    expect(without).toMatchObject({ status: expect.toSatisfy((status: number) => status < 500) });
  });
});

const namesOf = async (build: Build) => {
  const { text } = (await answer(await throughGate(await asService(build)))) as { text: string };
  return (JSON.parse(text) as { Name: string }[]).map(({ Name }) => Name);
};

describe('what the library misreads is written so that it does not', () => {
  test('text that looks like something else', async () => {
    for (const name of ['1.50', 'null', '007'])
      expect(await namesOf((db) => db.from('Products').select('Name').eq('Name', name)), name).toEqual([name]);
  });

  test('two conditions on a column hold both', async () => {
    expect(await namesOf((db) => db.from('Products').select('Name').gte('Price', 320).gte('Price', 900))).toEqual([
      'Kaju Katli',
    ]);
    expect(await namesOf((db) => db.from('Products').select('Name').gte('Price', 900).gte('Price', 320))).toEqual([
      'Kaju Katli',
    ]);
  });

  test('two groups hold both', async () => {
    const both: Build = (db) =>
      db.from('Products').select('Name').or('Price.eq.900,Price.eq.320').or('Name.like.Besan*,Name.like.Moti*');
    expect(await namesOf(both)).toEqual(['Besan Laddu']);
  });

  test('an argument that looks like a comparison', async () => {
    const request = await asService((db) => db.rpc('search_products', { query: 'eq.laddu' }, { get: true }));
    expect(await answer(await throughGate(request))).toMatchObject({ status: 200 });
  });

  test('a function asked with HEAD', async () => {
    const request = await asService((db) =>
      db.rpc('product_reviews', { product_id: productIds[0] }, { head: true, count: 'exact' }),
    );
    expect(await answer(await throughGate(request))).toMatchObject({ status: 200, range: '0-4/5' });
  });
});
