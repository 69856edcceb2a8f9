import { describe, expect, test } from 'vitest';
import { everyday, sentBy } from './everyday-requests.ts';
import { catalogue, everybody } from './fixture-catalogue.ts';
import { passDataGate } from './gate.ts';
import { ordinaryBody } from './limits.ts';
import { parseRequest } from './parse-request.ts';

const base = 'http://localhost/rest/v1';

async function refusal(path: string, init: RequestInit = {}): Promise<[number, string] | null> {
  const passed = await passDataGate(new Request(base + path, init), everybody);
  return passed instanceof Response ? [passed.status, (await passed.json()).code ?? 'limit'] : null;
}

async function treeOf(request: Request) {
  const body = new Uint8Array(await request.clone().arrayBuffer());
  const { method, headers } = request;
  return parseRequest({ method, url: new URL(request.url), headers, body, bodyLimits: ordinaryBody }, catalogue);
}

async function passed(request: Request): Promise<Request> {
  const result = await passDataGate(request, everybody);
  if (result instanceof Response) throw new Error(`refused: ${decodeURIComponent(request.url)} ${await result.text()}`);
  return result;
}

const posting = (body: string, token?: string): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
});
const inQuery = (text: string) => encodeURIComponent(text);

describe('what supabase-js sends goes on with the same meaning', () => {
  test.each(Object.entries(everyday))('%s', async (_name, build) => {
    const request = await sentBy(build);
    const written = await passed(request.clone());
    expect(await treeOf(written)).toEqual(await treeOf(request));
    expect((await passed(written.clone())).url).toBe(written.url);
  });

  test('only what means something goes on', async () => {
    const request = await sentBy((db) => db.from('Products').select('Id').eq('Id', 1));
    const headers = new Headers({
      ...Object.fromEntries(request.headers),
      host: 'x',
      'x-forwarded-for': '::1',
      origin: 'x',
    });
    const written = await passed(new Request(request.url, { headers }));
    expect([...written.headers.keys()].sort()).toEqual(['accept-profile', 'apikey', 'authorization']);
    expect(written.url).toBe(`${base}/Products?select=Id&Id=eq.1`);
  });

  test('text is compared as text, whatever it looks like', async () => {
    const writtenFor = async (value: string) => {
      const written = await passed(await sentBy((db) => db.from('Products').select().eq('Name', value)));
      return new URL(written.url).searchParams.get('Name');
    };
    expect(await writtenFor('1.50')).toBe('eq."1.50"');
    expect(await writtenFor('null')).toBe('eq."null"');
    expect(await writtenFor('{a}')).toBe('eq."{a}"');
    expect(await writtenFor('Laddu')).toBe('eq.Laddu');
  });

  test('two conditions on a column hold both', async () => {
    const written = await passed(await sentBy(everyday['gte twice'] as never));
    expect(decodeURIComponent(new URL(written.url).search)).toBe('?select=*&Price=gte.100&and=(Price.gte.200)');
    const groups = await passed(await sentBy(everyday['or twice'] as never));
    expect(new URL(groups.url).searchParams.get('and')).toBe('(or(Id.eq.2,Id.eq.3),or(Price.eq.1,Price.eq.2))');
  });
});

const hostile = ['__proto__', 'constructor', 'prototype', 'toString', '"__proto__"', 'nope'];

describe('names that are not in the catalogue', () => {
  test.each(hostile)('%s is refused wherever a name can stand', async (name) => {
    const encoded = inQuery(name);
    const bare = name.replaceAll('"', '');
    const places: [string, RequestInit?][] = [
      [`/Products?select=Id&limit=1&${encoded}=eq.1`],
      [`/Products?select=Id&limit=1&${encoded}=eq.1`, { method: 'HEAD' }],
      [`/Products?select=Id,comments(id)&comments.${encoded}=eq.1`],
      [`/Products?select=Id,comments(id)&${encoded}.id=eq.1`],
      [`/Products?select=Id,comments(id)&comments.${encoded}.order=id`],
      [`/${encoded}?Id=eq.1`],
      [`/rpc/${encoded}`],
      [`/rpc/search_products?query=a&${encoded}=1`],
      [`/rpc/search_products?query=a&${encoded}=eq.1`, posting('{}')],
      [`/rpc/product_reviews?${encoded}=eq.1`, posting('{"product_id":1}')],
      [`/Products?select=${encoded}`],
      [`/Products?select=facts-%3E${inQuery('__proto__')}`],
      [`/Products?select=${encoded}(id)`],
      [`/Products?select=comments!${encoded}(id)`],
      [`/Products?select=Name::${encoded}`],
      [`/Products?order=${encoded}`],
      [`/Products?order=${encoded}(id)`],
      [`/Products?or=(${encoded}.eq.1)`],
      [`/Products?or=(Id.${encoded}.1)`],
      [`/Products?Id=${encoded}.1`],
      [`/Products?Id=not.${encoded}.1`],
      [`/Products?not.and=(or(${encoded}.eq.1),Id.eq.1)`],
      [`/comments?columns=${encoded}`, posting('{"rating":1}')],
      [`/comments?on_conflict=${encoded}`, posting('{"rating":1}')],
      ['/comments', posting(`{"${bare}":1}`)],
      ['/comments', posting(`[{"rating":1},{"${bare}":{"x":1}}]`)],
      ['/comments?id=eq.1', { ...posting(`{"${bare}":1}`), method: 'PATCH' }],
      ['/rpc/search_products', posting(`{"query":"a","${bare}":1}`)],
      ['/Products', { headers: { 'accept-profile': bare } }],
    ];
    for (const [path, init] of places) {
      const found = await refusal(path, init);
      expect(found?.[0], `${init?.method ?? 'GET'} ${path} ${init?.body ?? ''}`).toBeGreaterThanOrEqual(400);
    }
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString'])('%s is no alias either', async (name) => {
    expect(await refusal(`/Products?select=${name}:Id`)).toEqual([400, 'PGRST100']);
    expect(await refusal(`/Products?select=${name}:comments(id)`)).toEqual([400, 'PGRST100']);
  });

  test.each(['__proto__', 'constructor', 'prototype'])('%s is no key inside JSON, at any depth', async (name) => {
    for (const json of [`{"${name}":1}`, `{"a":[{"b":{"${name}":{"x":1}}}]}`, `{"\\u005f${name.slice(1)}":1}`]) {
      if (json.includes('\\u005f') && !name.startsWith('_')) continue;
      expect(await refusal('/rpc/save_facts', posting(`{"facts":${json}}`)), json).toEqual([400, 'PGRST102']);
      expect(await refusal(`/Products?facts=eq.${inQuery(json)}`), json).toEqual([400, 'PGRST102']);
    }
  });

  test('a word that every object has can be looked for', async () => {
    for (const word of hostile) expect(await refusal(`/rpc/search_products?query=${inQuery(word)}`), word).toBe(null);
    expect(await refusal('/Products?Name=eq.constructor')).toBe(null);
  });
});

describe('shapes and amounts', () => {
  const many = (count: number, one: string) => Array(count).fill(one).join(',');

  test.each<[string, string, RequestInit | undefined, string]>([
    ['three tables inside each other', '/orders?select=order_items(Products(comments(id)))', undefined, '54000'],
    ['8,000 conditions', `/Products?or=(${many(8000, 'Id.eq.1')})`, undefined, '54000'],
    ['51 conditions in several places', `/Products?or=(${many(50, 'Id.eq.1')})&Id=eq.1`, undefined, '54000'],
    ['5 groups inside each other', '/Products?or=(and(or(and(or(Id.eq.1)))))', undefined, '54000'],
    ['1,001 values in a list', `/Products?Id=in.(${many(1001, '1')})`, undefined, '54000'],
    [
      '1,001 values in two lists',
      `/Products?Id=in.(${many(600, '1')})&or=(Id.in.(${many(401, '1')}))`,
      undefined,
      '54000',
    ],
    ['an address that is too long', `/Products?Name=eq.${'x'.repeat(70_000)}`, undefined, '54000'],
    ['a list of 70,000 arguments', '/rpc/search_products', posting(`[${many(70_000, '1')}]`), 'PGRST102'],
    ['a short list of arguments', '/rpc/search_products', posting('[1]'), 'PGRST102'],
    ['columns of a text', '/comments?columns=rating', posting('"x"'), 'PGRST102'],
    ['a number as a row', '/comments', posting('5'), 'PGRST102'],
    ['null as a row', '/comments', posting('[null]'), 'PGRST102'],
    ['501 rows', '/comments', posting(`[${many(501, '{"rating":1}')}]`), '54000'],
    ['a list of 1,001', '/rpc/my_documents', posting(`{"order_ids":[${many(1001, 'null')}]}`), '54000'],
    ['a body that nests too deeply', '/rpc/save_facts', posting('['.repeat(100) + ']'.repeat(100)), 'PGRST102'],
    ['a body with too many values', '/rpc/save_facts', posting(`{"facts":[${many(50_000, '1')}]}`), 'PGRST102'],
    ['an object where a number belongs', '/comments', posting('{"rating":{"toString":""}}'), '22P02'],
    ['a list where a moment belongs', '/rpc/save_facts', posting('{"facts":1,"seen":[]}'), '22P02'],
    ['a number that is none', '/comments', posting('{"rating":1e400}'), '22003'],
    ['a number that is too large', '/comments', posting('{"rating":40000}'), '22P02'],
    ['a null character', '/comments', posting('{"content":"a\\u0000b"}'), '22P05'],
    ['text where a number belongs', '/Products?Id=eq.abc', undefined, '22P02'],
    ['a moment that is none', '/Products?created_at=gt.2026-13-45', undefined, '22P02'],
    ['a null character in an address', '/Products?select=%00', undefined, 'PGRST100'],
    ['a parameter twice', '/Products?select=Id&select=Name', undefined, 'PGRST100'],
    ['an aggregate', '/Products?select=Price.sum()', undefined, 'PGRST123'],
    [
      'a rollback that would be none',
      '/comments',
      { ...posting('{}'), headers: { prefer: 'tx=rollback' } },
      'PGRST122',
    ],
    ['a group that never ends', '/Products?or=(Id.eq.1', undefined, 'PGRST100'],
    ['a back reference', `/Products?Name=imatch.${inQuery('^(.*)(.*)\\1\\2$')}`, undefined, '22P02'],
    ['many repetitions', `/Products?Name=match.${inQuery('a*b*c*d*e*f')}`, undefined, '22P02'],
    ['a quote that never ends', `/Products?select=${inQuery('"Id')}`, undefined, 'PGRST100'],
  ])('%s', async (_what, path, init, code) => {
    expect(await refusal(path, init)).toEqual([400, code]);
  });

  test('50 conditions, 1,000 values and two levels pass', async () => {
    expect(await refusal(`/Products?or=(${many(50, 'Id.eq.1')})`)).toBe(null);
    expect(await refusal(`/Products?Id=in.(${many(1000, '1')})`)).toBe(null);
    expect(await refusal('/orders?select=id,order_items(id,Products(Id))')).toBe(null);
  });

  test('methods, media types and schemas we do not have', async () => {
    expect(await refusal('/Products', { method: 'PROPFIND' })).toEqual([405, 'PGRST117']);
    expect(await refusal('/comments', { method: 'POST', body: 'a=b' })).toEqual([415, 'PGRST102']);
    expect(await refusal('/Products', { headers: { accept: 'application/nope' } })).toEqual([406, 'PGRST107']);
    expect(await refusal('/Products', { headers: { 'accept-profile': 'auth' } })).toEqual([406, 'PGRST106']);
    expect(await refusal('/nope')).toEqual([404, 'PGRST205']);
    expect(await refusal('/rpc/nope')).toEqual([404, 'PGRST202']);
    expect(await refusal('/rpc/search_products')).toEqual([404, 'PGRST202']);
    expect(await refusal('/a/b')).toEqual([404, 'PGRST125']);
  });

  test('only administrators send something as long as a file of products, and only there', async () => {
    const long = JSON.stringify({ rows: ['x'.repeat(300 * 1024)] });
    expect(await refusal('/rpc/admin_import_products', posting(long, 'the.owner.token'))).toBe(null);
    expect(await refusal('/rpc/admin_import_products', posting(long, 'somebody.elses.token'))).toEqual([413, 'limit']);
    expect(await refusal('/rpc/admin_import_products', posting(long))).toEqual([413, 'limit']);
    expect(await refusal('/Products', posting(long, 'the.owner.token'))).toEqual([413, 'limit']);
  });
});
