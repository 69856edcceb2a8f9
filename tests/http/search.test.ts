import { beforeAll, expect, inject, test } from 'vitest';
import { publicEnvironment } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
let key: string;
beforeAll(async () => {
  ({ key } = await publicEnvironment(shopUrl));
});

const page = async (query: string) => {
  const response = await fetch(`${shopUrl}/shop?${query}`);
  return { status: response.status, headers: response.headers, html: await response.text() };
};
const sweetsIn = (html: string) => [...html.matchAll(/href="\/product\/\d+"[^>]*>([^<]+)</g)].map((match) => match[1]);
const suggest = (query: string, init: RequestInit = {}) =>
  fetch(`${backendUrl}/rest/v1/rpc/search_products?${query}`, { headers: { apikey: key }, ...init });

test('the page works without scripts: results, their count, the word in title and field, and noindex', async () => {
  const { status, html } = await page('q=gajjar+halvah');
  expect(status).toBe(200);
  expect(html).toMatch(/<title>Search: gajjar halvah · [^<]+<\/title>/);
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).toMatch(/<input[^>]*name="q"[^>]*value="gajjar halvah"/);
  expect(html).toMatch(/role="status">3 items</);
  expect(sweetsIn(html)[0]).toBe('Gajar Halwa');
  expect((await page('')).html).not.toContain('noindex');
});

test('price, category and sort apply to the results, and keep the word', async () => {
  const { html } = await page('q=ladoo&price=below-300&sort=h-l');
  const amounts = [...html.matchAll(/amount[^>]*>₹([\d,]+)/g)].map((match) => Number(match[1]?.replace(',', '')));
  expect(amounts.length).toBeGreaterThan(2);
  expect(amounts.every((amount) => amount <= 300)).toBe(true);
  expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
  expect(html).toContain('href="/shop?q=ladoo&amp;sort=l-h&amp;price=below-300"');
  expect(html).toContain('Best match');
  expect((await page('q=motichoor&price=below-100')).html).toContain('Nothing matches these filters.');
});

test('without results it shows similar sweets, and messages with the wish filled in', async () => {
  const { status, html } = await page(`q=${encodeURIComponent('ghevar ladoo')}`);
  expect(status).toBe(200);
  expect(html).toContain('Nothing found for');
  expect(sweetsIn(html)[0]).toContain('Laddu');
  const wish = encodeURIComponent('“ghevar ladoo”');
  expect(html).toMatch(new RegExp(`href="https://wa.me/\\d+\\?text=[^"]*${wish}`));
  expect(html).toMatch(new RegExp(`href="mailto:[^"]*${wish}`));
  expect(html).not.toContain('No close matches');
});

test('when the similar sweets do not match a requirement, the page says so', async () => {
  const { html } = await page('q=sugar+free+laddu');
  expect(html).toContain('No close matches: we don’t guess when you exclude an ingredient.');
  expect(sweetsIn(html)).toEqual([]);
});

test.each([
  ['10,000 letters', 'x'.repeat(10_000)],
  ['control characters', 'a\0b\u0001\u202e'],
  ['markup', '<script>alert(1)</script>"><img src=x onerror=alert(1)>'],
  ['wildcards', '%_%\\'],
  ['half a character', '\ud83c'],
  ['other scripts', 'لڈو 甜品 🍬'],
  ['10,000 letters of Devanagari', 'ल'.repeat(10_000)],
])('a page for %s', async (_what, q) => {
  const { status, html } = await page(new URLSearchParams({ q }).toString());
  expect(status).toBe(200);
  expect(html).toMatch(/(Nothing found|Found) for/);
  expect(html).not.toContain('<script>alert');
  expect(html).not.toContain('<img src=x');
});

test('suggestions return cards to visitors, and a 4xx for a bad request', async () => {
  const answer = await (await suggest('query=kaju+ktli&most=2')).json();
  expect(answer.products.map(({ Name }: { Name: string }) => Name)).toEqual([
    'Kaju Katli Silver Box',
    'Kaju Chocolate Katli',
  ]);
  expect((await suggest(`query=${'x'.repeat(10_000)}`)).status).toBe(200);
  for (const query of ['', 'query=a&most=x', 'query=a&nope=1', 'query=%00'])
    expect((await suggest(query)).status, query).toBeGreaterThanOrEqual(400);
  for (const query of ['', 'query=a&most=x', 'query=a&nope=1', 'query=%00'])
    expect((await suggest(query)).status, query).toBeLessThan(500);
});

test.each(['constructor', 'toString', '__proto__'])('a visitor can search for %s', async (query) => {
  expect((await suggest(`query=${query}&most=5`)).status).toBe(200);
});

test('an address that is too long is refused with a message', async () => {
  const response = await fetch(`${shopUrl}/shop?q=${'x'.repeat(200_000)}`);
  expect(response.status).toBe(431);
  expect(await response.text()).toBe('This address is too long.');
});
