import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertProduct, insertUser, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import { createOrder } from '../functions/createOrder/handler.ts';
import { type OrderConsole, openConsole, refusalOf } from './order-console.ts';

let database: TestDatabase;
let sql: Sql;
let till: Till;
let asha: OrderConsole;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  till = openTill(database.connection, sql);
  await insertZone(sql, { prefixes: ['400'], firstKg: 60, extraKg: 20 });
  asha = await openConsole(sql);
});
afterEach(() => till.expectCleanBooks());
afterAll(async () => {
  await till.close();
  await database.drop();
});

type Line = { product_id: number; size: number; quantity: number };
type Priced = {
  lines: { left: number; line_paise: number }[];
  sub_total_paise: number;
  tax_paise: number;
  zone_shipping_paise: number | null;
  shipping_paise: number | null;
  total_paise: number | null;
  grams: number;
  delivery_by: string | null;
  problem: { message: string; field: string } | null;
};
const price = (lines: Line[], more: Record<string, unknown> = {}) =>
  asha.ask<Priced>('admin_price_order', { lines, fulfilment: 'delivery', pincode: '400001', ...more });

const delivery = {
  name: 'Sudha Kamble',
  phone: '9820098200',
  building_no: '14 Laxmi Chawl',
  street: 'Dadar West',
  city: 'Mumbai',
  state: 'Maharashtra',
  zip: '400028',
};
type Taken = { id: string; number: number; is_new: boolean };
/** As the page does it: priced, the total shown, then saved. */
async function take(lines: Line[], more: Record<string, unknown> = {}): Promise<Taken> {
  const { fulfilment = 'delivery', shipping_paise = null } = more;
  const { total_paise } = await price(lines, { fulfilment, shipping_paise });
  return asha.ask<Taken>('admin_create_phone_order', {
    order_id: randomUUID(),
    lines,
    fulfilment,
    delivery,
    total_paise,
    ...more,
  });
}
const line = (product_id: number, quantity = 1, size = 500): Line => ({ product_id, size, quantity });
const onHand = async (id: number) =>
  (await sql`select on_hand from public.stock_levels where product_id = ${id}`)[0]?.on_hand;

describe('the price of an order by phone', () => {
  test('is that of the shop, with the zone’s shipping for its weight', async () => {
    const laddu = await insertProduct(sql, { price: 180.5, hasSize: true, stock: 10_000 });
    const box = await insertProduct(sql, { price: 250, stock: 5 });
    expect(await price([line(laddu, 2, 1000), line(box)])).toMatchObject({
      sub_total_paise: 97_200,
      tax_paise: 4_860,
      zone_shipping_paise: 10_000,
      shipping_paise: 10_000,
      total_paise: 112_060,
      grams: 2_500,
      problem: null,
      lines: [
        { line_paise: 72_200, left: 10_000 },
        { line_paise: 25_000, left: 5 },
      ],
    });
  });

  test('is the price of a customer who orders the same directly', async () => {
    const sweet = await insertProduct(sql, { price: 333.33, hasSize: true, stock: 10_000 });
    const customer = await till.customer();
    const quoted = await till.quote(customer, [{ productId: sweet, quantity: 3, size: 1000 }]);
    const { total } = quoted.body as unknown as { total: number };
    expect((await price([line(sweet, 3, 1000)])).total_paise).toBe(Math.round(total * 100));
  });

  test('can have another shipping, and none where it is collected', async () => {
    const sweet = await insertProduct(sql, { price: 100, stock: 10 });
    expect(await price([line(sweet)], { shipping_paise: 2_500 })).toMatchObject({
      zone_shipping_paise: 6_000,
      shipping_paise: 2_500,
      total_paise: 13_000,
    });
    expect(await price([line(sweet)], { fulfilment: 'pickup', pincode: '', shipping_paise: 2_500 })).toMatchObject({
      shipping_paise: 0,
      total_paise: 10_500,
      delivery_by: null,
    });
    expect(await refusalOf(price([line(sweet)], { shipping_paise: -1 }))).toMatchObject({ detail: 'shipping_paise' });
  });

  test('has no total before there is a pincode, and says where we do not go', async () => {
    const sweet = await insertProduct(sql, { price: 100, stock: 10 });
    for (const pincode of ['', '40', null])
      expect(await price([line(sweet)], { pincode })).toMatchObject({
        sub_total_paise: 10_000,
        shipping_paise: null,
        total_paise: null,
        problem: null,
      });
    expect((await price([line(sweet)], { pincode: '799001' })).problem).toEqual({
      message: 'We do not deliver to 799001.',
      field: 'zip',
    });
  });

  test.each([
    ['pieces', false, 3, 5, 'Only 3 pieces of Thin Sweet left.'],
    ['one piece', false, 1, 2, 'Only 1 piece of Thin Sweet left.'],
    ['grams', true, 750, 2, 'Only 750 g of Thin Sweet left.'],
    ['kilograms', true, 1500, 4, 'Only 1.5 kg of Thin Sweet left.'],
    ['nothing', true, 0, 1, 'Thin Sweet is sold out.'],
  ])('says how much is left: %s', async (_what, hasSize, stock, quantity, message) => {
    const name = `Thin Sweet ${randomUUID().slice(0, 8)}`;
    const sweet = await insertProduct(sql, { name, hasSize, stock });
    const { problem, sub_total_paise } = await price([line(sweet, quantity)], { pincode: '' });
    expect(problem).toEqual({ message: message.replace('Thin Sweet', name), field: 'lines' });
    expect(sub_total_paise).toBe(quantity * 10_000);
    expect((await refusalOf(take([line(sweet, quantity)], { total_paise: 1 }))).message).toBe(problem?.message);
    expect(await onHand(sweet)).toBe(stock);
  });

  test.each<[string, unknown]>([
    ['nothing', []],
    ['no list', { product_id: 1 }],
    ['a size we do not have', [{ product_id: 1, size: 700, quantity: 1 }]],
    ['twenty-six', [{ product_id: 1, size: 500, quantity: 26 }]],
    ['half a piece', [{ product_id: 1, size: 500, quantity: 0.5 }]],
    ['words', [{ product_id: 'x', size: 500, quantity: 1 }]],
    ['something else', [null]],
  ])('refuses %s', async (_what, lines) => {
    expect(await refusalOf(price(lines as Line[]))).toMatchObject({ code: 'PT422', detail: 'lines' });
  });

  test.each([
    ['a sweet that is not there', () => line(987_654), 'An item in this order is no longer available.'],
    ['one that is not listed', async () => line(await insertProduct(sql, { listed: false })), 'is not on sale.'],
    [
      'a kilogram of boxes',
      async () => line(await insertProduct(sql, { stock: 9 }), 1, 1000),
      'is not sold by weight.',
    ],
    ['more than 30 kg', async () => line(await insertProduct(sql, { hasSize: true, stock: 90_000 }), 25, 1000), null],
  ])('tells of %s', async (_what, wanted, message) => {
    const wish = await wanted();
    const { problem } = await price(message === null ? [wish, { ...wish, size: 500 }] : [wish]);
    expect(problem?.message).toContain(message ?? 'at most 30 kg');
  });
});

describe('an order by phone', () => {
  test('is saved completely: stock sold immediately, unpaid or paid offline, and in the log', async () => {
    const sweet = await insertProduct(sql, { price: 100, hasSize: true, stock: 5_000 });
    const unpaid = await take([line(sweet, 2, 1000)], { note: 'Wants it before Diwali' });
    expect(await onHand(sweet)).toBe(3_000);
    const read = await asha.read(unpaid.id);
    expect(read).toMatchObject({
      status: 'Pending',
      source: 'manual',
      payment_status: 'unpaid',
      offline_method: null,
      sub_total_paise: 40_000,
      total_paise: 50_000,
      customer: null,
      delivery,
      money: { paid_paise: 0 },
      notes: [{ note: 'Wants it before Diwali', by: 'Asha Rao' }],
      events: [{ to_status: 'Pending', role: 'administrator', by: 'Asha Rao' }],
    });
    // What is taken down with the order is printed; what is written afterwards stays among us.
    await asha.ask('admin_add_order_note', { order_id: unpaid.id, note: 'Haggles', entry_id: crypto.randomUUID() });
    const { orders } = await asha.ask<{ orders: { note: string }[] }>('admin_print_orders', { order_ids: [unpaid.id] });
    expect(orders.map(({ note }) => note)).toEqual(['Wants it before Diwali']);
    const paid = await take([line(sweet)], { offline_method: 'upi' });
    expect(await asha.read(paid.id)).toMatchObject({ payment_status: 'paid_offline', offline_method: 'upi' });
    const logged =
      await sql`select actor_id, action from public.audit_log where table_name = 'orders' and row_id = ${paid.id}`;
    expect(logged).toEqual([{ actor_id: asha.userId, action: 'insert' }]);
  });

  test('of a known customer is in their history, and they get an email', async () => {
    const customer_id = await till.customer();
    const sweet = await insertProduct(sql, { stock: 10 });
    const { id } = await take([line(sweet)], { customer_id });
    till.clock.at = Date.now() + 1_000;
    await till.work();
    const told = till.mails.filter(({ to }) => to.address === `${customer_id}@example.com`);
    expect(told.map(({ text }) => /order and your payment/.test(text))).toEqual([false]);
    expect((await asha.read(id)).customer).toMatchObject({ user_id: customer_id, orders: 1 });
  });

  test('that is collected has no address and no shipping, whatever is in it', async () => {
    const sweet = await insertProduct(sql, { stock: 10 });
    const { id } = await take([line(sweet)], {
      fulfilment: 'pickup',
      delivery: { name: 'Dinesh Rane', phone: '9820011111' },
    });
    expect(await asha.read(id)).toMatchObject({ fulfilment: 'pickup', shipping_paise: 0, delivery: { zip: '' } });
  });

  test('saved five times simultaneously is one order', async () => {
    const sweet = await insertProduct(sql, { stock: 10 });
    const order_id = randomUUID();
    const answers = await Promise.all(Array.from({ length: 5 }, () => take([line(sweet, 2)], { order_id })));
    expect(answers.filter(({ is_new }) => is_new)).toHaveLength(1);
    expect(new Set(answers.map(({ number }) => number)).size).toBe(1);
    expect(await onHand(sweet)).toBe(8);
  });

  test('and customers at the till cannot sell the same last pieces', async () => {
    const sweet = await insertProduct(sql, { stock: 4 });
    const race = await Promise.allSettled([
      ...Array.from({ length: 5 }, () => take([line(sweet, 2)])),
      ...Array.from({ length: 3 }, async () => {
        const customer = await till.customer();
        await till.checkout(customer, [{ productId: sweet, quantity: 2, size: 500 }]);
      }),
    ]);
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    // The administrator sees what is left in stock, not a generic error.
    const refused = race.slice(0, 5).flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    for (const reason of refused) expect(reason).toMatchObject({ code: 'PT422', detail: 'lines' });
  });

  test('is refused when its total has changed since it was shown', async () => {
    const sweet = await insertProduct(sql, { price: 100, stock: 10 });
    const { total_paise } = await price([line(sweet)]);
    await sql`update public."Products" set "Price" = 110 where "Id" = ${sweet}`;
    expect(await refusalOf(take([line(sweet)], { total_paise }))).toEqual({
      code: 'PT422',
      message: 'The total is ₹175.50 now. Tell the customer, then save again.',
      detail: 'total_paise',
    });
    expect(await onHand(sweet)).toBe(10);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['without a phone number', { delivery: { ...delivery, phone: '' } }, 'phone'],
    ['without a street', { delivery: { ...delivery, street: '' } }, 'street'],
    ['without anything', { delivery: null }, 'name'],
    ['outside our zones', { delivery: { ...delivery, zip: '799001' } }, 'zip'],
    ['paid in shells', { offline_method: 'shells' }, 'offline_method'],
    ['sent by pigeon', { fulfilment: 'pigeon' }, 'fulfilment'],
    ['for an unknown customer', { customer_id: randomUUID() }, 'phone'],
    ['with an endless note', { note: 'x'.repeat(2001) }, 'note'],
  ])('is refused %s', async (_what, more, detail) => {
    const sweet = await insertProduct(sql, { stock: 10 });
    expect(await refusalOf(take([line(sweet)], more))).toMatchObject({ code: 'PT422', detail });
    expect(await onHand(sweet)).toBe(10);
  });
});

describe('while the customer is on the phone', () => {
  test('sweets are found by any part of their name, also when they are written otherwise', async () => {
    const mark = randomUUID().slice(0, 6);
    const besan = await insertProduct(sql, { name: `Besan Laddu ${mark}`, hasSize: true, stock: 2_000, price: 240 });
    await insertProduct(sql, { name: `Kaju Katli ${mark}` });
    await insertProduct(sql, { name: `Hidden Laddu ${mark}`, listed: false });
    const find = async (search: string) =>
      (await asha.ask<{ name: string }[]>('admin_find_sweets', { search })).map(({ name }) => name);
    expect(await find(`laddu ${mark}`)).toEqual([`Besan Laddu ${mark}`]);
    expect(await find(`${mark} BES`)).toEqual([`Besan Laddu ${mark}`]);
    expect(await find('besan ladoo')).toContain(`Besan Laddu ${mark}`);
    expect(await find('%')).toEqual([]);
    expect(await find('  ')).toEqual([]);
    const [found] = await asha.ask<unknown[]>('admin_find_sweets', { search: `besan ${mark}` });
    expect(found).toMatchObject({ product_id: besan, has_size: true, price_paise: 24_000, left: 2_000 });
  });

  test('callers are known by their number, from their profile or an earlier order', async () => {
    const meera = await insertUser(sql, { name: 'Meera Known' });
    await sql`insert into public.user_profiles (user_id, phone, building_no, street, city, state, zip)
      values (${meera}, '+91 9811122233', '4B', 'Ranade Road', 'Mumbai', 'Maharashtra', '400028')`;
    const sweet = await insertProduct(sql, { stock: 10 });
    await take([line(sweet)], { delivery: { ...delivery, phone: '9811122233', name: 'Papa Known' } });
    await take([line(sweet)], { customer_id: meera, delivery: { ...delivery, phone: '9811122233', name: 'Meera K' } });
    const find = (phone: string) => asha.ask<unknown[]>('admin_find_callers', { phone });
    const found = await find('98111 22233');
    expect(found).toMatchObject([
      { user_id: meera, name: 'Meera Known', zip: '400028', orders: 1, is_blocked: false },
      { user_id: null, name: 'Papa Known', street: 'Dadar West', orders: 1 },
    ]);
    expect(await find('+919811122233')).toEqual(found);
    expect(await find('981112223')).toEqual([]);
    expect(await find('9800000000')).toEqual([]);
  });

  test('the recipient of a gift is not taken for the customer who sent it', async () => {
    const buyer = await till.customer();
    const [row] = await sql<{ id: string }[]>`insert into public.customer_addresses ${sql({
      user_id: buyer,
      label: 'Nani',
      recipient_name: 'Kamala Devi',
      phone: '9833344455',
      building_no: '12',
      street: 'MG Road',
      city: 'Mumbai',
      state: 'Maharashtra',
      zip: '400001',
    })} returning id`;
    const productId = await insertProduct(sql, { stock: 10 });
    const { body } = await till.quote(buyer, [{ productId, quantity: 1, size: 500 }], { pincode: '400001' });
    const created = await till.call(createOrder, buyer, {
      amount: body.total,
      currency: 'INR',
      quote_id: body.quote_id,
      address_id: row?.id,
    });
    await till.place(buyer, await till.pay(String(created.body.id)));
    expect(await sql`select delivery_phone from public.orders where user_id = ${buyer}`).toHaveLength(1);
    expect(await asha.ask('admin_find_callers', { phone: '9833344455' })).toMatchObject([
      { user_id: null, name: 'Kamala Devi', street: 'MG Road', orders: 0 },
    ]);
  });
});
