// The console's page of a group order, parcels that are sent again, and a list that is sent again by its customer.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { groupAgainFrom } from '../../domain/groups/group-again.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { opened, recipient } from '../../tests/support/groups.ts';
import { as, grantEverything, insertProduct, insertUser, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import type { Group } from '../contracts/console/groups.ts';
import type { OrderPage } from '../contracts/console/orders.ts';
import { readResult } from '../contracts/contract.ts';
import { myGroupAgain } from '../contracts/orders.ts';
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
  await insertZone(database.sql, { prefixes: ['560'], maxDays: 3 });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
  await database.drop();
});

/** A group of so many that is paid. */
async function paidGroup(count = 3) {
  const customer = await till.customer();
  const productId = await insertProduct(database.sql, { price: 400, stock: 100 });
  const boxes = [{ productId, quantity: 2, size: 500 as const }];
  const group = await opened(
    till,
    customer,
    Array.from({ length: count }, (_, place) => recipient(place + 1, boxes)),
  );
  expect((await till.place(customer, await till.pay(group.id))).status).toBe(201);
  return { customer, productId, groupId: group.group_id };
}
const console = <T>(name: string, args: Parameters<typeof callConsole>[3]) =>
  callConsole<T>(database.sql, administrator, name, args);
const read = (groupId: string) => console<Group | null>('admin_read_group', { group_id: groupId });
async function move(orderId: string, ...steps: string[]): Promise<void> {
  for (const status of steps) await database.sql`update public.orders set status = ${status} where id = ${orderId}`;
}
const seenOf = async (orderId: string) =>
  (await database.sql`select updated_at::text as seen from public.orders where id = ${orderId}`)[0]?.seen as string;

describe('the page of a group', () => {
  test('has each recipient in the order of the list, with status, address and note', async () => {
    const { groupId, customer } = await paidGroup();
    const group = await read(groupId);
    expect(group).toMatchObject({
      id: groupId,
      recipients: 3,
      customer: { user_id: customer },
      card: { motif: 'diwali', sender_name: 'Acme Traders' },
    });
    expect(
      group?.orders.map(({ place, name, status, delivery, note }) => [place, name, status, delivery.building_no, note]),
    ).toEqual(
      [1, 2, 3].map((n) => [
        n,
        `Recipient ${n}`,
        'Pending',
        `${n}, Shanti Sadan`,
        `Happy Diwali, recipient ${n}! 🪔 शुभ दीपावली`,
      ]),
    );
    expect(group?.orders.reduce((sum, { total_paise }) => sum + total_paise, 0)).toBe(group?.total_paise);
  });

  test('is not shown of an unpaid group, and customers cannot read it', async () => {
    const customer = await till.customer();
    const productId = await insertProduct(database.sql, { price: 400, stock: 100 });
    const { group_id } = await opened(till, customer, [recipient(1, [{ productId, quantity: 1, size: 500 }])]);
    expect(await read(group_id)).toBeNull();
    await expect(
      as(database.sql, { userId: customer }, (tx) => tx`select public.admin_read_group(${group_id})`),
    ).rejects.toThrow(/administrator/i);
  });

  test('is linked from each of its orders in the list', async () => {
    const { groupId } = await paidGroup(2);
    const ids = (await read(groupId))?.orders.map(({ id }) => id) ?? [];
    const [row] = await as(
      database.sql,
      administrator,
      (tx) => tx<{ page: OrderPage }[]>`select public.admin_list_orders(${tx.json({ ids })}, 'number') as page`,
    );
    expect(row?.page.rows.map(({ group }) => group)).toEqual([
      { id: groupId, place: 1, recipients: 2 },
      { id: groupId, place: 2, recipients: 2 },
    ]);
  });
});

describe('a parcel that came back', () => {
  const corrected = {
    name: 'Kamala Devi',
    phone: '9876500000',
    building_no: '14, Shanti Sadan',
    street: 'FC Road',
    city: 'Pune',
    state: 'Maharashtra',
    zip: '411001',
  };
  async function undelivered() {
    const { groupId } = await paidGroup(2);
    const [one, other] = (await read(groupId))?.orders ?? [];
    const orderId = one?.id ?? '';
    await move(orderId, 'Confirmed', 'Preparing', 'Packed', 'Shipped', 'Undelivered');
    return { groupId, orderId, otherId: other?.id ?? '' };
  }
  const sendAgain = async (orderId: string, change: Partial<typeof corrected> = {}, seen?: string) =>
    as(
      database.sql,
      administrator,
      async (tx) =>
        (
          await tx`select public.admin_send_again(${orderId}, ${tx.json({ ...corrected, ...change })},
            ${seen ?? (await seenOf(orderId))}::text::timestamptz, 'Blue Dart', 'BD 1', '') as a`
        )[0]?.a,
    );

  test('is sent again to its corrected address; the invoice and the others stay as they are', async () => {
    const { groupId, orderId } = await undelivered();
    const invoice = () => database.sql`select number, recipient from private.invoices where order_id = ${orderId}`;
    const before = await invoice();
    expect(await sendAgain(orderId)).toMatchObject({ status: 'Shipped' });
    const [sent, other] = (await read(groupId))?.orders ?? [];
    expect(sent).toMatchObject({
      status: 'Shipped',
      delivery: corrected,
      courier: 'Blue Dart',
      tracking_number: 'BD 1',
    });
    expect(other).toMatchObject({ status: 'Pending', delivery: { building_no: '2, Shanti Sadan' } });
    expect(await invoice()).toEqual(before);
  });

  test.each([
    ['another state', { state: 'Karnataka', city: 'Bengaluru', zip: '560038' }, /invoice was issued for Maharashtra/],
    ['a place we do not reach', { zip: '431001' }, /do not deliver to 431001/],
    ['no street', { street: '' }, /street/i],
  ])('is not sent to %s', async (_what, change, reason) => {
    const { orderId } = await undelivered();
    await expect(sendAgain(orderId, change)).rejects.toThrow(reason);
    const [order] = await database.sql`select status, delivery_city from public.orders where id = ${orderId}`;
    expect(order).toEqual({ status: 'Undelivered', delivery_city: 'Mumbai' });
  });

  test('is not sent by two at once, nor one that did not come back', async () => {
    const { orderId, otherId } = await undelivered();
    const seen = await seenOf(orderId);
    await sendAgain(orderId, {}, seen);
    await expect(sendAgain(orderId, {}, seen)).rejects.toThrow(/changed/i);
    await expect(sendAgain(otherId)).rejects.toThrow(/could not be delivered/);
  });
});

describe('a list that is sent again', () => {
  const again = async (userId: string, groupId: string) => {
    const [row] = await as(database.sql, { userId }, (tx) => tx`select public.my_group_again(${groupId}) as a`);
    readResult(myGroupAgain, row?.a ?? null);
    return groupAgainFrom(row?.a);
  };

  test('has its boxes, recipients and card, and what changed', async () => {
    const { customer, groupId, productId } = await paidGroup();
    const same = await again(customer, groupId);
    expect(same?.changes).toEqual([]);
    expect(same?.draft).toMatchObject({
      boxes: [[{ productId, size: 500, quantity: 2 }]],
      card: { motif: 'diwali', senderName: 'Acme Traders' },
    });
    expect(same?.draft.rows.map(({ fields }) => [fields.name, fields.pincode, fields.box])).toEqual(
      [1, 2, 3].map((n) => [`Recipient ${n}`, '400001', 'A']),
    );
    await database.sql`update public."Products" set "Price" = 450 where "Id" = ${productId}`;
    await database.sql`update public.delivery_zones set is_published = false where '400' = any (pincode_prefixes)`;
    const changed = await again(customer, groupId);
    await database.sql`update public.delivery_zones set is_published = true where '400' = any (pincode_prefixes)`;
    expect(changed?.changes).toEqual([
      expect.stringContaining('now costs ₹450. It was ₹400.'),
      'We no longer deliver to Recipient 1 (400001), Recipient 2 (400001), Recipient 3 (400001). Change the address or remove them.',
    ]);
  });

  test('is its customer’s alone', async () => {
    const { groupId } = await paidGroup(2);
    expect(await again(await till.customer(), groupId)).toBeNull();
  });
});

test('the list of orders tells groups from what is bought at once, and finds each by its source', async () => {
  const { groupId, customer, productId } = await paidGroup(2);
  const { orderId } = await till.checkout(customer, [{ productId, quantity: 1, size: 500 }], { source: 'direct' });
  expect((await till.place(customer, await till.pay(orderId))).status).toBe(201);
  const found = async (source: string) => {
    const [row] = await as(
      database.sql,
      administrator,
      (tx) =>
        tx<{ page: OrderPage }[]>`select public.admin_list_orders(${tx.json({ source, user_id: customer })}) as page`,
    );
    return row?.page.rows.map((order) => [order.source, order.group?.id ?? null]);
  };
  expect(await found('group')).toEqual([
    ['group', groupId],
    ['group', groupId],
  ]);
  expect(await found('direct')).toEqual([['direct', null]]);
  expect(await found('manual')).toEqual([]);
});
