import type { RawRequest } from './raw-request.ts';

/** Who sends the request: a visitor, a customer, an administrator, or the shop's own functions. */
export type Asker = 'visitor' | 'customer' | 'administrator' | 'service';
export type BadCase = RawRequest & { as?: Asker };

const json = { 'Content-Type': 'application/json' };
const get = (target: string, headers?: Record<string, string>): BadCase => ({
  target,
  ...(headers ? { headers } : {}),
});
const send = (method: string, target: string, body: string, type = json as Record<string, string>): BadCase => ({
  method,
  target,
  body,
  headers: type,
  as: 'customer',
});
const asAdministrator = (request: BadCase): BadCase => ({ ...request, as: 'administrator' });

export const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const products = '/rest/v1/Products';
const comments = '/rest/v1/comments';
const review = (fields: string) => `{"content":"x","rating":1,"product_id":1,${fields}}`;

/** Tables inside tables: each level multiplies the rows. */
const embedded = (levels: number): string =>
  levels === 0 ? 'id' : `id,Products(Id,comments(${embedded(levels - 1)}))`;

export const restCases: BadCase[] = [
  ...['/storage/v1/object/public/../../../../rest/v1/Products', '/x/%2e%2e/rest/v1/Products'].map((target) =>
    get(target),
  ),
  get(`${products}?Name=imatch.${encodeURIComponent('^(.*)(.*)(.*)\\1\\2\\3$')}`),
  get(`${comments}?select=${embedded(2)}`),
  get(`${comments}?select=${embedded(8)}`),
  ...['/rest/v1/%E0%A4%A', `${products}?Name=eq.%`, `${products}?Name=eq.%ED%A0%80`, `${products}?Name=eq.%FF`].map(
    (target) => get(target),
  ),
  ...[`${products}?Name=eq.%00`, '/rest/v1/Prod%00ucts', '/rest/v1/', '/rest/v1', '/rest/v1//Products'].map((target) =>
    get(target),
  ),
  ...[
    'Id=eq.99999999999999999999999',
    'Id=eq.abc',
    "Id=eq.1';drop%20table%20orders;--",
    'Id=eq.%F0%9F%98%80',
    'Id=eq.%E0%A4%B2%E0%A4%A1%E0%A5%8D%E0%A4%A1%E0%A5%82',
    'Id=foo.1',
    'Id=toString',
    'Id=not.valueOf.1',
    'or=(Id.constructor.1,Id.eq.1)',
    'Id=eq',
    'Id',
    'nope=eq.1',
    'Id=in.(1,2',
    'Id=cs.{1',
    'Id=ov.[1,',
    'or=(Id.eq.1',
    'or=(Id.eq.1,Name)',
    'and=',
    'not.or=x',
    'Name=match.(((',
    'Name=fts(nope).x',
    'isavailable=is.maybe',
    'select=nope',
    'select=Id,(((',
    'select=nope(*)',
    'select=comments(*',
    'select=*,,',
    'select=Id::nope',
    'select=Id::int;drop',
    'select=Id-%3Ea',
    'select=%22',
    'select=Id::%22',
    'select=Id-%3E%22a',
    'select=a:%22Id',
    'order=nope',
    'order=Id.sideways',
    'order=',
    'order=%00',
    'select=%00',
    'limit=-1',
    'offset=99999999999999999999',
    'a'.repeat(8000),
    `or=(${'not.and('.repeat(500)}`,
    `or=(${'Id.eq.1,'.repeat(8000)}Id.eq.1)`,
    'Id=eq.1&'.repeat(1500),
    'select=Id&limit=1&__proto__=eq.1',
    'select=Id&limit=1&%22__proto__%22=eq.1',
    'select=Id,comments(id)&comments.__proto__=eq.1',
    'select=__proto__:Id',
    'select=comments(id,Products(Id,comments(id)))',
    `select=${'comments('.repeat(300)}id${')'.repeat(300)}`,
  ].map((query) => get(`${products}?${query}`)),
  get('/rest/v1/nope'),
  get('/rest/v1/private.administrators'),
  get('/rest/v1/auth.users'),
  get('/rest/v1/pg_roles'),
  get(products, { Range: '5-1' }),
  get(products, { Accept: 'application/nope' }),
  get(products, { Accept: 'application/vnd.pgrst.object+json' }),
  get(products, { 'Accept-Profile': 'private' }),
  get('/rest/v1/administrators', { 'Accept-Profile': 'private' }),
  get('/rest/v1/users', { 'Accept-Profile': 'auth' }),
  send('POST', products, '{}', { ...json, 'Content-Profile': 'nope' }),
  ...['{', 'null', '"x"', '5', '[null]', '[[1]]', '', '{}', '{"":1}', '{"nope":1}', '{"__proto__":{"a":1}}'].map(
    (body) => send('POST', comments, body),
  ),
  send('POST', comments, nested(10_000)),
  send('POST', comments, `{"content":${nested(10_000)},"rating":1,"product_id":1}`),
  send('POST', comments, '[{"content":"x"},{"rating":1}]'),
  send('POST', comments, 'x'.repeat(300_000)),
  send('POST', comments, 'x', { 'Content-Type': 'text/plain' }),
  send('POST', comments, 'a,b\n1,2', { 'Content-Type': 'text/csv' }),
  send('POST', comments, 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }),
  send('POST', comments, '{}', { 'Content-Type': ';;;' }),
  send('POST', comments, review('"content":"a\\u0000b"')),
  ...['"rating":"five"', '"rating":9', '"rating":0', '"rating":null', '"product_id":99999', '"product_id":1e400'].map(
    (field) => send('POST', comments, review(field)),
  ),
  send('POST', comments, review('"content":" \\n "')),
  send('POST', comments, review(`"content":"${'लड्डू'.repeat(500)}"`)),
  send('POST', comments, review('"user_id":"00000000-0000-4000-a000-000000000004"')),
  ...['[]', '0', '{}', 'true', '1e400'].map((moment) => send('POST', comments, review(`"created_at":${moment}`))),
  ...['[[]]', '0', '"infinit"'].map((moment) =>
    asAdministrator(send('POST', '/rest/v1/rpc/admin_read_todo', `{"at":${moment}}`)),
  ),
  asAdministrator(send('POST', '/rest/v1/rpc/admin_read_product', '{"product_id":[{"toString":""}]}')),
  { method: 'HEAD', target: '/rest/v1/rpc/admin_change_products?products=valueOf' },
  asAdministrator(
    send(
      'POST',
      '/rest/v1/rpc/admin_refund_order',
      '{"order_id":"00000000-0000-4000-8000-000000000000","amount_paise":{"toString":""},"reason":"Late","seen":null}',
    ),
  ),
  ...['infinity', '-infinity', '0044-03-15 BC'].map((month) =>
    asAdministrator(send('POST', '/rest/v1/rpc/admin_close_month', `{"month":"${month}","seen_profit_paise":1}`)),
  ),
  ...['0', 'true', '{}'].map((list) =>
    asAdministrator(send('POST', '/rest/v1/rpc/admin_save_search_words', `{"words":${list}}`)),
  ),
  send('POST', `${comments}?columns=nope`, '{}'),
  send('POST', `${comments}?columns=rating`, '"x"'),
  send('POST', '/rest/v1/rpc/search_products', `[${Array(70_000).fill(1).join(',')}]`),
  { method: 'HEAD', target: `${products}?select=Id&limit=1&__proto__=eq.1` },
  get('/rest/v1/rpc/search_products?query=a&__proto__=eq.1'),
  get('/rest/v1/orders?__proto__=eq.1'),
  send('PATCH', `${comments}?id=eq.1`, '[]'),
  send('PATCH', `${comments}?id=eq.1`, 'null'),
  send('PATCH', `${comments}?id=eq.1`, '{"nope":1}'),
  send('PATCH', `${comments}?id=eq.x`, '{"content":"x"}'),
  send('PUT', comments, '{}'),
  send('PUT', `${comments}?id=eq.1`, '{"id":1}'),
  send('POST', '/rest/v1/user_profiles?on_conflict=nope', '{"city":"x"}', {
    ...json,
    Prefer: 'resolution=merge-duplicates',
  }),
  send('POST', '/rest/v1/user_profiles', '{"user_id":"00000000-0000-4000-a000-000000000004","city":"x"}'),
  send('POST', '/rest/v1/orders', '{"source":"cart"}'),
  send('POST', '/rest/v1/order_items', '{"quantity":1}'),
  ...['{}', '[]', '{', '{"user_id":"x"}', '{"user_id":{}}', '{"nope":1}', `{"user_id":${nested(10_000)}}`].map((body) =>
    send('POST', '/rest/v1/rpc/is_administrator', body),
  ),
  send('POST', '/rest/v1/rpc/check_delivery', '{"pincode":"400001","product_ids":"1; drop"}'),
  send('POST', '/rest/v1/rpc/check_delivery', '{"pincode":"400001","grams":99999999999}'),
  get('/rest/v1/rpc/check_delivery?pincode=400001&product_ids=%7Bx%7D'),
  get('/rest/v1/rpc/check_delivery?product_ids=%7B1%7D'),
  send('POST', '/rest/v1/rpc/delivery_calendar', '{"pincode":"400001","product_ids":"1; drop"}'),
  get('/rest/v1/rpc/delivery_calendar?pincode=400001&product_ids=%7Bx%7D'),
  get('/rest/v1/rpc/delivery_calendar?product_ids=%7B1%7D'),
  send('POST', '/rest/v1/rpc/product_reviews', '{"product_id":"1; drop"}'),
  send('POST', '/rest/v1/rpc/product_reviews', '{"product_id":1,"max_rows":99999999999}'),
  send('POST', '/rest/v1/rpc/check_invariants', '{}'),
  send('POST', '/rest/v1/rpc/pg_sleep', '{"seconds":1}'),
  send('POST', '/rest/v1/rpc/nope', '{}'),
  send('POST', '/rest/v1/rpc/', '{}'),
  send('PATCH', '/rest/v1/rpc/is_administrator', '{}'),
  send('DELETE', '/rest/v1/rpc/is_administrator', ''),
  ...['TRACE', 'PROPFIND', 'QUERY', 'PURGE'].map((method) => ({ method, target: products })),
  ...['orders', 'order_items', 'user_profiles', 'order_details_view', 'vendors'].map((table) =>
    get(`/rest/v1/${table}`),
  ),
];

/** HTTP and PostgREST ignore these; what counts is that the answer is that of the plain request. */
export const ignoredCases: BadCase[] = [
  ...['limit=abc', 'limit=1.5', 'offset=x', 'offset=-1', 'limit=99999999999999999999', 'Id=in.()', 'Name=fts.&&&'].map(
    (query) => get(`${products}?${query}`),
  ),
  get(products, { Range: 'bytes=x' }),
  get(products, { Range: '99999-100000' }),
  get(products, { Prefer: 'count=nope' }),
  get(products, { Prefer: ',,;;==' }),
  get(products, { Accept: ';;;' }),
  get(`${products}?Name=eq.%F0%9F%98%80`),
];

const challenge = `code_challenge=${'a'.repeat(43)}&code_challenge_method=s256`;
const elsewhere = ['https://evil.example/', '//evil.example/', '/x', 'javascript:alert(1)', '%00', ''];
const pkce = '/auth/v1/token?grant_type=pkce';
const refresh = '/auth/v1/token?grant_type=refresh_token';
const user = '/auth/v1/user';

export const authCases: BadCase[] = [
  ...elsewhere.map((to) =>
    get(`/auth/v1/authorize?provider=github&${challenge}&redirect_to=${encodeURIComponent(to)}`),
  ),
  get('/auth/v1/authorize'),
  get(`/auth/v1/authorize?provider=google&${challenge}`),
  get(`/auth/v1/authorize?provider=%00&${challenge}`),
  get('/auth/v1/authorize?provider=github&code_challenge=short&code_challenge_method=s256'),
  ...[
    '{}',
    '[]',
    'null',
    '{',
    '',
    '{"auth_code":1,"code_verifier":2}',
    '{"auth_code":{"a":1},"code_verifier":["y"]}',
  ].map((body) => send('POST', pkce, body)),
  send('POST', pkce, '{"auth_code":"\\u0000","code_verifier":"y"}'),
  send('POST', pkce, `{"auth_code":${nested(5000)},"code_verifier":"y"}`),
  send('POST', pkce, '{"auth_code":"11111111-1111-4111-8111-111111111111","code_verifier":"y"}'),
  send('POST', pkce, 'auth_code=x', { 'Content-Type': 'text/plain' }),
  ...[
    '{}',
    '[]',
    '{"refresh_token":5}',
    '{"refresh_token":null}',
    '{"refresh_token":{"a":1}}',
    '{"refresh_token":"x"}',
  ].map((body) => send('POST', refresh, body)),
  send('POST', refresh, '{"refresh_token":"a\\u0000b"}'),
  send('POST', refresh, `{"refresh_token":"${'a'.repeat(20_000)}"}`),
  ...['[]', 'null', 'x', '{"data":"x"}', '{"data":[]}', '{"data":["a"]}', '{"data":5}'].map((body) =>
    send('PUT', user, body),
  ),
  send('PUT', user, '{"data":{"full_name":"a\\u0000b"}}'),
  ...['__proto__', 'constructor', 'prototype'].flatMap((key) => [
    send('PUT', user, `{"data":{"a":[{"${key}":{"x":1}}]}}`),
    send('POST', refresh, `{"refresh_token":"x","${key}":{"x":1}}`),
    send('POST', pkce, `{"auth_code":"11111111-1111-4111-8111-111111111111","code_verifier":"y","${key}":1}`),
  ]),
  ...['auth_code', 'code_verifier'].map((name) => send('POST', pkce, `{"auth_code":"x","${name}":{"toString":""}}`)),
  send('POST', refresh, '{"refresh_token":{"toString":""}}'),
  send('PUT', user, `{"data":{"x":${nested(7000)}}}`),
  send('PUT', user, `{"data":{"x":"${'a'.repeat(20_000)}"}}`),
  send('POST', '/auth/v1/logout?scope=nope', '{}'),
  ...['TRACE', 'PROPFIND', 'DELETE', 'PATCH'].map((method): BadCase => ({ method, target: user, as: 'customer' })),
  ...['/auth/v1/', '/auth/v1', '/auth/v1/__proto__', '/auth/v1//token', '/auth/v1/%', '/auth/v1/user%00'].map(
    (target) => get(target),
  ),
];

const list = '/storage/v1/object/list/products';
const many = '/storage/v1/object/products';

export const storageCases: BadCase[] = [
  ...['{', 'null', '[]', '{"prefix":5,"limit":"x"}', '{"prefix":"","limit":-1}', '{"prefix":"a\\u0000b"}'].map((body) =>
    asAdministrator(send('POST', list, body)),
  ),
  asAdministrator(send('POST', list, '{"prefix":"","sortBy":{"column":"name","order":"asc; drop table x"}}')),
  asAdministrator(send('POST', list, '{"prefix":"","sortBy":{"column":"nope; drop","order":"asc"}}')),
  ...['[', '{}', '{"prefixes":"x"}', '{"prefixes":[null,{}]}', '{"prefixes":["a\\u0000b"]}'].map((body) =>
    asAdministrator(send('DELETE', many, body)),
  ),
  ...['__proto__', 'constructor', 'prototype'].flatMap((key) => [
    asAdministrator(send('POST', list, `{"prefix":"","${key}":{"x":1}}`)),
    asAdministrator(send('DELETE', many, `{"prefixes":[],"${key}":{"x":1}}`)),
  ]),
  asAdministrator(send('POST', many, '{}')),
  asAdministrator(send('POST', '/storage/v1/object/products/a.webp', '--x', { 'Content-Type': 'multipart/form-data' })),
  asAdministrator(send('POST', '/storage/v1/object/products/a.webp', '', { 'Content-Type': 'image/webp' })),
  ...['', 'bucket', 'object', 'object/public', 'object/public/products/none.webp', 'object/public/products/%00'].map(
    (path) => get(`/storage/v1/${path}`),
  ),
  ...['object/public/products//etc/passwd', 'object/public/products/..%2f..%2fkeys.json', 'object/public/%'].map(
    (path) => get(`/storage/v1/${path}`),
  ),
  ...['TRACE', 'PROPFIND', 'PATCH'].map((method): BadCase => ({ method, target: many, as: 'administrator' })),
];

const notify = '/functions/v1/notify';

export const functionCases: BadCase[] = [
  ...['', '?product_id=', '?product_id=0', '?product_id=-1', '?product_id=1e3', '?product_id=9999999999999999'].map(
    (query): BadCase => ({ target: `${notify}${query}`, as: 'customer' }),
  ),
  ...['?product_id=%00', '?product_id=%', '?product_id=9007199254740991'].map(
    (query): BadCase => ({ target: `${notify}${query}`, as: 'customer' }),
  ),
  ...[
    '',
    '{',
    'null',
    '[]',
    '5',
    '{"product_id":1.5}',
    '{"product_id":1e300}',
    '{"product_id":1,"x":1}',
    '{"product_id":1,"__proto__":{"x":1}}',
    '{"product_id":1,"constructor":{"x":1}}',
    '{"product_id":""}',
  ].map((body) => send('POST', notify, body)),
  ...['{"product_id":null}', '{"product_id":"1 or 1=1"}', '{"product_id":"१"}', nested(10_000), 'x'.repeat(70_000)].map(
    (body) => send('DELETE', notify, body),
  ),
  ...['TRACE', 'PROPFIND', 'PUT', 'PATCH', 'HEAD'].map(
    (method): BadCase => ({ method, target: notify, as: 'customer' }),
  ),
  ...['nope', '', 'notify/', 'notify/x', '_shared', 'constructor', '__proto__', 'notify%00', '/notify', '%'].map(
    (name) => get(`/functions/v1/${name}`),
  ),
];
