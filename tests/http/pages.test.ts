// Public pages are cached whole: the same for every visitor, small on the wire, and never out of date.
import { afterAll, expect, inject, test } from 'vitest';
import { isIn } from '../support/in-shapes.ts';
import { connectToShop, insertProduct, moveStock, newMark } from '../support/rows.ts';
import { newCustomer } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');
const sql = await connectToShop(inject('shopDataDir'));
afterAll(() => sql.end());

const pages = ['/', '/shop', '/shop?category=laddu', '/product/9', '/terms'];
const read = (path: string, headers: Record<string, string> = {}) => fetch(shopUrl + path, { headers });
/** A moment is enough: the change tells the pages itself. */
// Over realtime it takes longer, and still far less than the minute that a page may be kept for.
const soon = { timeout: isIn('hosted') ? 10_000 : 1500, interval: 20 };

// Retried: another test may change the shop between two requests.
test.each(pages)('%s is the same for every visitor and revalidated by its ETag', { retry: 5 }, async (path) => {
  const first = await read(path);
  const html = await first.text();
  const mark = first.headers.get('etag') ?? '';
  expect(first.headers.get('cache-control')).toBe('no-cache');
  expect(first.headers.get('vary')).toContain('accept-encoding');
  const personal = { cookie: 'cart={"9":{"500":3}}', authorization: 'Bearer x', 'accept-language': 'hi' };
  expect(await (await read(path, personal)).text()).toBe(html);
  const again = await read(path, { 'if-none-match': mark });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect(again.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'));
  const head = await fetch(shopUrl + path, { method: 'HEAD' });
  expect([head.status, head.headers.get('etag')]).toEqual([200, mark]);
  for (const encoding of ['br', 'gzip', 'identity']) {
    const encoded = await read(path, { 'accept-encoding': encoding });
    expect(encoded.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect(await encoded.text()).toBe(html);
  }
});

test.each(['/cart', '/profile', '/logout', '/admin/orders', '/?code=abc', '/shop?q=laddu', '/product/99999999'])(
  '%s is not cached, and as small on the wire as cached pages',
  { retry: 5 },
  async (path) => {
    const html = await (await read(path, { 'accept-encoding': 'identity' })).text();
    const again = await read(path);
    expect(again.headers.get('etag') === null || again.status === 404).toBe(true);
    for (const encoding of ['br', 'gzip']) {
      const encoded = await read(path, { 'accept-encoding': encoding });
      expect(encoded.headers.get('content-encoding')).toBe(encoding);
      expect(encoded.headers.get('vary')).toContain('accept-encoding');
      expect(await encoded.text()).toBe(html);
    }
  },
);

test.each(['/?code=abc', '/?error=access_denied&error_description=no', '/shop?code=abc'])(
  '%s is stored by no cache',
  async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(shopUrl + path, { method });
      expect(answer.headers.get('cache-control'), method).toBe('no-store');
      expect(answer.headers.get('etag'), method).toBeNull();
    }
  },
);

test('a customer’s write that changes nothing is refused and leaves cached pages alone', async () => {
  const customer = await newCustomer(shopUrl);
  const changes = async () => Number((await sql`select count(*) from public.page_changes`)[0]?.count);
  const before = await changes();
  for (const table of ['Products', 'caurousel', 'greetings', 'shop_settings'] as const) {
    const key = table === 'Products' ? 'Id' : 'id';
    const value = table === 'shop_settings' ? 'true' : '999999';
    const body = {
      [{ Products: 'Name', caurousel: 'title', greetings: 'title', shop_settings: 'name' }[table]]: 'Mine',
    };
    const answer = await customer
      .from(table)
      .update(body as never)
      .eq(key as never, value as never);
    expect([answer.status, answer.error?.code], table).toEqual([403, '42501']);
  }
  // Another test may change the shop at the same time; four statements of a customer never do.
  expect(await changes()).toBeLessThan(before + 4);
});

const shows = async (path: string, text: string) => (await (await read(path)).text()).includes(text);

test('a product that is added, changed, sold out, hidden or renamed shows immediately', async () => {
  const name = newMark('Fresh');
  const shelf = '/shop?category=laddu';
  expect(await shows(shelf, name)).toBe(false);
  const id = await insertProduct(sql, { name, stock: 5 });
  const own = `/product/${id}`;
  await expect.poll(() => shows(shelf, name), soon).toBe(true);
  expect(await shows(own, name)).toBe(true);
  await sql`update public."Products" set "Description" = ${`${name} with saffron`} where "Id" = ${id}`;
  await expect.poll(() => shows(own, `${name} with saffron`), soon).toBe(true);
  await moveStock(sql, id, -5, 'wastage');
  await expect.poll(() => shows(own, 'https://schema.org/OutOfStock'), soon).toBe(true);
  await sql`update public."Products" set is_listed = false where "Id" = ${id}`;
  await expect.poll(async () => (await read(own)).status, soon).toBe(404);
  await expect.poll(() => shows(shelf, name), soon).toBe(false);

  // A fact of the shop that no other test looks at or goes by.
  const [{ facebook_url: before } = {}] = await sql`select facebook_url from public.shop_settings`;
  const link = `https://www.facebook.com/${id}`;
  await sql`update public.shop_settings set facebook_url = ${link}`;
  await expect.poll(() => shows('/terms', link), soon).toBe(true);
  await sql`update public.shop_settings set facebook_url = ${before}`;
  await expect.poll(() => shows('/terms', link), soon).toBe(false);
});

test('the terms name the days on which the shop is closed', async () => {
  expect(await shows('/terms', 'Sundays and public holidays are not business days.')).toBe(true);
});

test('a greeting shows from its start to its end', async () => {
  const title = newMark('Moment');
  const seconds = isIn('hosted') ? 6 : 1.5; // there each look takes a way over the network
  await sql`insert into public.greetings (title, starts_at, ends_at, priority)
    values (${title}, now() + interval '1 second', now() + interval '1 second' * ${1 + seconds}::float8, 1000)`;
  expect(await shows('/', title)).toBe(false);
  await expect.poll(() => shows('/', title), { timeout: 1500 + seconds * 1000, interval: 50 }).toBe(true);
  await expect.poll(() => shows('/', title), { timeout: 2500 + seconds * 1000, interval: 50 }).toBe(false);
  await sql`delete from public.greetings where title = ${title}`;
});
