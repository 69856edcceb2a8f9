import type { Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import {
  as,
  deriveFromOrders,
  insertPaidOrder,
  insertProduct,
  insertUser,
  insertZone,
  type NewOrder,
} from '../../tests/support/rows.ts';
import { type OrderConsole, openConsole, refusalOf } from './order-console.ts';

let database: TestDatabase;
let sql: Sql;
let asha: OrderConsole;
let bina: OrderConsole;
let customer: string;
let sweet: number;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  await insertZone(sql, { prefixes: ['400', '411'] });
  asha = await openConsole(sql);
  bina = await openConsole(sql, 'Bina Shah');
  customer = await insertUser(sql, { name: 'Meera Customer' });
  sweet = await insertProduct(sql, { price: 100, stock: 100_000 });
});
afterEach(async () => expect(await sql`select * from public.check_invariants()`).toEqual([]));
afterAll(() => database.drop());

const order = async (fields: Partial<NewOrder> = {}) =>
  (await insertPaidOrder(sql, { userId: customer, productId: sweet, ...fields })).id;
const move = (id: string, to_status: string, more: Record<string, unknown> = {}) =>
  asha.act('admin_move_order', id, { to_status, ...more });
const onHand = async () =>
  (await sql`select on_hand from public.stock_levels where product_id = ${sweet}`)[0]?.on_hand as number;

describe('moving an order', () => {
  test('along its way, with a note for the customer and who did it', async () => {
    const id = await order();
    await move(id, 'Confirmed', { public_note: ' We pack it fresh. ' });
    await move(id, 'Preparing');
    const { status, events } = await asha.read(id);
    expect(status).toBe('Preparing');
    expect(events).toMatchObject([
      { to_status: 'Pending', role: 'system', by: null, note: '' },
      { to_status: 'Confirmed', role: 'administrator', by: 'Asha Rao', note: 'We pack it fresh.' },
      { to_status: 'Preparing', role: 'administrator', by: 'Asha Rao', note: '' },
    ]);
  });

  test('requires a courier when it is shipped, and keeps it when it is delivered', async () => {
    const id = await order({ status: 'Packed' });
    const tracking_url = 'https://courier.example/T1';
    await move(id, 'Shipped', { courier: 'Pavan Parcel', tracking_number: ' T1 ', tracking_url });
    await move(id, 'Delivered');
    expect(await asha.read(id)).toMatchObject({ courier: 'Pavan Parcel', tracking_number: 'T1', tracking_url });
    await asha.act('admin_change_tracking', id, { courier: 'Own rider', tracking_number: '', tracking_url: '' });
    expect(await asha.read(id)).toMatchObject({ courier: 'Own rider', tracking_number: null, tracking_url: null });
  });

  test.each([
    ['javascript:alert(1)', 'tracking_url', 'The tracking link must begin with https://'],
    ['/orders', 'tracking_url', 'The tracking link must begin with https://'],
  ])('refuses the tracking link %s', async (tracking_url, detail, message) => {
    const id = await order({ status: 'Packed' });
    expect(await refusalOf(move(id, 'Shipped', { tracking_url }))).toEqual({ code: 'PT422', message, detail });
  });

  test.each<[NewOrder['status'], string, string]>([
    ['Pending', 'Shipped', 'PT409'],
    ['Shipped', 'Confirmed', 'PT409'],
    ['Pending', 'Nowhere', 'PT422'],
    ['Pending', 'canceled', 'PT422'],
    ['Packed', 'Ready', 'PT409'],
  ])('refuses to go from %s to %s', async (status, to, code) => {
    const id = await order({ status: status as string });
    expect((await refusalOf(move(id, to))).code).toBe(code);
    expect((await asha.read(id)).status).toBe(status);
  });

  test('of an order that is not there, or with a note that is too long', async () => {
    const nowhere = '00000000-0000-4000-8000-000000000000';
    const seen = new Date().toISOString();
    const lost = asha.ask('admin_move_order', { order_id: nowhere, to_status: 'Confirmed', seen });
    expect((await refusalOf(lost)).code).toBe('PT404');
    const long = move(await order(), 'Confirmed', { public_note: 'x'.repeat(501) });
    expect(await refusalOf(long)).toMatchObject({ code: 'PT422', detail: 'public_note' });
  });

  test('by two administrators at the same time: the second gets a conflict', async () => {
    const id = await order();
    const seen = await asha.seen(id);
    const ask = (who: OrderConsole) => who.ask('admin_move_order', { order_id: id, to_status: 'Confirmed', seen });
    const race = await Promise.allSettled([ask(asha), ask(bina)]);
    expect(race.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = race.find((result) => result.status === 'rejected') as PromiseRejectedResult;
    expect(lost.reason).toMatchObject({ code: 'PT409', detail: 'stale' });
  });

  test('shipping while the customer cancels: exactly one wins, and the books are right', async () => {
    for (let n = 0; n < 8; n += 1) {
      // Confirmed is the last step at which a customer can still cancel.
      const id = await order({ status: 'Confirmed' });
      const seen = await asha.seen(id);
      const [ship, cancel] = await Promise.allSettled([
        (async () => {
          await asha.ask('admin_move_order', { order_id: id, to_status: 'Preparing', seen });
          await move(id, 'Packed');
          await move(id, 'Shipped', { courier: 'Pavan Parcel' });
        })(),
        as(sql, { userId: customer }, (tx) => tx`update public.orders set status = 'canceled' where id = ${id}`),
      ]);
      expect([ship.status, cancel.status].sort()).toEqual(['fulfilled', 'rejected']);
      const { status } = await asha.read(id);
      expect(status).toBe(ship.status === 'fulfilled' ? 'Shipped' : 'canceled');
      if (ship.status === 'rejected') expect(ship.reason).toMatchObject({ code: 'PT409' });
    }
  });
});

describe('canceling', () => {
  test.each([
    ['stock', 0],
    ['wastage', -2],
  ])('puts the goods to %s, gives the money back and tells why', async (goods, change) => {
    const shelf = await onHand();
    const id = await order({ status: 'Preparing' });
    await asha.act('admin_cancel_order', id, { reason: ' The oven broke. ', goods });
    expect(await onHand()).toBe(shelf + change);
    expect(await asha.read(id)).toMatchObject({
      status: 'canceled',
      payment_status: 'refund_pending',
      cancel_reason: 'The oven broke.',
      canceled_goods: goods,
    });
  });

  test('needs a reason, a place for the goods, and an order that has not left', async () => {
    const id = await order({ status: 'Packed' });
    const cancel = (on: string, reason: string, goods: string) =>
      refusalOf(asha.act('admin_cancel_order', on, { reason, goods }));
    expect(await cancel(id, '  ', 'stock')).toMatchObject({ code: 'PT422', detail: 'reason' });
    expect(await cancel(id, 'x'.repeat(301), 'stock')).toMatchObject({ code: 'PT422', detail: 'reason' });
    expect(await cancel(id, 'Gone', 'river')).toMatchObject({ code: 'PT422', detail: 'goods' });
    expect((await cancel(await order({ status: 'Shipped' }), 'Gone', 'stock')).code).toBe('PT409');
  });
});

describe('the address', () => {
  const there = {
    name: 'Meera  Joshi',
    phone: '+91 9820012345',
    building_no: '12 Sai Krupa',
    street: 'Tilak Road',
    city: 'Pune',
    state: 'Maharashtra',
    zip: '411030',
  };
  const change = (id: string, fields: Partial<Record<keyof typeof there, string>> = {}) =>
    asha.act('admin_change_address', id, { delivery: { ...there, ...fields } });

  test('can be corrected until the order is packed; the shipping charge stays', async () => {
    const id = await order({ status: 'Preparing' });
    await change(id);
    const read = (await asha.read(id)) as unknown as Record<string, unknown>;
    expect(read.delivery).toEqual({ ...there, name: 'Meera Joshi' });
    expect(read.shipping_paise).toBe(4_000);
    expect(read.delivery_by).not.toBeNull();
    expect((read.changes as { by: string }[])[0]?.by).toBe('Asha Rao');
  });

  test('cannot change later', async () => {
    for (const status of ['Packed', 'Shipped', 'Delivered', 'canceled']) {
      const refusal = await refusalOf(change(await order({ status })));
      expect(refusal.message).toBe('The address cannot change once the order is packed.');
    }
  });

  test('must be one we deliver to, unless the pincode stays', async () => {
    const id = await order();
    expect(await refusalOf(change(id, { zip: '799001' }))).toEqual({
      code: 'PT422',
      message: 'We do not deliver to 799001.',
      detail: 'zip',
    });
    await sql`update public.delivery_zones set is_published = false`;
    await change(id, { zip: '400001' });
    await sql`update public.delivery_zones set is_published = true`;
  });

  test.each<[keyof typeof there, string]>([
    ['name', ''],
    ['phone', '12345'],
    ['phone', '022 2444 1234'],
    ['building_no', ' '],
    ['street', 'x'.repeat(201)],
    ['city', ''],
    ['state', ''],
    ['zip', '4110'],
    ['zip', '011030'],
  ])('is refused when %s is %j', async (field, value) => {
    const id = await order();
    expect(await refusalOf(change(id, { [field]: value }))).toMatchObject({ code: 'PT422', detail: field });
  });

  test('of a pickup order is a name and a phone number', async () => {
    const id = await order({ fulfilment: 'pickup' });
    await change(id, { building_no: '', street: '', city: '', state: '', zip: '' });
    expect(await asha.read(id)).toMatchObject({ delivery: { name: 'Meera Joshi', street: '', zip: '' } });
  });
});

test('notes are among ourselves, with their author, and in the log', async () => {
  const id = await order();
  await asha.ask('admin_add_order_note', { order_id: id, note: 'Call before noon.\nRing twice.' });
  await bina.ask('admin_add_order_note', { order_id: id, note: 'Done.' });
  expect((await asha.read(id)).notes).toMatchObject([
    { note: 'Done.', by: 'Bina Shah' },
    { note: 'Call before noon.\nRing twice.', by: 'Asha Rao' },
  ]);
  expect(await refusalOf(asha.ask('admin_add_order_note', { order_id: id, note: ' ' }))).toMatchObject({
    detail: 'note',
  });
  const logged =
    await sql`select actor_id from public.audit_log where table_name = 'order_notes' and after ->> 'order_id' = ${id} order by id`;
  expect(logged.map(({ actor_id }) => actor_id)).toEqual([asha.userId, bina.userId]);
});

test('a note that is sent twice, because no answer came, is one', async () => {
  const id = await order();
  const entry = { order_id: id, note: 'Call before noon.', entry_id: crypto.randomUUID() };
  const first = await asha.ask('admin_add_order_note', entry);
  expect(await asha.ask('admin_add_order_note', entry)).toEqual(first);
  expect((await asha.read(id)).notes).toHaveLength(1);
  expect(await refusalOf(asha.ask('admin_add_order_note', { ...entry, note: 'Call at noon.' }))).toMatchObject({
    code: 'PT409',
    detail: 'stale',
  });
});

describe('mails of an order', () => {
  test('are listed with their status, and can be sent again under a new key', async () => {
    const id = await order();
    await move(id, 'Confirmed', { public_note: 'Thank you.' });
    await deriveFromOrders(sql);
    await sql`update private.outbox set done_at = now() where payload ->> 'order_id' = ${id} and payload ->> 'template' = 'order-placed'`;
    const states = async () =>
      (await asha.read(id)).mails.map(({ template, sendings }) => [template, sendings.map(({ state }) => state)]);
    expect(await states()).toEqual([
      ['order-placed', ['sent']],
      ['order-confirmed', ['queued']],
    ]);
    const [placed, confirmed] = (await asha.read(id)).mails;
    await asha.ask('admin_resend_mail', { order_id: id, mail_key: placed?.key });
    expect(await states()).toEqual([
      ['order-placed', ['sent', 'queued']],
      ['order-confirmed', ['queued']],
    ]);
    const again = await sql`select payload from private.outbox where payload ->> 'again' = ${placed?.key ?? ''}`;
    expect(again).toMatchObject([{ payload: { template: 'order-placed', order_id: id } }]);
    const [queued] = await sql`select payload from private.outbox where key = ${confirmed?.key ?? ''}`;
    expect(queued?.payload).toMatchObject({ template: 'order-confirmed', note: 'Thank you.' });
    const logged =
      await sql`select actor_id from public.audit_log where table_name = 'outbox' and after #>> '{payload,order_id}' = ${id}`;
    expect(logged).toEqual([{ actor_id: asha.userId }]);
  });

  test('say what went wrong', async () => {
    const id = await order();
    await deriveFromOrders(sql);
    await sql`update private.outbox set attempts = 2, last_error = 'the mail server is down' where payload ->> 'order_id' = ${id}`;
    expect((await asha.read(id)).mails[0]?.sendings).toMatchObject([
      { state: 'retrying', problem: 'the mail server is down' },
    ]);
    await sql`update private.outbox set done_at = now(), last_error = 'refused: no such address' where payload ->> 'order_id' = ${id}`;
    expect((await asha.read(id)).mails[0]?.sendings).toMatchObject([{ state: 'given-up' }]);
  });

  test('are sent again at most five times an hour', async () => {
    const id = await order();
    const resend = () => asha.ask('admin_resend_mail', { order_id: id, mail_key: key });
    const key = (await asha.read(id)).mails[0]?.key;
    for (let n = 0; n < 5; n += 1) await resend();
    expect((await refusalOf(resend())).message).toContain('Five mails');
  });

  test('of another order, or to a customer without an address, are not sent', async () => {
    const [id, other] = [await order(), await order()];
    const key = (await asha.read(other)).mails[0]?.key;
    expect((await refusalOf(asha.ask('admin_resend_mail', { order_id: id, mail_key: key }))).code).toBe('PT404');
    const caller = await order({ userId: null });
    const mailKey = (await asha.read(caller)).mails[0]?.key;
    const refusal = await refusalOf(asha.ask('admin_resend_mail', { order_id: caller, mail_key: mailKey }));
    expect(refusal.message).toBe('No email address for this customer.');
  });
});

describe('reading an order', () => {
  test('returns everything its page shows', async () => {
    await sql`insert into private.customer_records (user_id, notes, tags) values (${customer}, 'Rings twice.', '{regular}')
      on conflict (user_id) do update set notes = excluded.notes, tags = excluded.tags`;
    const id = await order({ quantity: 3 });
    await deriveFromOrders(sql);
    const { payment, customer: known, lines, money } = await asha.read(id);
    expect(payment).toMatchObject({ provider_order_id: 'order_test', amount_paise: 35_500, fee_paise: null });
    expect(known).toMatchObject({
      user_id: customer,
      name: 'Meera Customer',
      email: `${customer}@example.com`,
      notes: 'Rings twice.',
      tags: ['regular'],
      is_blocked: false,
    });
    const page = await asha.ask<{ orders: number; canceled: number }>('admin_read_customer', { customer_id: customer });
    expect(page.canceled).toBeGreaterThan(0);
    expect(known).toMatchObject({ orders: page.orders, canceled: page.canceled });
    expect(lines).toMatchObject([{ line_paise: 30_000, grams: 1500 }]);
    expect(money).toMatchObject({ paid_paise: 35_500, refundable_paise: 35_500 });
  });

  test('returns the cost of its lines where it is known, and says where it is not', async () => {
    const known = await insertProduct(sql, { price: 200, stock: 100, hasSize: false });
    await sql`insert into private.product_costs (product_id, unit_cost, valid_from) values (${known}, 71.25, now() - interval '1 day')`;
    const cost = async (productId: number) => (await asha.read(await order({ productId }))).lines[0]?.cost_paise;
    expect(await cost(known)).toBe(14_250);
    expect(await cost(sweet)).toBeNull();
  });

  test('of nothing says so', async () => {
    const nowhere = '00000000-0000-4000-8000-000000000000';
    expect(await asha.read(nowhere)).toBeNull();
  });

  test('for printing keeps the requested order', async () => {
    const ids = [await order(), await order(), await order()].reverse();
    const lost = '00000000-0000-4000-8000-000000000000';
    const printed = await asha.ask<{ shop: { name: string }; orders: { id: string; lines: unknown[] }[] }>(
      'admin_print_orders',
      { order_ids: [...ids, lost, ids[0]] },
    );
    expect(printed.orders.map(({ id }) => id)).toEqual(ids);
    expect(printed.orders[0]?.lines).toHaveLength(1);
    expect(printed.shop.name).toBe('Mithaas');
  });
});
