import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, grantEverything, insertProduct, insertUser, insertZone } from '../../tests/support/rows.ts';
import { type Answer, openTill, type Till } from '../../tests/support/till.ts';
import { createOrder } from '../functions/createOrder/handler.ts';
import { callConsole } from './call-console.ts';
import { openConsole } from './order-console.ts';

let database: TestDatabase;
let till: Till;
let administrator: { userId: string };
let owner: Awaited<ReturnType<typeof openConsole>>;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  await grantEverything(database.sql);
  till = openTill(database.connection, database.sql);
  administrator = { userId: await insertUser(database.sql, { administrator: true, name: 'Asha Rao' }) };
  owner = await openConsole(database.sql);
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
const gift = {
  note: 'शुभ दीपावली, नानी! 🪔',
  motif: 'diwali',
  sender_name: 'Mirchi',
  recipient_email: 'kamala@example.com',
};
const code = ({ status, body }: Answer) => [status, body.error?.code];

async function addressOf(customer: string, change: Partial<typeof nani> = {}): Promise<string> {
  const [row] = await database.sql<{ id: string }[]>`
    insert into public.customer_addresses ${database.sql({ user_id: customer, ...nani, ...change })} returning id`;
  return row?.id ?? '';
}

type Quoted = { total: number; quote_id: string };
async function quoted(customer: string, pincode = nani.zip, options = {}): Promise<Quoted> {
  const productId = await insertProduct(database.sql, { price: 737, stock: 100 });
  const { status, body } = await till.quote(customer, [{ productId, quantity: 1, size: 500 }], { pincode, ...options });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as Quoted;
}
const create = (customer: string, { total, quote_id }: Quoted, more: Record<string, unknown>) =>
  till.call(createOrder, customer, { amount: total, currency: 'INR', quote_id, ...more });

/** Buys a gift to the end; the order's id. */
async function buyGift(customer: string, more: Record<string, unknown> = {}): Promise<string> {
  const address_id = await addressOf(customer);
  const created = await create(customer, await quoted(customer), { address_id, gift, ...more });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const placed = await till.place(customer, await till.pay((created.body as unknown as { id: string }).id));
  expect(placed.status).toBe(201);
  return (placed.body as unknown as { order_id: string }).order_id;
}

async function move(orderId: string, to_status: string): Promise<void> {
  const { moved } = await owner.ask<{ moved: string[] }>('admin_move_orders', {
    moves: [{ id: orderId, seen: await owner.seen(orderId) }],
    to_status,
  });
  expect(moved).toEqual([orderId]);
}
async function ship(orderId: string): Promise<void> {
  for (const status of ['Confirmed', 'Preparing', 'Packed', 'Shipped']) await move(orderId, status);
}
/** Everything that is due, also what waits until a move can no longer be undone. */
async function workLater(): Promise<void> {
  await database.sql`update private.outbox set run_after = now() - interval '1 minute' where done_at is null`;
  await till.work();
  await database.sql`update private.outbox set run_after = now() - interval '1 minute' where done_at is null`;
  await till.work();
}
const giftMails = (orderTo = gift.recipient_email) => till.mails.filter(({ to }) => to.address === orderTo);

describe('an address of the book', () => {
  test('is copied into the order, and the payment provider hears of the payer alone', async () => {
    const customer = await till.customer();
    const address_id = await addressOf(customer);
    const created = await create(customer, await quoted(customer), { address_id });
    expect(created.body).toMatchObject({ prefill: { name: 'Meera Till', contact: '9820012345' } });
    const { body } = await till.place(customer, await till.pay((created.body as unknown as { id: string }).id));
    const [order] = await database.sql`
      select delivery_name, delivery_phone, delivery_building_no, delivery_street, delivery_city, delivery_state, delivery_zip
      from public.orders where id = ${(body as unknown as { order_id: string }).order_id}`;
    expect(Object.values(order ?? {})).toEqual(Object.values(nani).slice(1));
    const [profile] = await database.sql`select street, zip from public.user_profiles where user_id = ${customer}`;
    expect(profile).toEqual({ street: 'Ranade Road', zip: '400001' });
  });

  test('of another customer is refused like one that is gone', async () => {
    const [customer, stranger] = [await till.customer(), await till.customer()];
    const quote = await quoted(customer);
    const foreign = await addressOf(stranger);
    expect(code(await create(customer, quote, { address_id: foreign }))).toEqual([409, 'address-changed']);
    await database.sql`delete from public.customer_addresses where id = ${foreign}`;
    expect(code(await create(customer, quote, { address_id: foreign }))).toEqual([409, 'address-changed']);
    expect(await database.sql`select from private.checkouts where user_id = ${customer}`).toHaveLength(0);
  });

  test('with another pincode than the quote’s is refused', async () => {
    const customer = await till.customer();
    const address_id = await addressOf(customer);
    expect(code(await create(customer, await quoted(customer, '400001'), { address_id }))).toEqual([
      409,
      'address-changed',
    ]);
  });

  test('will do where the profile has none', async () => {
    const customer = await insertUser(database.sql, { name: 'Nobody Yet' });
    const address_id = await addressOf(customer);
    const quote = await quoted(customer);
    expect(code(await create(customer, quote, {}))).toEqual([409, 'address-incomplete']);
    expect((await create(customer, quote, { address_id })).status).toBe(201);
  });

  test('that was corrected after a payment was opened is not the same order', async () => {
    const customer = await till.customer();
    const address_id = await addressOf(customer);
    const quote = await quoted(customer);
    expect((await create(customer, quote, { address_id })).status).toBe(201);
    expect((await create(customer, quote, { address_id })).status).toBe(201);
    await database.sql`update public.customer_addresses set street = 'FC Road' where id = ${address_id}`;
    expect(code(await create(customer, quote, { address_id }))).toEqual([409, 'quote-expired']);
  });

  test('of which only the pincode was corrected after a payment was opened is not the same order', async () => {
    const customer = await till.customer();
    const address_id = await addressOf(customer);
    const quote = await quoted(customer);
    expect((await create(customer, quote, { address_id })).status).toBe(201);
    await database.sql`update public.customer_addresses set zip = '411002' where id = ${address_id}`;
    expect(code(await create(customer, quote, { address_id }))).toEqual([409, 'quote-expired']);
    expect(code(await create(customer, await quoted(customer), { address_id }))).toEqual([409, 'address-changed']);
  });

  test('of the profile that was corrected after a payment was opened is where the parcel goes', async () => {
    const customer = await till.customer();
    const quote = await quoted(customer, '400001');
    expect((await create(customer, quote, {})).status).toBe(201);
    expect((await create(customer, quote, {})).status).toBe(201);
    await database.sql`update public.user_profiles set building_no = '9C' where user_id = ${customer}`;
    expect(code(await create(customer, quote, {}))).toEqual([409, 'quote-expired']);
    const created = await create(customer, await quoted(customer, '400001'), {});
    await till.place(customer, await till.pay((created.body as unknown as { id: string }).id));
    const orders = await database.sql`select delivery_building_no from public.orders where user_id = ${customer}`;
    expect(orders).toEqual([{ delivery_building_no: '9C' }]);
  });
});

describe('a gift', () => {
  test('is stored with its order, and read by its buyer and administrators alone', async () => {
    const [customer, stranger] = [await till.customer(), await till.customer()];
    const orderId = await buyGift(customer);
    const [stored] = await database.sql`select * from private.order_gifts where order_id = ${orderId}`;
    expect(stored).toEqual({ order_id: orderId, ...gift });
    const mine = (userId: string) =>
      as(database.sql, { userId }, async (tx) => (await tx`select public.my_gifts(${[orderId]}) as gifts`)[0]?.gifts);
    expect(await mine(customer)).toEqual([{ order_id: orderId, ...gift, recipient: 'Kamala Devi', city: 'Pune' }]);
    expect(await mine(stranger)).toEqual([]);
    const read = await callConsole<{ gift: unknown }>(database.sql, administrator, 'admin_read_order', {
      order_id: orderId,
    });
    expect(read.gift).toEqual(gift);
    const { rows } = await callConsole<{ rows: { id: string; is_gift: boolean }[] }>(
      database.sql,
      administrator,
      'admin_list_orders',
      {},
    );
    expect(rows.find(({ id }) => id === orderId)?.is_gift).toBe(true);
    const kitchen = await callConsole<{ sweets: { gifts: number; orders: number }[] }>(
      database.sql,
      administrator,
      'admin_read_kitchen',
      {},
    );
    expect(kitchen.sweets).toContainEqual(expect.objectContaining({ orders: 1, gifts: 1 }));
  });

  test('never changes', async () => {
    const orderId = await buyGift(await till.customer());
    for (const change of [
      database.sql`update private.order_gifts set note = 'x' where order_id = ${orderId}`,
      database.sql`update private.order_gifts set note = '', sender_name = '', recipient_email = null where order_id = ${orderId}`,
      database.sql`delete from private.order_gifts where order_id = ${orderId}`,
    ])
      await expect(change).rejects.toMatchObject({ code: 'PT403' });
  });

  test('with another note is not the order whose payment was opened before', async () => {
    const customer = await till.customer();
    const address_id = await addressOf(customer);
    const quote = await quoted(customer);
    const first = await create(customer, quote, { address_id, gift });
    const again = await create(customer, quote, { address_id, gift });
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect(code(await create(customer, quote, { address_id, gift: { ...gift, note: 'Another' } }))).toEqual([
      409,
      'quote-expired',
    ]);
    expect(code(await create(customer, quote, { address_id }))).toEqual([409, 'quote-expired']);
  });

  test('may go to the buyer’s own address, to be handed over', async () => {
    const customer = await till.customer();
    expect((await create(customer, await quoted(customer, '400001'), { gift })).status).toBe(201);
  });

  test('cannot be picked up', async () => {
    const customer = await till.customer();
    const productId = await insertProduct(database.sql, { price: 100, stock: 100, category: 'Takeaway' });
    const { body } = await till.quote(customer, [{ productId, quantity: 1, size: 500 }], { fulfilment: 'pickup' });
    expect(code(await create(customer, body as unknown as Quoted, { gift }))).toEqual([409, 'gift-is-delivered']);
  });

  test.each([
    ['a note of 301 characters', { note: 'क'.repeat(301) }],
    ['a control character', { note: 'ding\u0007' }],
    ['a NUL', { note: 'a\0' }],
    ['half a character', { note: '\ud83e' }],
    ['text that is turned around', { sender_name: 'a\u202eb' }],
    ['an unknown motif', { motif: 'easter' }],
    ['no sender', { sender_name: ' ' }],
    ['no email address', { recipient_email: 'kamala' }],
    ['two email addresses', { recipient_email: 'a@b.in, c@d.in' }],
    ['a hidden field', { price: 1 }],
    ['a note that is no text', { note: 5 }],
  ])('with %s is refused, and nothing is written', async (_what, change) => {
    const customer = await till.customer();
    const response = await create(customer, await quoted(customer, '400001'), { gift: { ...gift, ...change } });
    expect(code(response)).toEqual([400, 'invalid-body']);
    expect(await database.sql`select from private.checkouts where user_id = ${customer}`).toHaveLength(0);
  });

  test.each([
    ['', 'diwali', 'Meera', null, true],
    ['x'.repeat(300), 'holi', 'x'.repeat(60), 'a@b.in', true],
    ['a\n'.repeat(9), 'rakhi', 'Meera', null, true],
    ['a\n'.repeat(10), 'rakhi', 'Meera', null, false],
    ['x'.repeat(301), 'holi', 'Meera', null, false],
    ['\u0007', 'holi', 'Meera', null, false],
    ['', 'easter', 'Meera', null, false],
    ['', 'holi', '\u200b', null, false],
    ['', 'holi', 'Meera', 'kamala', false],
    [null, 'holi', 'Meera', null, false],
  ])('the database itself says of %j, %s, %j, %s: %s', async (note, motif, sender, email, verdict) => {
    const [row] = await database.sql`select private.is_gift(${note}, ${motif}, ${sender}, ${email}) as verdict`;
    expect(row?.verdict).toBe(verdict);
  });
});

describe('the recipient’s email', () => {
  test('is sent once, when the parcel leaves, with no price and nothing of the buyer', async () => {
    const customer = await till.customer();
    await database.sql`update private.outbox set done_at = now() where done_at is null`;
    till.mails.length = 0;
    const orderId = await buyGift(customer);
    await till.work();
    expect(giftMails()).toEqual([]);
    await ship(orderId);
    await workLater();
    expect(giftMails()).toHaveLength(1);
    const [mail] = giftMails();
    const [order] = await database.sql<
      { total_amount: string; sub_total: string; tax: string; shipping_charge: string; number: string }[]
    >`
      select total_amount, sub_total, tax, shipping_charge, number from public.orders where id = ${orderId}`;
    const sent = `${mail?.subject} ${mail?.html} ${mail?.text}`;
    expect(mail?.to).toEqual({ address: gift.recipient_email, name: 'Kamala Devi' });
    expect(sent).toContain('Mirchi');
    for (const hidden of [
      '₹',
      'Meera Till',
      '9820012345',
      '98200',
      'Ranade',
      orderId,
      `${customer}@example.com`,
      nani.phone,
    ])
      expect(sent).not.toContain(hidden);
    for (const amount of [order?.total_amount, order?.sub_total, order?.tax, order?.shipping_charge])
      if (Number(amount) > 0) expect(sent).not.toContain(`${String(amount).split('.')[0]}.`);
    expect(sent).not.toContain('737');

    // The parcel comes back and leaves again: it was announced.
    await move(orderId, 'Undelivered');
    await move(orderId, 'Shipped');
    await workLater();
    expect(giftMails()).toHaveLength(1);
    expect(
      till.mails.some(
        ({ to, text }) => to.address === `${customer}@example.com` && text.includes('Namaste Meera Till'),
      ),
    ).toBe(true);
  });

  test('is not sent of a move that was undone, and once of the next', async () => {
    const customer = await till.customer();
    const orderId = await buyGift(customer, { gift: { ...gift, recipient_email: 'undone@example.com' } });
    await ship(orderId);
    await till.work();
    const { undone } = await owner.ask<{ undone: string[] }>('admin_undo_moves', {
      moves: [{ id: orderId, seen: await owner.seen(orderId) }],
    });
    expect(undone).toEqual([orderId]);
    await workLater();
    expect(giftMails('undone@example.com')).toEqual([]);
    await move(orderId, 'Shipped');
    await workLater();
    expect(giftMails('undone@example.com')).toHaveLength(1);
  });

  test('is not sent where the buyer gave no address', async () => {
    const orderId = await buyGift(await till.customer(), { gift: { ...gift, recipient_email: null } });
    await ship(orderId);
    await workLater();
    expect(
      await database.sql`select from private.outbox where payload ->> 'order_id' = ${orderId} and payload ->> 'template' = 'gift-on-its-way'`,
    ).toEqual([]);
  });

  test('can be sent again from the order’s page', async () => {
    const orderId = await buyGift(await till.customer(), { gift: { ...gift, recipient_email: 'again@example.com' } });
    await ship(orderId);
    await workLater();
    const read = await callConsole<{ mails: { key: string; template: string }[] }>(
      database.sql,
      administrator,
      'admin_read_order',
      { order_id: orderId },
    );
    const mail = read.mails.find(({ template }) => template === 'gift-on-its-way');
    await callConsole(database.sql, administrator, 'admin_resend_mail', {
      order_id: orderId,
      mail_key: mail?.key ?? '',
    });
    await workLater();
    expect(giftMails('again@example.com')).toHaveLength(2);
  });
});

test('the recipient’s email address is kept for a month after the order is done, and once only', async () => {
  const orderId = await buyGift(await till.customer(), { gift: { ...gift, recipient_email: 'month@example.com' } });
  /** What would be stored if it were swept then; the rest of this shop stays in the present. */
  const sweptIn = async (days: number) => {
    const undo = new Error('undo');
    let stored: unknown;
    const swept = database.sql.begin(async (tx) => {
      await tx`select public.sweep(now() + ${`${days} days`}::interval)`;
      [stored] = await tx`
        select g.recipient_email as email, g.note, c.gift as checkout
        from private.order_gifts g join private.checkouts c on c.order_id = g.order_id where g.order_id = ${orderId}`;
      throw undo;
    });
    await expect(swept).rejects.toBe(undo);
    return stored;
  };
  const kept = { email: 'month@example.com', note: gift.note, checkout: null };
  expect(await sweptIn(40)).toEqual(kept);
  await ship(orderId);
  await workLater();
  await move(orderId, 'Delivered');
  expect(await sweptIn(29)).toEqual(kept);
  expect(await sweptIn(31)).toEqual({ ...kept, email: null });
});

test('the invoice of a gift is the buyer’s', async () => {
  const orderId = await buyGift(await till.customer());
  for (const status of ['Confirmed', 'Preparing', 'Packed']) await move(orderId, status);
  const [invoice] = await database.sql`select recipient from private.invoices where order_id = ${orderId}`;
  expect(invoice?.recipient).toMatchObject({ name: 'Meera Till, for Kamala Devi', city: 'Pune' });
});

test('erasing the buyer leaves nothing of the recipient', async () => {
  const customer = await till.customer();
  await addressOf(customer, { label: 'Kaki Zyx', recipient_name: 'Lata Zyxwv', street: 'Zyxwv Lane' });
  const orderId = await buyGift(customer, {
    gift: { ...gift, note: 'Zyxwv note', sender_name: 'Zyxwv sender', recipient_email: 'zyxwv@example.com' },
  });
  await ship(orderId);
  await move(orderId, 'Delivered');
  await workLater();
  await database.sql`update private.checkouts set next_check_at = null where user_id = ${customer}`;
  await callConsole(database.sql, administrator, 'admin_erase_customer', {
    customer_id: customer,
    confirmation: `${customer}@example.com`,
  });
  const tables = await database.sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'private', 'auth')`;
  for (const { name } of tables)
    expect(
      await database.sql.unsafe(`select from ${name} t where to_jsonb(t)::text ilike '%zyxwv%'`),
      name,
    ).toHaveLength(0);
  expect(await database.sql`select from public.customer_addresses where user_id = ${customer}`).toHaveLength(0);
  expect(
    await database.sql`select motif, note, sender_name, recipient_email from private.order_gifts where order_id = ${orderId}`,
  ).toEqual([{ motif: 'diwali', note: '', sender_name: '', recipient_email: null }]);
});
