// The page of a signed link, without a browser: what it answers to good and bad links, and what it keeps to itself.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectToShop, insertPaidOrder, insertProduct, insertUser } from '../support/rows.ts';

const shopUrl = inject('shopUrl');
let sql: Sql;
let orderId: string;
let token: string;
beforeAll(async () => {
  sql = await connectToShop(inject('shopDataDir'));
  const productId = await insertProduct(sql, { stock: 10 });
  const userId = await insertUser(sql, { name: 'Zubeida Mirchandani' });
  orderId = (await insertPaidOrder(sql, { userId, productId, deliveryName: 'Zubeida Mirchandani' })).id;
  await sql`update public.orders set delivery_building_no = 'Flat 7Q', delivery_street = 'Turner Road', delivery_city = 'Mumbai',
    delivery_phone = '98200 41237' where id = ${orderId}`;
  token = (await sql`select private.order_link(${orderId}, now()) as token`)[0]?.token;
});
afterAll(() => sql.end());

/** As the page and as the data that the router asks for. */
const addresses = (one: string) => [`${shopUrl}/order/${one}`, `${shopUrl}/order/${one}.data`];

test('a good link opens the order, and no cache, search engine or other site learns its address', async () => {
  for (const url of addresses(token)) {
    const answer = await fetch(url);
    expect(answer.status, url).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('x-robots-tag')).toContain('noindex');
    const text = await answer.text();
    for (const fact of ['Zubeida', 'Mumbai', '237']) expect(text).toContain(fact);
    for (const secret of ['Mirchandani', 'Turner', '7Q', '41237', '400001', orderId])
      expect(text).not.toContain(secret);
  }
});

test('every other link gets the same answer, whatever is wrong with it', async () => {
  const [made] = await sql`select private.order_link(${orderId}, now() - interval '61 days') as expired,
    private.order_link('00000000-0000-4000-8000-000000000000', now()) as missing,
    private.make_link('restore cart', ${orderId}, 0, current_date + 9) as other`;
  const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  const bodies = new Set<string>();
  for (const one of [
    forged,
    made?.expired,
    made?.missing,
    made?.other,
    orderId,
    'x',
    '%F0%9F%92%A5',
    'a'.repeat(5000),
  ]) {
    const answer = await fetch(`${shopUrl}/order/${one}`);
    expect(answer.status, one).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    const text = await answer.text();
    bodies.add(text.replaceAll(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '));
    expect(text).toContain('This link doesn’t work');
  }
  expect(bodies.size).toBe(1);
});

test('a number and an email address find nothing: there is no form, and a link is of one order', async () => {
  const [order] = await sql`select number from public.orders where id = ${orderId}`;
  for (const one of [`${order?.number}`, `${order?.number}?email=zubeida@example.com`])
    expect((await fetch(`${shopUrl}/order/${one}`)).status).toBe(404);
  expect((await fetch(`${shopUrl}/order`)).status).toBe(404);
});

test('a revoked link opens nothing', async () => {
  await sql`insert into private.order_link_revocations (order_id) values (${orderId})`;
  for (const url of addresses(token)) expect((await fetch(url)).status).toBe(404);
});
