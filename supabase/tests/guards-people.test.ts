import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import {
  actAs,
  as,
  grantEverything,
  insertPaidOrder,
  insertProduct,
  insertReview,
  insertUser,
} from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
let customer: { userId: string };
let stranger: { userId: string };
let administrator: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  await grantEverything(sql);
  customer = { userId: await insertUser(sql, { name: 'Meera Nair', avatarUrl: 'https://example.com/meera.png' }) };
  stranger = { userId: await insertUser(sql) };
  administrator = { userId: await insertUser(sql, { administrator: true }) };
});
afterAll(() => database.drop());

const reviewOf = async (id: number) => (await sql`select * from public.comments where id = ${id}`)[0];
const ratingOf = async (id: number) =>
  (await sql`select "Rating"::float as rating, review_count as reviews from public."Products" where "Id" = ${id}`)[0];

const hide = (id: number, hidden: boolean) =>
  as(
    sql,
    administrator,
    (tx) => tx`select public.admin_hide_review(${id}, ${hidden},
      (select coalesce(updated_at, created_at) from public.comments where id = ${id}))`,
  );

describe('reviews', () => {
  test('keep everything but the text, even from their author', async () => {
    const productId = await insertProduct(sql);
    const id = await insertReview(sql, { userId: customer.userId, productId });
    const before = await reviewOf(id);
    const changes = {
      id: id + 1_000_000,
      rating: 1,
      product_id: await insertProduct(sql),
      user_id: stranger.userId,
      created_at: '2020-01-01T00:00:00Z',
      hidden_at: '2020-01-01T00:00:00Z',
    };
    for (const [column, value] of Object.entries(changes)) {
      const attempt = as(
        sql,
        customer,
        (tx) => tx`update public.comments set ${tx({ [column]: value })} where id = ${id}`,
      );
      await expect(attempt, column).rejects.toMatchObject({ code: column === 'id' ? '428C9' : 'PT403' });
      expect(await reviewOf(id)).toEqual(before);
    }
    await as(
      sql,
      customer,
      (tx) => tx`update public.comments set content = 'Better cold', updated_at = null where id = ${id}`,
    );
    expect(await reviewOf(id)).toEqual({ ...before, content: 'Better cold', updated_at: expect.any(Date) });
  });

  test('are dated and published by the shop, whatever the writer says', async () => {
    const productId = await insertProduct(sql);
    await as(
      sql,
      customer,
      (tx) => tx`insert into public.comments (content, rating, product_id, created_at, updated_at, hidden_at)
      values ('Old news', 4, ${productId}, '2001-01-01', '2001-01-01', '2001-01-01')`,
    );
    const [review] =
      await sql`select *, created_at > now() - interval '1 minute' as fresh from public.comments where product_id = ${productId}`;
    expect(review).toMatchObject({ user_id: customer.userId, fresh: true, updated_at: null, hidden_at: null });
  });

  test('can be hidden and shown by an administrator, and not rewritten', async () => {
    const id = await insertReview(sql, { userId: customer.userId, productId: await insertProduct(sql) });
    const before = await reviewOf(id);
    const rewrite = as(
      sql,
      administrator,
      (tx) => tx`update public.comments set content = 'I love it' where id = ${id}`,
    );
    await rewrite; // matches no row: the review is not the administrator's
    expect(await reviewOf(id)).toEqual(before);
    await hide(id, true);
    expect(await reviewOf(id)).toEqual({ ...before, hidden_at: expect.any(Date) });
    const show = as(sql, customer, (tx) => tx`update public.comments set hidden_at = null where id = ${id}`);
    await expect(show).rejects.toMatchObject({ code: 'PT403' });
    await hide(id, false);
    expect(await reviewOf(id)).toEqual(before);
  });

  test('are at most five an hour from one person; the sixth is refused', async () => {
    const writer = { userId: await insertUser(sql) };
    const products: number[] = [];
    for (let n = 0; n < 6; n++) products.push(await insertProduct(sql));
    const write = (count: number) =>
      // One transaction is one moment, so that no full hour can strike between the reviews.
      as(sql, writer, async (tx) => {
        for (const id of products.slice(0, count))
          await tx`insert into public.comments (content, rating, product_id) values ('Good', 5, ${id})`;
      });
    await expect(write(6)).rejects.toMatchObject({ code: 'PT429' });
    expect(await ratingOf(products[0] ?? 0)).toEqual({ rating: null, reviews: 0 });
    await write(5);
    expect(await ratingOf(products[4] ?? 0)).toEqual({ rating: 5, reviews: 1 });
  });

  test('make the rating of a product: written, hidden, shown and deleted', async () => {
    const productId = await insertProduct(sql);
    const good = await insertReview(sql, { userId: customer.userId, productId, rating: 5 });
    const bad = await insertReview(sql, { userId: stranger.userId, productId, rating: 2 });
    await insertReview(sql, { userId: await insertUser(sql), productId, rating: 2 });
    expect(await ratingOf(productId)).toEqual({ rating: 3, reviews: 3 });
    await hide(bad, true);
    expect(await ratingOf(productId)).toEqual({ rating: 3.5, reviews: 2 });
    await as(sql, customer, (tx) => tx`delete from public.comments where id = ${good}`);
    expect(await ratingOf(productId)).toEqual({ rating: 2, reviews: 1 });
    await hide(bad, false);
    expect(await ratingOf(productId)).toEqual({ rating: 2, reviews: 2 });
  });

  test('come newest first with their authors, without the hidden ones and never with an e-mail', async () => {
    const productId = await insertProduct(sql);
    const nameless = await insertUser(sql, { name: null });
    const first = await insertReview(sql, { userId: customer.userId, productId });
    const second = await insertReview(sql, { userId: nameless, productId });
    await insertReview(sql, { userId: stranger.userId, productId, hidden: true });
    const rows = await as(sql, 'anon', (tx) => tx`select * from public.product_reviews(${productId})`);
    expect(rows).toMatchObject([
      { id: String(second), author_name: 'Anonymous', author_avatar_url: null },
      { id: String(first), author_name: 'Meera Nair', author_avatar_url: 'https://example.com/meera.png' },
    ]);
    expect(JSON.stringify(rows)).not.toContain('@example.com');
    const older = await as(sql, 'anon', (tx) => tx`select id from public.product_reviews(${productId}, ${second}, 1)`);
    expect(older).toEqual([{ id: String(first) }]);
  });
});

test('get_user_info returns name and picture only for people with a published review', async () => {
  const person = await insertUser(sql, { name: 'Kabir Das', avatarUrl: 'https://example.com/kabir.png' });
  const ask = async (id: string) => [...(await as(sql, 'anon', (tx) => tx`select * from public.get_user_info(${id})`))];
  const anonymous = [{ name: 'Anonymous', avatar_url: null }];
  expect(await ask(person)).toEqual(anonymous);
  const review = await insertReview(sql, { userId: person, productId: await insertProduct(sql), hidden: true });
  expect(await ask(person)).toEqual(anonymous);
  await sql`update public.comments set hidden_at = null where id = ${review}`;
  expect(await ask(person)).toEqual([{ name: 'Kabir Das', avatar_url: 'https://example.com/kabir.png' }]);
  expect(await ask('00000000-0000-4000-8000-000000000009')).toEqual(anonymous);
});

test('is_administrator tells customers about themselves only, and the service role about everyone', async () => {
  const asks = async (caller: Parameters<typeof as>[1], id: string) =>
    (await as(sql, caller, (tx) => tx`select public.is_administrator(${id}) as yes`))[0]?.yes;
  expect(await asks(administrator, administrator.userId)).toBe(true);
  expect(await asks('service', administrator.userId)).toBe(true);
  expect(await asks('service', customer.userId)).toBe(false);
  expect(await asks(customer, customer.userId)).toBe(false);
  expect(await asks(customer, administrator.userId)).toBe(false);
  const other = await insertUser(sql, { administrator: true });
  expect(await asks(administrator, other)).toBe(false);
  expect(await asks('anon', administrator.userId)).toBeFalsy();
});

test('a profile cannot be given away, and its date of creation cannot be forged', async () => {
  const me = { userId: await insertUser(sql) };
  await as(
    sql,
    me,
    (tx) =>
      tx`insert into public.user_profiles (user_id, city, created_at) values (${me.userId}, 'Pune', '2001-01-01')`,
  );
  const read = async () => (await sql`select * from public.user_profiles where user_id = ${me.userId}`)[0];
  const before = await read();
  expect(before?.created_at.getUTCFullYear()).toBeGreaterThan(2001);
  await as(
    sql,
    me,
    (tx) => tx`update public.user_profiles set created_at = '2001-01-01', city = 'Nashik' where user_id = ${me.userId}`,
  );
  expect(await read()).toEqual({ ...before, city: 'Nashik', updated_at: expect.any(Date) });
  const give = as(sql, me, (tx) => tx`update public.user_profiles set user_id = ${stranger.userId} where true`);
  await expect(give).rejects.toMatchObject({ code: expect.stringMatching(/^(PT403|42501)$/) });
  expect(await read()).toMatchObject({ city: 'Nashik' });
});

test('the audit log holds what administrators changed, and nothing of what others did', async () => {
  const log = () =>
    sql`select actor_id, action, table_name, row_id, before, after from public.audit_log order by id desc`;
  const productId = await insertProduct(sql, { price: 100, stock: 10 });
  const order = await insertPaidOrder(sql, { userId: customer.userId, productId });
  const before = (await log()).length;
  await as(sql, customer, (tx) => tx`update public.orders set status = 'canceled' where id = ${order.id}`);
  await as(sql, 'service', (tx) => tx`update public."Products" set "Price" = 110 where "Id" = ${productId}`);
  await sql`update public."Products" set "Price" = 120 where "Id" = ${productId}`;
  expect(await log()).toHaveLength(before);

  const row = { actor_id: administrator.userId, table_name: 'Products', row_id: String(productId) };
  await as(sql, administrator, (tx) => tx`update public."Products" set "Price" = 130 where "Id" = ${productId}`);
  expect((await log()).slice(0, -before || undefined)).toEqual([
    { ...row, action: 'update', before: { Price: 120, offer_percent: null }, after: { Price: 130, offer_percent: 0 } },
  ]);
  await as(sql, administrator, (tx) => tx`update public."Products" set "Price" = 130 where "Id" = ${productId}`);
  expect(await log()).toHaveLength(before + 1);
  await as(sql, administrator, async (tx) => {
    await tx`insert into public.vendors (id, name) values (77, 'Gokul Dairy')`;
    await tx`delete from public.vendors where id = 77`;
  });
  const [deleted, inserted] = await log();
  expect(inserted).toMatchObject({ action: 'insert', table_name: 'vendors', row_id: '77', before: null });
  expect(deleted).toMatchObject({ action: 'delete', table_name: 'vendors', row_id: '77', after: null });
});

test('links are paths of this site or web addresses, and nothing that runs or leads elsewhere', async () => {
  const safe = async (link: string) => (await sql`select private.is_safe_link(${link}) as safe`)[0]?.safe;
  for (const link of ['/', '/shop', '/shop?tab=gifts#top', 'https://example.com', 'http://example.com/a?b=c'])
    expect(await safe(link), link).toBe(true);
  const unsafe = [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    '//host',
    '/\\host',
    '/a\\b',
    '\\\\host',
    'shop',
  ];
  const spaced = [
    '/a b',
    ' /shop',
    '/shop ',
    '/\t/host',
    '/shop\n',
    'https://a b',
    'https://',
    'https:/\\host',
    'ftp://host',
    '',
  ];
  for (const link of [...unsafe, ...spaced, `/${'a'.repeat(500)}`])
    expect(await safe(link), JSON.stringify(link)).toBe(false);
});

test('requests are counted per person and action, and start at zero with every window', async () => {
  const take = async (subject: string, at: string, action = 'test') =>
    (await sql`select private.consume_rate_limit(${action}, ${subject}, 2, interval '1 minute', ${at}) as yes`)[0]?.yes;
  const taken = [];
  for (const second of ['00', '30', '59']) taken.push(await take('a', `2026-11-01T10:00:${second}Z`));
  expect(taken).toEqual([true, true, false]);
  expect(await take('b', '2026-11-01T10:00:59Z')).toBe(true);
  expect(await take('a', '2026-11-01T10:00:59Z', 'other')).toBe(true);
  expect(await take('a', '2026-11-01T10:01:00Z')).toBe(true);
  expect(await sql`select taken from private.rate_limits where action = 'test' and subject = 'a'`).toEqual([
    { taken: 1 },
  ]);
  const own = sql.begin(async (tx) => {
    await actAs(tx, customer);
    await tx`select private.consume_rate_limit('review', ${stranger.userId}, 5, interval '1 hour')`;
  });
  await expect(own).rejects.toMatchObject({ code: '42501' });
});
