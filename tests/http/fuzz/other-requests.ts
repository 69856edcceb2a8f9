// Requests for what is neither the Data API nor a function: signing in, pictures, the demo's own paths, pages.
import fc, { type Arbitrary } from 'fast-check';
import type { Asker, BadCase } from '../bad-input-cases.ts';
import { badAddressPart, badHeaders, bodyOf, inHundred, mostlyRight } from './bad-values.ts';
import type { LikelyValues } from './likely-values.ts';
import type { Targets } from './targets.ts';

const json = { 'Content-Type': 'application/json' };
const signedIn = inHundred<Asker>(10, fc.constant('visitor'), fc.constant('customer'));

const sends = (method: string, target: string, body: Arbitrary<unknown>, as: Arbitrary<Asker>): Arbitrary<BadCase> =>
  fc
    .tuple(bodyOf(mostlyRight(body)), as)
    .map(([text, asker]) => ({ method, target, headers: json, body: text, as: asker }));

/** A path of these, with anything behind it and any method. */
function nonsense(base: string, paths: string[], askers: Asker[]): Arbitrary<BadCase> {
  return fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'),
      fc.constantFrom(...paths),
      inHundred(40, badAddressPart, fc.constant('')),
      badHeaders,
      bodyOf(fc.jsonValue()),
      fc.constantFrom(...askers),
    )
    .map(([method, path, more, headers, body, as]) => ({
      method,
      target: `${base}/${path}${more && `/${more}`}`,
      headers,
      as,
      ...(['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method) ? {} : { body }),
    }));
}

export function authRequests(siteUrl: string): Arbitrary<BadCase> {
  const challenge = fc.constant('a'.repeat(43));
  const authorize = fc
    .tuple(
      inHundred(10, badAddressPart, fc.constant('github')),
      inHundred(10, badAddressPart, challenge),
      inHundred(20, badAddressPart, fc.constant(encodeURIComponent(`${siteUrl}/`))),
    )
    .map(([provider, code, to]) => ({
      target: `/auth/v1/authorize?provider=${provider}&code_challenge=${code}&code_challenge_method=s256&redirect_to=${to}`,
    }));
  const profile = fc.record({
    data: fc.record({
      full_name: fc.string({ unit: 'grapheme', maxLength: 30 }),
      avatar_url: fc.constantFrom('', 'https://a.example/x.png'),
    }),
  });
  return fc.oneof(
    { weight: 3, arbitrary: authorize },
    { weight: 3, arbitrary: signedIn.map((as) => ({ target: '/auth/v1/user', as })) },
    { weight: 3, arbitrary: sends('PUT', '/auth/v1/user', profile, signedIn) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom('settings', 'health', '.well-known/jwks.json')
        .map((path) => ({ target: `/auth/v1/${path}` })),
    },
    {
      weight: 2,
      arbitrary: sends(
        'POST',
        '/auth/v1/token?grant_type=refresh_token',
        fc.record({ refresh_token: fc.constant('@refresh') }),
        fc.constant('customer'),
      ),
    },
    {
      weight: 1,
      arbitrary: sends(
        'POST',
        '/auth/v1/token?grant_type=pkce',
        fc.record({ auth_code: fc.uuid(), code_verifier: fc.string() }),
        fc.constant('visitor'),
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(badAddressPart, badAddressPart)
        .map(([code, state]) => ({ target: `/auth/v1/callback?code=${code}&state=${state}` })),
    },
    {
      weight: 2,
      arbitrary: nonsense(
        '/auth/v1',
        ['token', 'user', 'signup', 'otp', 'verify', 'admin/users', 'factors', 'settings'],
        ['visitor', 'customer'],
      ),
    },
  );
}

/** One pixel. */
const webp = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAUAmJaQAA3AA/vz0AAA=', 'base64');

export function storageRequests(): Arbitrary<BadCase> {
  const asker = inHundred<Asker>(10, fc.constantFrom('visitor', 'customer'), fc.constant('administrator'));
  const bucket = fc.constantFrom('products', 'banners', 'receipts');
  const file = inHundred(
    10,
    badAddressPart,
    fc.constantFrom('a.webp', 'b-960.webp', 'fuzz/c.webp', 'fuzz/d.webp', 'e.png'),
  );
  const picture = inHundred(15, fc.uint8Array({ maxLength: 60 }), fc.constant(new Uint8Array(webp)));
  const upload = fc
    .tuple(fc.constantFrom('POST', 'PUT'), bucket, file, picture, fc.constantFrom('true', 'false'), asker)
    .map(([method, where, name, body, upsert, as]) => ({
      method,
      target: `/storage/v1/object/${where}/${name}`,
      headers: { 'Content-Type': 'image/webp', 'x-upsert': upsert },
      body,
      as,
    }));
  const read = fc.tuple(fc.constantFrom('GET', 'HEAD'), bucket, file, asker).map(([method, where, name, as]) => ({
    method,
    target: `/storage/v1/object/${where === 'receipts' ? '' : 'public/'}${where}/${name}`,
    as,
  }));
  const remove = fc
    .tuple(bucket, file, asker)
    .map(([where, name, as]) => ({ method: 'DELETE', target: `/storage/v1/object/${where}/${name}`, as }));
  const list = fc.record(
    {
      prefix: fc.constantFrom('', 'fuzz', 'fuzz/'),
      limit: fc.integer({ min: 1, max: 100 }),
      offset: fc.nat({ max: 3 }),
      sortBy: fc.record({ column: fc.constantFrom('name', 'created_at'), order: fc.constantFrom('asc', 'desc') }),
    },
    { requiredKeys: ['prefix'] },
  );
  const many = fc.record({
    prefixes: fc.array(fc.constantFrom('a.webp', 'fuzz/c.webp', 'none.webp'), { maxLength: 3 }),
  });
  return fc.oneof(
    { weight: 4, arbitrary: upload },
    { weight: 3, arbitrary: read },
    { weight: 1, arbitrary: remove },
    { weight: 3, arbitrary: bucket.chain((where) => sends('POST', `/storage/v1/object/list/${where}`, list, asker)) },
    { weight: 1, arbitrary: bucket.chain((where) => sends('DELETE', `/storage/v1/object/${where}`, many, asker)) },
    {
      weight: 2,
      arbitrary: nonsense(
        '/storage/v1',
        [
          'object/products',
          'object/list/products',
          'object/public',
          'bucket',
          'bucket/products',
          'object/sign/products/a.webp',
          'object/copy',
          'object/receipts/a.webp',
        ],
        ['visitor', 'administrator'],
      ),
    },
  );
}

/** The simulated payment of what was ordered before. */
export function paymentRequests(siteUrl: string): Arbitrary<BadCase> {
  return fc
    .tuple(
      bodyOf(
        mostlyRight(
          // Without "hang": that one keeps the promise of its name.
          fc.record(
            {
              order_id: fc.constant('@order'),
              outcome: fc.constantFrom('pay', 'pay', 'fail'),
              webhook: fc.constantFrom('normal', 'twice', 'before', 'never', 'late'),
              capture: fc.constantFrom('automatic', 'authorize-only', 'after-failing'),
              refund_fails: fc.boolean(),
            },
            { requiredKeys: ['order_id', 'outcome'] },
          ),
        ),
      ),
      inHundred(10, fc.constantFrom('https://evil.example', ''), fc.constant(siteUrl)),
    )
    .map(
      ([body, Origin]): BadCase => ({
        method: 'POST',
        target: '/test-payments/pay',
        headers: { ...json, Origin },
        body,
        as: 'customer',
      }),
    );
}

export function demoRequests(siteUrl: string): Arbitrary<BadCase> {
  const callback = encodeURIComponent(`${siteUrl}/auth/v1/callback`);
  const identity = fc
    .tuple(
      fc.constantFrom('GET', 'POST'),
      inHundred(10, badAddressPart, fc.constant(callback)),
      inHundred(10, badAddressPart, fc.constant('some-state')),
      inHundred(
        20,
        fc.tuple(badAddressPart, badAddressPart).map(([name, email]) => `name=${name}&email=${email}`),
        fc.constantFrom('account=1001', 'account=1003', 'name=A&email=a%40example.com', 'account=9'),
      ),
    )
    .map(([method, to, state, who]): BadCase => {
      const path = '/demo-identity/login/oauth/authorize';
      const fields = `redirect_uri=${to}&state=${state}`;
      if (method === 'GET') return { target: `${path}?${fields}` };
      return {
        method,
        target: path,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `${fields}&${who}`,
      };
    });
  const mail = fc
    .tuple(
      inHundred(20, badAddressPart, fc.integer({ min: 0, max: 30 }).map(String)),
      fc.constantFrom('', '/html', '/x'),
    )
    .map(([id, part]): BadCase => ({ target: `/demo-mail/${id}${part}` }));
  return fc.oneof(
    { weight: 4, arbitrary: paymentRequests(siteUrl) },
    { weight: 3, arbitrary: identity },
    { weight: 2, arbitrary: mail },
    { weight: 1, arbitrary: fc.constant<BadCase>({ target: '/demo-mail' }) },
    {
      weight: 1,
      arbitrary: nonsense(
        '',
        [
          'test-payments',
          'test-payments/pay',
          'demo-mail',
          'demo-identity',
          'demo-identity/api/v3/user',
          'demo-identity/login/oauth/access_token',
        ],
        ['visitor', 'customer'],
      ),
    },
  );
}

const pageParameters = [
  'q',
  'tab',
  'category',
  'sort',
  'price',
  'shown',
  'product',
  'name',
  'policy',
  'code',
  'error',
  '_routes',
  'x',
];

export function pageRequests({ pages }: Targets, likely: LikelyValues): Arbitrary<BadCase> {
  const productId = likely.rowOf('Products').map((row) => String(row.Id));
  const name = likely.rowOf('Products').map((row) => encodeURIComponent(String(row.Name)));
  const right = fc.oneof(
    name,
    fc.constantFrom('gifts', 'laddu', 'l-h', 'above-400', '96', 'shipping', 'kaju', 'routes/storefront/shop'),
  );
  const query = fc
    .array(fc.tuple(fc.constantFrom(...pageParameters), inHundred(35, badAddressPart, right)), { maxLength: 3 })
    .map((pairs) => (pairs.length > 0 ? `?${pairs.map((pair) => pair.join('=')).join('&')}` : ''));
  return fc
    .tuple(
      fc.constantFrom(...pages),
      inHundred(20, badAddressPart, productId),
      inHundred(20, fc.constant('.data'), fc.constant('')),
      query,
      inHundred(10, fc.constantFrom('HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'), fc.constant('GET')),
      inHundred(20, badHeaders, fc.constantFrom<Record<string, string>>({}, { 'Accept-Encoding': 'gzip, br' })),
      fc.string({ maxLength: 60 }).map(encodeURIComponent),
    )
    .map(([page, part, suffix, asked, method, headers, cookie]) => ({
      method,
      target: `${page.replace(/:\w+|\*/g, part).replace(/\/$/, suffix ? '/_root' : '/')}${suffix}${asked}`,
      headers: { ...headers, Cookie: `cart=${cookie}` },
      ...(['POST', 'PUT'].includes(method) ? { body: 'x=1' } : {}),
    }));
}
