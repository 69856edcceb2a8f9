import type { Random } from '../support/random.ts';
import type { BadCase } from './bad-input-cases.ts';

const words = (text: string) => text.trim().split(/\s+/);
const bystander = '00000000-0000-4000-a000-000000000004';

const values = [
  '',
  ...words(`null true -1 0 1 1.5 1e400 99999999999999999999 NaN %00 % %zz %E0%A4 %FF %F0%9F%98%80 ' " ;-- ( ) {} [] *
    %E0%A4%B2%E0%A4%A1%E0%A5%8D%E0%A4%A1%E0%A5%82 1'%20or%20'1'='1 .. ../.. %2e%2e%2f \\ $1 ::text -> -%3E%3Ea ${bystander}`),
  'x'.repeat(3000),
];
const jsonValues = [
  ...words(`null true 0 -1 1.5 1e400 99999999999999999999 "" "x" "\\u0000" "\\ud800" "😀" "लड्डू" [] {} [[]] {"a":{"b":[1]}}
    ["a",1,null] "${bystander}"`),
  `"'; drop table orders; --"`,
  '['.repeat(3000) + ']'.repeat(3000),
  `"${'क'.repeat(3000)}"`,
];
const methods = words('GET GET GET POST POST POST PATCH PUT DELETE DELETE HEAD OPTIONS TRACE PROPFIND');
const types = [...Array(6).fill('application/json'), ...words('text/plain text/csv multipart/form-data image/webp ;;')];
const headerNames = words(`Range Prefer Accept Accept-Profile Content-Profile Range-Unit If-None-Match Accept-Encoding
  X-Upsert X-Client-Info Content-Encoding`);
const headerValues = [
  ...words(',, 0- -5 9-1 bytes=0-1 count=exact return=representation tx=rollback private */* é gzip'),
  '',
  'a'.repeat(2000),
];

type Surface = { paths: string[]; parameters: string[]; fields: string[] };
const surface = (base: string, paths: string, parameters: string, fields: string): Surface => ({
  paths: words(paths).map((path) => `${base}/${path === '-' ? '' : path}`),
  parameters: words(parameters),
  fields: [...words(fields), 'nope', ''],
});

export const surfaces = {
  rest: surface(
    '/rest/v1',
    `Products caurousel comments user_profiles orders order_items order_details_view notify_subscriptions stock_levels
     audit_log rpc/is_administrator rpc/get_user_info rpc/product_reviews rpc/check_invariants rpc/set_notification
     rpc/my_checkout rpc/my_refunds rpc/quote_order rpc/open_checkout rpc/settle_payment rpc/claim_jobs
     rpc/check_delivery nope`,
    'select order limit offset Id id user_id Name or and not.or on_conflict columns product_id select=Id,comments',
    'content rating product_id user_id city zip phone status max_rows before_id provider_order_id lines customer_id pincode product_ids grams',
  ),
  auth: surface(
    '/auth/v1',
    'authorize callback token token user user settings health signup otp verify admin/users factors logout -',
    `provider code_challenge code_challenge_method redirect_to grant_type code state scopes error grant_type=pkce&x
     grant_type=refresh_token&x grant_type=pkce&x grant_type=refresh_token&x`,
    'data data email password auth_code code_verifier refresh_token code_challenge phone',
  ),
  storage: surface(
    '/storage/v1',
    `object/products object/products/f.webp object/list/products object/list/products object/list/receipts
     object/public/products/f.webp object/public/banners bucket bucket/products object/sign/products/f.webp object/copy
     object/receipts/f.webp`,
    'width download token cacheNonce',
    'prefix limit offset sortBy prefixes search name id public bucketId',
  ),
  demo: surface(
    '',
    'test-payments/pay test-payments/pay test-payments demo-mail demo-mail/1 demo-mail/x demo-mail/1/html demo-mail/1/x',
    'id x',
    'order_id outcome webhook capture hang refund_fails',
  ),
  functions: surface(
    '/functions/v1',
    'notify notify getShippingPrice getShippingPrice createOrder placeOrder paymentWebhook runJobs nope - notify/',
    'product_id product_id[] x',
    `product_id productId orders orders delivery source fulfilment amount amount currency quote_id provider_order_id
     payment_id signature event payload`,
  ),
};

/** One request that is wrong somewhere, or nearly right. */
export function fuzzedRequest(random: Random, { paths, parameters, fields }: Surface): BadCase {
  const query = Array.from({ length: random.number(3) }, () => `${random.pick(parameters)}=${filter(random)}`);
  const path = random.pick(paths) + (random.number(6) === 0 ? `/${random.pick(values)}` : '');
  const method = random.pick(methods);
  const headers: Record<string, string> = {};
  if (random.number(3) === 0) headers[random.pick(headerNames)] = random.pick(headerValues);
  const request: BadCase = {
    method,
    target: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers,
    // An administrator may change rows by right, and would sign out everywhere: for pictures only.
    as: random.pick(
      path.startsWith('/storage/')
        ? ['visitor', 'administrator', 'administrator']
        : ['visitor', 'customer', 'customer'],
    ),
  };
  if (['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method)) return request;
  return { ...request, headers: { ...headers, 'Content-Type': random.pick(types) }, body: body(random, fields) };
}

function filter(random: Random): string {
  return random.pick([...words('eq. in. is. like. match. cs. fts. not.eq. nope.'), '', '']) + random.pick(values);
}

function body(random: Random, fields: string[]): string {
  const entry = () => `"${random.pick(fields)}":${random.pick(jsonValues)}`;
  const object = () => `{${Array.from({ length: random.number(4) }, entry).join(',')}}`;
  return random.pick([
    object,
    object,
    object,
    () => `[${object()},${object()}]`,
    () => random.pick(jsonValues),
    () => object().slice(0, -1),
  ])();
}

/** A frame for the websocket: mostly not one. */
export function fuzzedFrame(random: Random): string {
  const pick = (text: string) => random.pick(words(text));
  const event = pick('"phx_join" "phx_join" "heartbeat" "access_token" "phx_leave" "nope" "broadcast" null 5');
  const topic = random.pick([...words('"realtime:a" "realtime:b" "phoenix" "" null'), `"${'t'.repeat(300)}"`]);
  const change = `{"event":${pick('"*" "INSERT" "x" 1')},"schema":${pick('"public" "private" "auth" ""')},
    "table":${pick('"orders" "nope" "Products" null 5 "a\\u0000b"')},
    "filter":${pick('"Id=eq.x" "a=b" "Id=in.(" null "\\u0000"')}}`;
  const payload = random.pick([
    `{"config":{"postgres_changes":[${change}]}}`,
    ...words('{} null {"access_token":5} {"access_token":"a.b.c"}'),
    ...jsonValues,
  ]);
  const frame = `["1","1",${topic},${event},${payload}]`;
  return random.pick([frame, frame, frame, random.pick(jsonValues), '{', `["1","1",${topic}]`]);
}
