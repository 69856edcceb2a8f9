// Before a festival, customers who sent gifts last year and agreed to be reminded get one email with their list. Orders are placed
// today; festivals are a year from now, and the clock is turned to them.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, grantEverything, insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import { tidyUp } from '../functions/_shared/run-jobs.ts';
import { callConsole } from './call-console.ts';

let database: TestDatabase;
let till: Till;
let productId: number;
let administrator: { userId: string };
const day = 86_400_000;
const today = Date.now();
const isoDay = (at: number) => new Date(at).toISOString().slice(0, 10);
/** A year from now, and so many days. */
const nextYear = (days: number) => today + (365 + days) * day;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  await grantEverything(database.sql);
  till = openTill(database.connection, database.sql);
  productId = await insertProduct(database.sql, { name: 'Besan Laddu', stock: 10_000 });
  administrator = { userId: await insertUser(database.sql, { administrator: true }) };
  await festival('Diwali');
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

const festival = (name: string, days = 0, orderBy = days - 2) =>
  database.sql`insert into private.festival_cutoffs (name, starts_on, ends_on, order_by)
    values (${name}, ${isoDay(nextYear(days))}, ${isoDay(nextYear(days + 1))}, ${isoDay(nextYear(orderBy))}) returning id`;

const ask = (userId: string, call: string) =>
  as(database.sql, { userId }, async (tx) => (await tx.unsafe(`select public.${call} as a`))[0]?.a);
const choose = (userId: string, agreed: boolean, source = 'profile') =>
  ask(userId, `choose_gift_reminders(${agreed}, '${source}')`);
const choices = (userId: string) =>
  database.sql`select is_agreed, source, chosen_at from private.reminder_choices where user_id = ${userId} order by id`;

async function sendGift(userId: string, recipient = 'Kamala Devi', status = 'Pending'): Promise<string> {
  const { id } = await insertPaidOrder(database.sql, { userId, productId, deliveryName: recipient });
  await database.sql`insert into private.order_gifts (order_id, note, motif, sender_name)
    values (${id}, 'Namaste', 'diwali', 'Meera')`;
  if (status !== 'Pending') await database.sql`update public.orders set status = ${status} where id = ${id}`;
  return id;
}

async function customerWhoSent(...recipients: string[]): Promise<string> {
  const userId = await insertUser(database.sql, { name: 'Meera Joshi' });
  for (const recipient of recipients) await sendGift(userId, recipient);
  return userId;
}

const reminders = (userId: string) =>
  till.mails.filter(({ to, key }) => to.address === `${userId}@example.com` && key.startsWith('mail:gift-reminder:'));
/** What the worker does on that day. */
async function workOn(days: number): Promise<void> {
  till.clock.at = nextYear(days);
  await tidyUp(till.context);
  await till.work();
}

describe('agreeing to reminders', () => {
  test('is off until the customer agrees, and is recorded with when and where', async () => {
    const userId = await insertUser(database.sql);
    expect(await ask(userId, 'my_gift_reminders()')).toEqual({ agreed: false, since: null });
    const answer = await choose(userId, true, 'order');
    expect(answer).toMatchObject({ agreed: true });
    expect(Math.abs(Date.parse(answer.since) - Date.now())).toBeLessThan(60_000);
    await choose(userId, true);
    await choose(userId, false);
    expect((await choices(userId)).map(({ is_agreed, source }) => [is_agreed, source])).toEqual([
      [true, 'order'],
      [false, 'profile'],
    ]);
  });

  test('is for the caller alone, and the record does not change', async () => {
    const userId = await insertUser(database.sql);
    await choose(userId, true);
    expect(await ask(await insertUser(database.sql), 'my_gift_reminders()')).toEqual({ agreed: false, since: null });
    await expect(as(database.sql, 'anon', (tx) => tx`select public.choose_gift_reminders(true)`)).rejects.toThrow(
      /permission denied/,
    );
    await expect(choose(userId, true, 'email')).rejects.toThrow(/choose whether/);
    await expect(
      database.sql`update private.reminder_choices set chosen_at = now() where user_id = ${userId}`,
    ).rejects.toThrow(/never changed/);
  });

  test('back and forth has a limit', async () => {
    const userId = await insertUser(database.sql);
    for (let turn = 0; turn < 20; turn += 1) await choose(userId, turn % 2 === 0);
    await expect(choose(userId, true)).rejects.toThrow(/at most twenty an hour/);
  });
});

describe('a reminder', () => {
  test('is one email with last year’s list, some days before the last day to order', async () => {
    const userId = await customerWhoSent('Kamala Devi', 'Arjun Mehta', 'Kamala Devi');
    const canceled = await sendGift(userId, 'Canceled Chacha', 'canceled');
    await choose(userId, true);
    await workOn(-13);
    expect(reminders(userId)).toHaveLength(0);
    await workOn(-12);
    await workOn(-12);
    await workOn(-5);
    const [mail, ...others] = reminders(userId);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Diwali is coming: your gift list from last year');
    for (const part of [mail?.text ?? '', mail?.html ?? '']) {
      expect(part.match(/Kamala Devi/g)).toHaveLength(1);
      expect(part).toContain('Arjun Mehta');
      expect(part).toContain('Besan Laddu × 2');
      expect(part).not.toContain('Canceled Chacha');
      expect(part).not.toContain('₹');
      expect(part).toContain('/unsubscribe?token=');
    }
    expect(mail?.unsubscribeUrl).toContain(`/unsubscribe?token=${userId}.`);
    expect(canceled).not.toBe('');
  });

  test('is not sent without agreeing, without a gift, or when it would be too late to order', async () => {
    const silent = await customerWhoSent('Kamala Devi');
    const giftless = await insertUser(database.sql);
    await insertPaidOrder(database.sql, { userId: giftless, productId });
    await choose(giftless, true);
    const late = await customerWhoSent('Kamala Devi');
    await workOn(-6);
    await choose(late, true);
    await workOn(-3);
    for (const userId of [silent, giftless, late]) expect(reminders(userId)).toHaveLength(0);
  });

  test('is not sent for gifts of another season', async () => {
    const userId = await customerWhoSent('Kamala Devi');
    await choose(userId, true);
    await festival('Holi', 130);
    await workOn(122);
    expect(reminders(userId)).toHaveLength(0);
  });

  test('is not sent after opting out, even if it is queued already', async () => {
    const before = await customerWhoSent('Kamala Devi');
    await choose(before, true);
    await choose(before, false);
    const after = await customerWhoSent('Kamala Devi');
    await choose(after, true);
    till.clock.at = nextYear(-6);
    await tidyUp(till.context);
    await choose(after, false);
    await till.work();
    for (const userId of [before, after]) expect(reminders(userId)).toHaveLength(0);
    const [job] =
      await database.sql`select done_at is not null as is_done, last_error from private.outbox where payload ->> 'user_id' = ${after}`;
    expect(job).toEqual({ is_done: true, last_error: 'no recipient' });
  });

  test('is one, where a festival is renamed, moved or has a cut-off for each zone', async () => {
    const userId = await customerWhoSent('Kamala Devi');
    await choose(userId, true);
    await festival('diwali ', 0, -3);
    await festival('Dhanteras', -2, -4);
    await workOn(-10);
    await database.sql`update private.festival_cutoffs set name = 'Deepavali' where name = 'Diwali'`;
    await workOn(-9);
    await database.sql`update private.festival_cutoffs set name = 'Diwali' where name = 'Deepavali'`;
    await workOn(-8);
    expect(reminders(userId)).toHaveLength(1);
  });

  test('is queued once by two workers at the same moment', async () => {
    const userId = await customerWhoSent('Kamala Devi');
    await choose(userId, true);
    till.clock.at = nextYear(-7);
    await Promise.all([1, 2, 3].map(() => tidyUp(till.context)));
    expect(await database.sql`select from private.outbox where payload ->> 'user_id' = ${userId}`).toHaveLength(1);
  });
});

describe('the link in a reminder', () => {
  const stop = (token: string) =>
    as(
      database.sql,
      'anon',
      async (tx) => (await tx`select public.stop_gift_reminders(${token}) as is_stopped`)[0]?.is_stopped,
    );

  async function linkOf(userId: string): Promise<string> {
    await choose(userId, true);
    await workOn(-7);
    return new URL(reminders(userId)[0]?.unsubscribeUrl ?? '').searchParams.get('token') ?? '';
  }

  test('stops reminders without a login, also when it is used twice', async () => {
    const userId = await customerWhoSent('Kamala Devi');
    const token = await linkOf(userId);
    expect(await stop(token)).toBe(true);
    expect(await stop(token)).toBe(true);
    expect((await choices(userId)).map(({ is_agreed, source }) => [is_agreed, source])).toEqual([
      [true, 'profile'],
      [false, 'email'],
    ]);
    expect(await ask(userId, 'my_gift_reminders()')).toMatchObject({ agreed: false });
  });

  test('cannot be made for somebody else', async () => {
    const [userId, other] = [await customerWhoSent('Kamala Devi'), await insertUser(database.sql)];
    const token = await linkOf(userId);
    await choose(other, true);
    const signature = token.split('.')[1] ?? '';
    for (const forged of [`${other}.${signature}`, `${userId}.${'0'.repeat(64)}`, userId, '', "' or true", `${token}0`])
      expect(await stop(forged), forged).toBe(false);
    expect(await ask(other, 'my_gift_reminders()')).toMatchObject({ agreed: true });
    expect(await ask(userId, 'my_gift_reminders()')).toMatchObject({ agreed: true });
  });

  test('is signed with HMAC-SHA-256', async () => {
    const key = Buffer.from(Array.from({ length: 64 }, (_, place) => (place * 37) % 256)).toString('hex');
    for (const message of ['', 'stop', 'नमस्ते'.repeat(40)]) {
      const [row] = await database.sql`select private.hmac_sha256(${message}, ${key}) as signature`;
      expect(row?.signature).toBe(createHmac('sha256', Buffer.from(key, 'hex')).update(message).digest('hex'));
    }
  });
});

test('erasing a customer leaves no choice, no reminder and no email of theirs', async () => {
  const userId = await customerWhoSent('Lata Zyxwv');
  await choose(userId, true);
  await workOn(-7);
  expect(reminders(userId)).toHaveLength(1);
  await database.sql`update public.orders set status = 'Delivered' where user_id = ${userId}`.catch(() => {});
  for (const {
    id,
  } of await database.sql`select id from public.orders where user_id = ${userId} and status <> 'Delivered'`)
    for (const status of ['Confirmed', 'Preparing', 'Packed', 'Shipped', 'Delivered'])
      await database.sql`update public.orders set status = ${status} where id = ${id}`;
  await callConsole(database.sql, administrator, 'admin_erase_customer', {
    customer_id: userId,
    confirmation: 'Meera Joshi',
  });
  for (const table of ['private.reminder_choices', 'private.gift_reminders', 'public.customer_addresses'])
    expect(await database.sql.unsafe(`select from ${table} where user_id = '${userId}'`), table).toHaveLength(0);
  expect(await database.sql`select from private.outbox where payload::text like ${`%${userId}%`}`).toHaveLength(0);
});
