import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertProduct, insertReview, insertUser, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import { type Args, callConsole, type Page } from './call-console.ts';

let database: TestDatabase;
let sql: Sql;
let till: Till;
let administrator: { userId: string };
let productId: number;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  till = openTill(database.connection, sql);
  administrator = { userId: await insertUser(sql, { administrator: true, name: 'Asha Rao' }) };
  productId = await insertProduct(sql, { stock: 1_000_000, price: 100 });
  await insertZone(sql, { prefixes: ['4'] });
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

const ask = <T>(name: string, args: Args = {}) => callConsole<T>(sql, administrator, name, args);
const insertCustomer = (name: string) => insertUser(sql, { name });

describe('the record of a customer', () => {
  type Saved = { seen: string; tags: string[]; notes: string };
  const save = (args: Args) => ask<Saved>('admin_save_customer_record', { notes: '', tags: [], seen: null, ...args });

  test('notes and tags: trimmed, tags equal in any spelling, and in the log', async () => {
    const id = await insertCustomer('Noted Person');
    const saved = await save({
      customer_id: id,
      notes: 'Calls on Fridays',
      tags: [' Bulk  Order', 'bulk order', '', 'VIP'],
    });
    expect(saved).toMatchObject({ notes: 'Calls on Fridays', tags: ['bulk order', 'vip'] });
    await save({ customer_id: id, notes: 'Calls on Mondays', tags: ['vip'], seen: saved.seen });
    const log =
      await sql`select actor_id, action, before, after from public.audit_log where row_id = ${id} order by id`;
    expect(log).toMatchObject([
      { actor_id: administrator.userId, action: 'insert', after: { notes: 'Calls on Fridays' } },
      { action: 'update', before: { notes: 'Calls on Fridays' }, after: { notes: 'Calls on Mondays', tags: ['vip'] } },
    ]);
  });

  test('the second of two administrators gets a conflict, whether the record existed before or not', async () => {
    const id = await insertCustomer('Contested Person');
    const first = await save({ customer_id: id, notes: 'first' });
    const stale = { code: 'PT409', detail: 'stale' };
    await expect(save({ customer_id: id, notes: 'second' })).rejects.toMatchObject(stale);
    await save({ customer_id: id, notes: 'third', seen: first.seen });
    await expect(save({ customer_id: id, notes: 'fourth', seen: first.seen })).rejects.toMatchObject(stale);
    const block = ask('admin_block_customer', { customer_id: id, blocked: true, reason: 'x', seen: first.seen });
    await expect(block).rejects.toMatchObject(stale);
    const [record] = await sql`select notes, blocked_at from private.customer_records where user_id = ${id}`;
    expect(record).toEqual({ notes: 'third', blocked_at: null });
  });

  test.each([
    [{ notes: 'x'.repeat(4001) }, 'notes'],
    [{ tags: Array.from({ length: 21 }, (_, n) => `tag ${n}`) }, 'tags'],
    [{ tags: ['x'.repeat(31)] }, 'tags'],
    [{ tags: ['a, b'] }, 'tags'],
  ] as [Args, string][])('what is too much is refused at its field (%#)', async (args, field) => {
    const id = await insertCustomer('Refused Person');
    await expect(save({ customer_id: id, ...args })).rejects.toMatchObject({ code: 'PT422', detail: field });
    expect(await sql`select from private.customer_records where user_id = ${id}`).toEqual([]);
  });

  test('a deleted customer is not found', async () => {
    const customer_id = '00000000-0000-4000-8000-00000000dead';
    expect(await ask('admin_read_customer', { customer_id })).toBeNull();
    await expect(ask('admin_preview_erasure', { customer_id })).rejects.toMatchObject({ code: 'PT404' });
    await expect(save({ customer_id })).rejects.toMatchObject({ code: 'PT404' });
  });
});

describe('a block', () => {
  const block = (customer_id: string, args: Args) =>
    ask<{ seen: string; blocked_at: string | null }>('admin_block_customer', {
      customer_id,
      blocked: true,
      reason: 'Refused three parcels',
      seen: null,
      ...args,
    });

  test('stops the customer at createOrder, releases their reservations, and can be removed', async () => {
    const customer = await till.customer();
    const line = [{ productId, quantity: 1, size: 500 as const }];
    const opened = await till.checkout(customer, line);
    const { seen } = await block(customer, {});
    expect(await sql`select state from private.checkouts where user_id = ${customer}`).toEqual([{ state: 'lapsed' }]);
    await till.expectCleanBooks();
    const again = async () => {
      const { total, quote_id } = (await till.quote(customer, line)).body as never;
      return till.create(customer, total, quote_id);
    };
    expect((await again()).body.error?.code).toBe('blocked');
    expect((await till.create(customer, opened.total, opened.quoteId)).status).toBe(409);
    expect(await block(customer, { blocked: false, reason: '', seen })).toMatchObject({ blocked_at: null });
    expect((await again()).status).toBe(201);
    const log = await sql`select after from public.audit_log where row_id = ${customer} order by id`;
    expect(log).toMatchObject([
      { after: { blocked_reason: 'Refused three parcels' } },
      { after: { blocked_at: null } },
    ]);
  });

  test('needs a reason, and never meets an administrator', async () => {
    const customer = await insertCustomer('Unblocked Person');
    const refused = { code: 'PT422', detail: 'reason' };
    await expect(block(customer, { reason: '  ' })).rejects.toMatchObject(refused);
    await expect(block(customer, { reason: 'x'.repeat(301) })).rejects.toMatchObject(refused);
    await expect(block(administrator.userId, {})).rejects.toMatchObject({ code: 'PT422' });
    expect(
      await sql`select from private.customer_records where blocked_at is not null and user_id in ${sql([customer, administrator.userId])}`,
    ).toEqual([]);
  });
});

describe('reviews', () => {
  type Review = { id: number; content: string; seen: string; hidden_at: string | null };
  const reviews = (args: Args = {}) => ask<Page<Review>>('admin_list_reviews', args);
  const hide = (review_id: number, hidden: boolean, seen: string) =>
    ask<Review>('admin_hide_review', { review_id, hidden, seen });

  test('are found by text, sweet, rating, author and whether they are hidden, newest first', async () => {
    const author = await insertCustomer('Reviewing Person');
    const sweet = await insertProduct(sql, { name: 'Qalakand Special' });
    const good = await insertReview(sql, {
      userId: author,
      productId: sweet,
      rating: 5,
      content: 'Melts like Snowflakes',
    });
    const bad = await insertReview(sql, { userId: author, productId, rating: 1, content: 'Dry', hidden: true });
    const ids = async (args: Args) => (await reviews(args)).rows.map(({ id }) => id);
    expect(await ids({ customer_id: author })).toEqual([bad, good]);
    expect(await ids({ search: 'snowFLAKES melts' })).toEqual([good]);
    expect(await ids({ search: 'qalakand' })).toEqual([good]);
    expect(await ids({ customer_id: author, rating: 1 })).toEqual([bad]);
    expect(await ids({ customer_id: author, shown: 'hidden' })).toEqual([bad]);
    expect(await ids({ customer_id: author, shown: 'shown' })).toEqual([good]);
    expect((await reviews({ customer_id: author })).rows[1]).toMatchObject({
      customer: 'Reviewing Person',
      product: 'Qalakand Special',
    });
    await expect(reviews({ after: '{"key": "x", "id": 1}' })).rejects.toMatchObject({ code: 'PT422', detail: 'after' });
  });

  test('come in pages of 50', async () => {
    const author = await insertCustomer('Prolific Person');
    for (let n = 1; n <= 70; n += 1)
      await insertReview(sql, { userId: author, productId: await insertProduct(sql), content: `n ${n}` });
    const first = await reviews({ customer_id: author });
    const second = await reviews({ customer_id: author, after: first.next });
    expect([first.count, first.rows.length, second.rows.length, second.next]).toEqual([70, 50, 20, null]);
    expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(70);
  });

  test('are hidden and shown, the rating follows, and the log has it', async () => {
    const author = await insertCustomer('Hidden Person');
    const sweet = await insertProduct(sql);
    const id = await insertReview(sql, { userId: author, productId: sweet, rating: 2 });
    const rating = async () => (await sql`select "Rating" from public."Products" where "Id" = ${sweet}`)[0]?.Rating;
    const [seen] = (await reviews({ customer_id: author })).rows;
    await hide(id, true, seen?.seen ?? '');
    expect(await rating()).toBeNull();
    await expect(hide(id, true, seen?.seen ?? '')).rejects.toMatchObject({ code: 'PT409', detail: 'stale' });
    await hide(id, false, seen?.seen ?? '');
    expect(await rating()).toBe('2.00');
    const log =
      await sql`select actor_id from public.audit_log where table_name = 'comments' and row_id = ${String(id)}`;
    expect(log).toEqual([{ actor_id: administrator.userId }, { actor_id: administrator.userId }]);
  });

  test('are not shown again in words that were never shown before', async () => {
    const author = await insertCustomer('Editing Person');
    const id = await insertReview(sql, { userId: author, productId, hidden: true });
    const [seen] = (await reviews({ customer_id: author })).rows;
    await as(sql, { userId: author }, (tx) => tx`update public.comments set content = 'Worse' where id = ${id}`);
    await expect(hide(id, false, seen?.seen ?? '')).rejects.toMatchObject({ code: 'PT409', detail: 'stale' });
    await sql`delete from public.comments where id = ${id}`;
    await expect(hide(id, false, seen?.seen ?? '')).rejects.toMatchObject({ code: 'PT404' });
  });
});
