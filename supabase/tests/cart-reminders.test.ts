// An hour after a checkout was opened and not paid, a customer who agreed to it gets one email, whose link puts the items back.
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertProduct, insertUser, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import { cartByLink } from '../contracts/orders.ts';
import { tidyUp } from '../functions/_shared/run-jobs.ts';

let database: TestDatabase;
let till: Till;
let productId: number;
let otherId: number;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  till = openTill(database.connection, database.sql);
  await insertZone(database.sql, { prefixes: ['4'] });
  productId = await insertProduct(database.sql, { name: 'Besan Laddu', stock: 10_000 });
  otherId = await insertProduct(database.sql, { name: 'Kaju Katli', stock: 10_000, price: 200 });
});
beforeEach(() => {
  till.clock.at = Date.now();
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

async function customer(agreed = true): Promise<string> {
  const id = await till.customer();
  if (agreed) await choose(id, true);
  return id;
}
const choose = (userId: string, agreed: boolean) =>
  as(database.sql, { userId }, (tx) => tx`select public.choose_consent('cart-reminders', ${agreed}, 'checkout')`);
const line = (quantity = 1, id = productId) => ({ productId: id, quantity, size: 500 as const });
const reminders = (userId: string) =>
  till.mails.filter(({ to, key }) => to.address === `${userId}@example.com` && key.startsWith('mail:cart-reminder:'));
/** What the worker does so many minutes later. */
async function minutesLater(minutes: number): Promise<void> {
  till.later(minutes);
  await tidyUp(till.context);
  await till.work();
}
const tokenIn = (userId: string) => /#restore=([\w-]+)/.exec(reminders(userId)[0]?.text ?? '')?.[1] ?? '';
const open = async (token: string) =>
  cartByLink.result.parse(
    (await as(database.sql, 'anon', (tx) => tx`select public.cart_by_link(${token}) as a`))[0]?.a,
  );

describe('a cart reminder', () => {
  test('is one email, an hour after the checkout, with its items and a link', async () => {
    const userId = await customer();
    await till.checkout(userId, [line(2), line(1, otherId)]);
    await minutesLater(59);
    expect(reminders(userId)).toHaveLength(0);
    await minutesLater(2);
    for (const minutes of [10, 60, 600, 1500]) await minutesLater(minutes);
    const [mail, ...others] = reminders(userId);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Your cart is saved');
    for (const part of [mail?.text, mail?.html]) {
      for (const item of ['Besan Laddu', 'Kaju Katli']) expect(part).toContain(item);
      expect(part).toMatch(/http:\/\/shop\.test\/cart#restore=[\w-]{72}/);
    }
    expect(mail?.unsubscribeUrl).toContain(`/unsubscribe?token=${userId}.cart-reminders.`);
  });

  test('is for those only who agreed, and not after they changed their mind', async () => {
    const silent = await customer(false);
    const before = await customer();
    const queued = await customer();
    for (const id of [silent, before, queued]) await till.checkout(id, [line()]);
    await choose(before, false);
    till.later(61);
    await tidyUp(till.context);
    await choose(queued, false);
    await till.work();
    for (const id of [silent, before, queued]) expect(reminders(id)).toHaveLength(0);
  });

  test('is not sent after payment, nor where the payment arrives while it is queued', async () => {
    const paid = await customer();
    const { orderId } = await till.checkout(paid, [line()]);
    await till.place(paid, await till.pay(orderId));
    const late = await customer();
    const checkout = await till.checkout(late, [line()]);
    till.later(61);
    await tidyUp(till.context);
    expect(await database.sql`select from private.cart_reminders where user_id = ${late}`).toHaveLength(1);
    await till.place(late, await till.pay(checkout.orderId));
    await till.work();
    expect([reminders(paid), reminders(late)]).toEqual([[], []]);
    await till.expectCleanBooks();
  });

  test('is not sent while a payment may still arrive, or after another order', async () => {
    const pending = await customer();
    const { orderId } = await till.checkout(pending, [line()]);
    await database.sql`insert into private.payments (payment_id, provider_order_id, user_id, amount_paise, status)
      values (${`pay_${pending}`}, ${orderId}, ${pending}, 100, 'created')`;
    const other = await customer();
    await till.checkout(other, [line(3)]);
    till.later(20);
    const second = await till.checkout(other, [line(1, otherId)]);
    await till.place(other, await till.pay(second.orderId));
    await minutesLater(61);
    expect([reminders(pending), reminders(other)]).toEqual([[], []]);
  });

  test('is never sent twice for the same cart, and again for another one, a week later', async () => {
    const userId = await customer();
    await till.checkout(userId, [line(4)]);
    await minutesLater(61);
    for (const days of [1, 8, 30]) {
      till.later(days * 24 * 60);
      await till.checkout(userId, [line(4)]);
      await minutesLater(61);
    }
    expect(reminders(userId)).toHaveLength(1);
    await till.checkout(userId, [line(5)]);
    await minutesLater(61);
    expect(reminders(userId)).toHaveLength(2);
  });

  test('is of the last checkout, an hour after that one', async () => {
    const userId = await customer();
    await till.checkout(userId, [line(1)]);
    till.later(50);
    await till.checkout(userId, [line(1), line(2, otherId)]);
    await minutesLater(15);
    expect(reminders(userId)).toHaveLength(0);
    await minutesLater(50);
    expect(reminders(userId)).toHaveLength(1);
    expect(reminders(userId)[0]?.text).toContain('Kaju Katli');
  });

  test('is one under two workers, and not sent where a worker was away for a day', async () => {
    const userId = await customer();
    await till.checkout(userId, [line(6)]);
    till.later(61);
    await Promise.all([tidyUp(till.context), tidyUp(till.context)]);
    await Promise.all([till.work(), till.work()]);
    expect(reminders(userId)).toHaveLength(1);
    const late = await customer();
    await till.checkout(late, [line(6)]);
    await minutesLater(25 * 60);
    expect(reminders(late)).toHaveLength(0);
  });

  test('is queued once, when a worker dies in between: its row and its email are one transaction', async () => {
    const userId = await customer();
    await till.checkout(userId, [line(7)]);
    till.later(61);
    const at = new Date(till.clock.at).toISOString();
    await database.sql
      .begin(async (tx) => {
        await tx`select public.queue_cart_reminders(${at})`;
        throw new Error('died');
      })
      .catch(() => {});
    await minutesLater(1);
    await minutesLater(1);
    expect(reminders(userId)).toHaveLength(1);
  });

  test('is not sent where nothing of it can be bought any more', async () => {
    const gone = await insertProduct(database.sql, { stock: 10 });
    const userId = await customer();
    await till.checkout(userId, [line(1, gone)]);
    await database.sql`update public."Products" set is_listed = false where "Id" = ${gone}`;
    await minutesLater(61);
    expect(reminders(userId)).toHaveLength(0);
  });
});

describe('the link of a cart reminder', () => {
  test('gives the items with what changed since, to who has it, and nothing of the person', async () => {
    const priced = await insertProduct(database.sql, { name: 'Peda', stock: 100, price: 50 });
    const userId = await customer();
    await till.checkout(userId, [line(2, priced), line(1)]);
    await minutesLater(61);
    await database.sql`update public."Products" set "Price" = 60 where "Id" = ${priced}`;
    const token = tokenIn(userId);
    const saved = await open(token);
    expect(saved).toMatchObject({ is_ordered: false });
    expect(
      saved?.lines.map(({ name, quantity, paise_then, paise_now, is_available }) => [
        name,
        quantity,
        paise_then,
        paise_now,
        is_available,
      ]),
    ).toEqual([
      ['Besan Laddu', 1, 10_000, 10_000, true],
      ['Peda', 2, 5_000, 6_000, true],
    ]);
    expect(JSON.stringify(saved)).not.toMatch(/Meera|Ranade|98200|@/);
  });

  test('forged, of another purpose, expired or of an erased account opens nothing', async () => {
    const userId = await customer();
    await till.checkout(userId, [line(8)]);
    await minutesLater(61);
    const [row] = await database.sql`select id from private.cart_reminders where user_id = ${userId}`;
    const [made] = await database.sql`select private.make_link('restore cart', ${row?.id}, 0, current_date - 2) as old,
      private.make_link('follow order', ${row?.id}, 0, current_date + 9) as other`;
    const token = tokenIn(userId);
    for (const one of [made?.old, made?.other, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, '', 'x'])
      expect(await open(one)).toBeNull();
    expect(await open(token)).not.toBeNull();
    await database.sql`delete from private.checkouts where user_id = ${userId}`;
    await database.sql`delete from auth.users where id = ${userId}`;
    expect(await open(token)).toBeNull();
    expect(await database.sql`select from private.cart_reminders where user_id = ${userId}`).toHaveLength(0);
  });

  test('says that something was ordered since, instead of the items', async () => {
    const userId = await customer();
    await till.checkout(userId, [line(9)]);
    await minutesLater(61);
    const token = tokenIn(userId);
    const { orderId } = await till.checkout(userId, [line(9)]);
    await till.place(userId, await till.pay(orderId));
    expect(await open(token)).toEqual({ is_ordered: true, lines: [] });
  });
});

test('visitors and customers queue nothing and read no reminders', async () => {
  const userId = await insertUser(database.sql);
  for (const caller of ['anon', { userId }] as const)
    for (const call of [
      'public.queue_cart_reminders()',
      'private.cart_reminder_facts(gen_random_uuid(), $$x$$, now())',
    ])
      await expect(as(database.sql, caller, (tx) => tx.unsafe(`select ${call}`))).rejects.toThrow(/permission denied/);
});
