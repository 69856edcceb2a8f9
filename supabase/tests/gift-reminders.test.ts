// Before a festival, customers who sent gifts last year and agreed to be reminded get one email with their list. Orders are placed
// today; festivals are a year from now, and the clock is turned to them.
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
  ask(userId, `choose_consent('festival-reminders', ${agreed}, '${source}')`);

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
  for (const table of ['private.consents', 'private.gift_reminders', 'public.customer_addresses'])
    expect(await database.sql.unsafe(`select from ${table} where user_id = '${userId}'`), table).toHaveLength(0);
  expect(await database.sql`select from private.outbox where payload::text like ${`%${userId}%`}`).toHaveLength(0);
});
