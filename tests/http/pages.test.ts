// Public pages are kept whole: the same for everybody, small on the wire, and never older than what they show.
import { afterAll, expect, inject, test } from 'vitest';
import { connectToShop, insertProduct, moveStock, newMark } from '../support/rows.ts';

const shopUrl = inject('shopUrl');
const sql = await connectToShop(inject('shopDataDir'));
afterAll(() => sql.end());

const pages = ['/', '/shop', '/shop?category=laddu', '/product/9', '/terms'];
const read = (path: string, headers: Record<string, string> = {}) => fetch(shopUrl + path, { headers });
/** A moment is enough: the change tells the pages itself. */
const soon = { timeout: 1500, interval: 20 };

// Again where another test changed the shop meanwhile.
test.each(pages)('%s is the same for everybody and asked for again by its mark', { retry: 5 }, async (path) => {
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
  '%s is not kept',
  async (path) => {
    await read(path);
    const again = await read(path);
    expect(again.headers.get('etag') === null || again.status === 404).toBe(true);
  },
);

const shows = async (path: string, text: string) => (await (await read(path)).text()).includes(text);

test('what is added, changed, sold out, hidden or renamed shows at once', async () => {
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

  const [{ legal_name: before, weekly_off: off } = {}] =
    await sql`select legal_name, weekly_off from public.shop_settings`;
  await sql`update public.shop_settings set legal_name = ${name}`;
  await expect.poll(() => shows('/terms', name), soon).toBe(true);
  await sql`update public.shop_settings set legal_name = ${before}`;
  await expect.poll(() => shows('/terms', name), soon).toBe(false);
  await sql`update public.shop_settings set weekly_off = '{2}'`;
  await expect.poll(() => shows('/terms', 'Tuesdays and public holidays'), soon).toBe(true);
  await sql`update public.shop_settings set weekly_off = ${off}`;
});

test('a greeting is there from its first moment to its last', async () => {
  const title = newMark('Moment');
  await sql`insert into public.greetings (title, starts_at, ends_at, priority)
    values (${title}, now() + interval '1 second', now() + interval '2.5 seconds', 1000)`;
  expect(await shows('/', title)).toBe(false);
  await expect.poll(() => shows('/', title), { timeout: 3000, interval: 50 }).toBe(true);
  await expect.poll(() => shows('/', title), { timeout: 4000, interval: 50 }).toBe(false);
  await sql`delete from public.greetings where title = ${title}`;
});
