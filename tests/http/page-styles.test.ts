// Every page carries the stylesheets of all it shows: it is painted with the first response, without any other file. Its
// scripts are few files.
import { expect, inject, test } from 'vitest';

const shopUrl = inject('shopUrl');
const pages = [
  '/',
  '/shop',
  '/shop?tab=gifts',
  '/shop?tab=takeaway',
  '/shop?q=laddu',
  '/shop?q=zzzzzz',
  '/product/1',
  '/product/99999999',
  '/terms',
  '/cart',
  '/order-confirmation/order_1',
  '/profile',
  '/logout',
  '/offline',
  '/no-such-page',
  '/admin/dashboard',
  '/admin/orders',
  '/admin/settings',
  '/admin/none',
];
/** As CSS Modules write them: `_name_hash_line`. */
const localClass = /^_.+_[\w-]{5}_\d+$/;

test.each(pages)('%s carries the styles of everything on it', async (path) => {
  const html = await (await fetch(shopUrl + path)).text();
  const styles = html.split('<style>').slice(1).join('');
  const body = html.slice(html.indexOf('<body'));
  const classes = new Set([...body.matchAll(/ class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' ')));
  const local = [...classes].filter((name) => localClass.test(name));
  expect(local.length).toBeGreaterThan(0);
  expect(local.filter((name) => !styles.includes(`.${name}`))).toEqual([]);
  expect(html).not.toContain('rel="stylesheet"');
});

test('a page of the shop does not carry the styles of the console', async () => {
  const styleSize = async (path: string) => {
    const html = await (await fetch(shopUrl + path)).text();
    return html.slice(html.indexOf('<style>'), html.indexOf('</style>')).length;
  };
  expect(await styleSize('/')).toBeLessThan(60_000);
  expect(await styleSize('/terms')).toBeLessThan(await styleSize('/admin/orders'));
});

test.each([
  ['/', 8],
  ['/shop', 8],
  ['/product/1', 8],
  ['/terms', 8],
  ['/cart', 11],
  ['/profile', 11],
])('%s runs on at most %i scripts: browsers fetch six files at a time', async (path, most) => {
  const html = await (await fetch(shopUrl + path)).text();
  const scripts = new Set([...html.matchAll(/ rel="modulepreload" href="([^"]+)"/g)].map(([, script]) => script));
  expect(scripts.size).toBeGreaterThan(0);
  expect(scripts.size).toBeLessThanOrEqual(most);
});
