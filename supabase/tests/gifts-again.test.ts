// An earlier gift as it can be sent again, with what is different today.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { giftChanges, linesToSend, parseGiftAgain } from '../../domain/gifts/send-again.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, grantEverything, insertProduct, insertUser, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import { readResult } from '../contracts/contract.ts';
import { myGiftAgain } from '../contracts/orders.ts';
import { createOrder } from '../functions/createOrder/handler.ts';
import { callConsole } from './call-console.ts';

let database: TestDatabase;
let till: Till;
let administrator: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  await grantEverything(database.sql);
  till = openTill(database.connection, database.sql);
  administrator = { userId: await insertUser(database.sql, { administrator: true }) };
  await insertZone(database.sql, { prefixes: ['400', '411'] });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
  await database.drop();
});

const nani = {
  label: 'Nani',
  recipient_name: 'Kamala Devi',
  phone: '9876543210',
  building_no: '12, Shanti Sadan',
  street: 'MG Road',
  city: 'Pune',
  state: 'Maharashtra',
  zip: '411001',
};
const gift = { note: 'शुभ दीपावली 🪔', motif: 'diwali', sender_name: 'Mirchi', recipient_email: 'kamala@example.com' };

/** A gift that was bought to the end. */
async function buyGift({ isOwnAddress = false } = {}) {
  const customer = await till.customer();
  const productId = await insertProduct(database.sql, { price: 300, hasSize: true, stock: 50_000 });
  await database.sql`update public."Products" set "Name" = 'Besan Laddu ' || "Id" where "Id" = ${productId}`;
  const [address] = isOwnAddress
    ? []
    : await database.sql<{ id: string }[]>`
        insert into public.customer_addresses ${database.sql({ user_id: customer, ...nani })} returning id`;
  const lines = [{ productId, quantity: 2, size: 1000 as const }];
  const quote = await till.quote(customer, lines, { pincode: isOwnAddress ? '400001' : nani.zip });
  const { total, quote_id } = quote.body as unknown as { total: number; quote_id: string };
  const created = await till.call(createOrder, customer, {
    amount: total,
    currency: 'INR',
    quote_id,
    gift,
    ...(address ? { address_id: address.id } : {}),
  });
  const placed = await till.place(customer, await till.pay((created.body as unknown as { id: string }).id));
  return {
    customer,
    productId,
    addressId: address?.id ?? null,
    orderId: (placed.body as unknown as { order_id: string }).order_id,
  };
}

async function read(userId: string, orderId: string) {
  const [row] = await as(database.sql, { userId }, (tx) => tx`select public.my_gift_again(${orderId}) as again`);
  readResult(myGiftAgain, row?.again ?? null);
  return parseGiftAgain(row?.again);
}

describe('a gift that is sent again', () => {
  test('has the same card, recipient and items, and no changes where nothing changed', async () => {
    const { customer, orderId, productId, addressId } = await buyGift();
    const again = await read(customer, orderId);
    expect(again).toMatchObject({
      gift: { note: gift.note, motif: 'diwali', senderName: 'Mirchi', recipientEmail: 'kamala@example.com' },
      to: { addressId, isOwn: false, isChanged: false, isReached: true, name: 'Kamala Devi', zip: '411001' },
    });
    expect(again && giftChanges(again)).toEqual([]);
    expect(linesToSend(again?.lines ?? [])).toEqual([{ productId, size: 1000, quantity: 2 }]);
  });

  test('to the own address of the buyer needs none of the book', async () => {
    const { customer, orderId } = await buyGift({ isOwnAddress: true });
    expect((await read(customer, orderId))?.to).toMatchObject({ addressId: null, isOwn: true, isReached: true });
  });

  test('says what changed: price, stock, address and zone', async () => {
    const { customer, orderId, productId, addressId } = await buyGift();
    await database.sql`update public."Products" set "Price" = 320 where "Id" = ${productId}`;
    await database.sql`update public.customer_addresses set street = 'FC Road', zip = '744101' where id = ${addressId}`;
    const changed = await read(customer, orderId);
    expect(changed?.to).toMatchObject({ addressId, isChanged: true, isReached: false, street: 'FC Road' });
    expect(changed && giftChanges(changed)).toEqual([
      `Besan Laddu ${productId} (1 kg) now costs ₹640. It was ₹600.`,
      'The address has changed since. It goes to the one in your address book.',
      'We no longer deliver to 744101. Choose another address at checkout.',
    ]);
    await database.sql`delete from public.customer_addresses where id = ${addressId}`;
    await database.sql`update public."Products" set is_listed = false where "Id" = ${productId}`;
    const gone = await read(customer, orderId);
    expect(gone?.to).toMatchObject({
      addressId: null,
      isOwn: false,
      isReached: true,
      street: 'MG Road',
      zip: '411001',
    });
    expect(gone && giftChanges(gone)).toEqual([
      `Besan Laddu ${productId} (1 kg) is no longer available and is left out.`,
      'The address of Kamala Devi is no longer in your address book. We’ll add it again.',
    ]);
  });

  test('finds the address again where it was deleted and added anew', async () => {
    const { customer, orderId, addressId } = await buyGift();
    await database.sql`delete from public.customer_addresses where id = ${addressId}`;
    const [row] = await database.sql`
      insert into public.customer_addresses ${database.sql({ user_id: customer, ...nani, label: 'Naani' })} returning id`;
    expect((await read(customer, orderId))?.to).toMatchObject({ addressId: row?.id, isChanged: false });
  });

  test('is read by its buyer alone', async () => {
    const { orderId } = await buyGift();
    expect(await read(await till.customer(), orderId)).toBeNull();
    await expect(as(database.sql, 'anon', (tx) => tx`select public.my_gift_again(${orderId})`)).rejects.toThrow(
      /permission denied/,
    );
  });
});

test('the owner sees the gifts of the month beside the month before, and the days to come', async () => {
  const { orderId } = await buyGift();
  const figures = await callConsole<{
    now: { orders: number; gifts: number; gifts_paise: number };
    before: object;
    days: object[];
  }>(database.sql, administrator, 'admin_read_gift_figures');
  const [all] = await database.sql`
    select count(*)::int as gifts, (sum(total_amount) * 100)::int as paise, min(delivery_by)::text as day from public.orders`;
  expect(figures.now).toEqual({ orders: all?.gifts, gifts: all?.gifts, gifts_paise: all?.paise });
  expect(figures.before).toEqual({ orders: 0, gifts: 0, gifts_paise: 0 });
  expect(figures.days).toEqual([{ day: all?.day, gifts: all?.gifts, to_pack: all?.gifts }]);
  await database.sql`update public.orders set status = 'canceled' where id = ${orderId}`;
  const after = await callConsole<typeof figures>(database.sql, administrator, 'admin_read_gift_figures');
  expect(after.now.gifts).toBe(all?.gifts - 1);
  // A month later this one is the month before.
  const at = new Date(Date.now() + 31 * 86_400_000).toISOString();
  const later = await callConsole<typeof figures>(database.sql, administrator, 'admin_read_gift_figures', { at });
  expect(later.now.gifts).toBe(0);
});
