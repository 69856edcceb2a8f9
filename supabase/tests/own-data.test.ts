// What customers take along and how they leave: everything about them and nothing of another's, and deleting their own account.
import { randomUUID } from 'node:crypto';
import { strFromU8, unzipSync } from 'fflate';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import {
  as,
  grantEverything,
  insertPaidOrder,
  insertProduct,
  insertReview,
  insertUser,
  insertZone,
} from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import { myErasure } from '../contracts/own-data.ts';
import { doDueWork } from '../functions/_shared/run-jobs.ts';
import { myData } from '../functions/myData/handler.ts';

let database: TestDatabase;
let sql: Sql;
let till: Till;
let productId: number;
let administrator: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  await grantEverything(sql);
  till = openTill(database.connection, sql);
  productId = await insertProduct(sql, { name: 'Besan Laddu', stock: 1_000_000, price: 100 });
  administrator = { userId: await insertUser(sql, { administrator: true, name: 'Asha Rao' }) };
  await insertZone(sql, { prefixes: ['4'] });
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

/** Every table with a column that leads to a customer or an order: the file it is in, or why it is in none. */
const decided: Record<string, string> = {
  'auth.users': 'profile',
  'auth.identities': 'profile: the provider',
  'auth.sessions': 'sessions',
  'auth.refresh_tokens': '- a secret',
  'auth.flow_state': '- a secret of a login under way',
  'private.administrators': '- not about customers',
  'private.buyers': '- a view of the profile',
  'private.cart_reminders': 'cart-reminders',
  'private.checkouts': 'checkouts-without-order; one with an order is that order',
  'private.claim_events': '- the steps, whose times are in orders: claims',
  'private.claim_messages': 'orders: claims',
  'private.claim_refunds': 'orders: refunds',
  'private.claims': 'orders: claims',
  'private.consents': 'consents',
  'private.credit_notes': 'documents',
  'private.customer_cards': '- a copy of the profile, for searching',
  'private.customer_facts': '- a view of the profile',
  'private.customer_figures': '- sums of the orders',
  'private.customer_records': '- notes of the shop',
  'private.customer_totals': '- sums of the orders',
  'private.erasures': '- of accounts that are gone',
  'private.gift_reminders': 'festival-reminders',
  'private.group_orders': 'group-orders',
  'private.invoices': 'orders and documents',
  'private.offer_uses': 'orders: offers; held ones are those of a checkout',
  'private.offline_refunds_due': '- when the shop pays back what was paid offline; the refund is in orders',
  'private.order_link_revocations': '- which links no longer work',
  'private.order_changes': '- work that is queued for seconds',
  'private.order_event_actors': '- who of the shop did it',
  'private.order_gifts': 'orders',
  'private.order_notes': '- notes of the shop',
  'private.outbox': 'messages',
  'private.payment_events': '- reports of the provider about payments, deleted after a month',
  'private.payments': 'payments',
  'private.placed_items': '- a second copy of the items, with costs',
  'private.quotes': 'checkouts-without-order; others are deleted after an hour',
  'private.rate_limits': '- counters of a day',
  'private.refunds': 'orders and payments',
  'private.replacements': 'orders: claims',
  'private.security_events': 'sign-ins',
  'private.invoice_suppliers': '- not about customers',
  'public.audit_log': '- what administrators did',
  'public.comments': 'reviews',
  'public.customer_addresses': 'addresses',
  'public.month_closings': '- what administrators did',
  'public.notify_subscriptions': 'back-in-stock-requests',
  'public.order_details_view': '- a view of the orders',
  'public.order_events': 'orders',
  'public.order_items': 'orders',
  'public.orders': 'orders',
  'public.stock_movements': '- goods, by order: what was sold is in the order',
  'public.user_profiles': 'profile',
};

const notAboutCustomers = ['public.shop_settings', 'public.vendors', 'private.stock_entries'];
async function undecided(): Promise<string[]> {
  const found = await sql<{ name: string }[]>`
    select distinct c.table_schema || '.' || c.table_name as name
    from information_schema.columns c
    where c.table_schema in ('public', 'private')
      and (c.column_name ~ '^(user|order|customer|author|actor|subject|payment|refund|checkout|quote)_id$' or c.column_name = 'subject'
           or c.column_name ~ 'phone|email|payload')
    union
    select n.nspname || '.' || t.relname from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_namespace n on n.oid = t.relnamespace
    where k.contype = 'f' and k.confrelid in (
      'auth.users'::regclass, 'public.orders'::regclass, 'private.payments'::regclass, 'private.refunds'::regclass,
      'private.group_orders'::regclass, 'private.invoices'::regclass) and n.nspname in ('public', 'private')
    union
    select 'auth.' || u.name from unnest(array['users', 'identities', 'sessions', 'refresh_tokens', 'flow_state']) u (name)
    order by 1`;
  return found.map(({ name }) => name).filter((name) => !(name in decided) && !notAboutCustomers.includes(name));
}

test('every table with a customer or an order in it is in the download, or there is a reason why not', async () => {
  expect(await undecided()).toEqual([]);
  await sql`create table private.favourites (user_id uuid)`;
  await sql`create table private.parcels (parcel_order uuid references public.orders (id))`;
  expect(await undecided()).toEqual(['private.favourites', 'private.parcels']);
  await sql`drop table private.favourites, private.parcels`;
});

type Files = Record<string, string>;
const ask = (userId: string | null, after?: string, method = 'GET') =>
  myData(new Request(`http://shop.test/functions/v1/myData${after ? `?after=${after}` : ''}`, { method }), {
    ...till.context,
    customer: userId ? { id: userId, email: null, sessionId: null } : null,
    addressHash: null,
  });
/** The files of all pieces, as the browser puts them together; PDFs by their first bytes. */
async function download(userId: string): Promise<{ files: Files; pieces: number }> {
  const files: Files = {};
  let pieces = 0;
  for (let next: string | null = ''; next !== null; pieces += 1) {
    const response = await ask(userId, next || undefined);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    for (const [name, bytes] of Object.entries(unzipSync(new Uint8Array(await response.arrayBuffer())))) {
      expect(files[name], name).toBeUndefined();
      files[name] = strFromU8(name.endsWith('.pdf') ? bytes.slice(0, 4) : bytes);
    }
    next = response.headers.get('x-next');
  }
  return { files, pieces };
}
const read = (files: Files, name: string) => JSON.parse(files[`${name}.json`] ?? 'null');
const ordersIn = (files: Files) =>
  Object.keys(files)
    .filter((name) => name.startsWith('orders-'))
    .flatMap((name) => JSON.parse(files[name] ?? '[]') as Record<string, unknown>[]);
const move = (id: string, ...statuses: string[]) =>
  as(sql, administrator, async (tx) => {
    for (const status of statuses)
      await tx`update public.orders set status = ${status}, cancel_reason = 'Out of season' where id = ${id}`;
  });
const toTheDoor = ['Confirmed', 'Preparing', 'Packed', 'Shipped', 'Delivered'];

/** A customer with something in every place, all of it marked. */
async function customerWithEverything(mark: string): Promise<{ userId: string; orderId: string }> {
  const userId = await insertUser(sql, { name: `${mark} Name` });
  const asCustomer = <T>(work: Parameters<typeof as<T>>[2]) => as(sql, { userId }, work);
  await sql`insert into public.user_profiles (user_id, phone, building_no, street, city, state, zip)
    values (${userId}, '9820012345', ${`${mark} House`}, 'Ranade Road', 'Mumbai', 'Maharashtra', '400001')`;
  await sql`insert into auth.identities (id, provider, provider_id, user_id, identity_data)
    values (${randomUUID()}, 'google', ${mark}, ${userId}, '{}')`;
  await sql`insert into auth.sessions (id, user_id, user_agent) values (${randomUUID()}, ${userId}, ${`${mark} Phone`})`;
  await sql`select private.record_security_event('signed-in', ${userId}, '203.0.113.9', ${`${mark} Browser`})`;
  await sql`insert into public.customer_addresses (user_id, label, recipient_name, phone, building_no, street, city, state, zip)
    values (${userId}, 'Nani', ${`${mark} Nani`}, '9820012346', '4', 'MG Road', 'Mumbai', 'Maharashtra', '400001')`;
  await asCustomer((tx) => tx`select public.choose_consent('news', true)`);
  await asCustomer((tx) => tx`select public.choose_consent('news', false)`);
  await insertReview(sql, { userId, productId, content: `${mark} liked it` });
  const wanted = await insertProduct(sql, { name: `${mark} Halwa`, stock: 0 });
  await sql`insert into public.notify_subscriptions (product_id, user_id) values (${wanted}, ${userId})`;
  await sql`insert into private.gift_reminders (user_id, festival, year, starts_on, ends_on, order_by, queued_at)
    values (${userId}, ${`${mark} Diwali`}, 2025, '2025-10-20', '2025-10-21', '2025-10-16', '2025-10-10T10:00:00Z')`;
  const { orderId } = await till.checkout(userId, [{ productId, quantity: 2, size: 500 }]);
  const placed = await till.place(userId, await till.pay(orderId));
  const id = (placed.body as unknown as { order_id: string }).order_id;
  await sql`insert into private.order_gifts (order_id, note, motif, sender_name) values (${id}, ${`${mark} wishes`}, 'diwali', 'Me')`;
  await sql`insert into private.order_notes (order_id, author_id, note) values (${id}, ${administrator.userId}, ${`internal ${mark}`})`;
  await sql`insert into private.customer_records (user_id, notes) values (${userId}, ${`internal ${mark}`})`;
  await till.checkout(userId, [{ productId, quantity: 1, size: 500 }]);
  await doDueWork(till.context);
  await move(id, ...toTheDoor);
  return { userId, orderId: id };
}

describe('the download', () => {
  test('has everything of mine as it is in the database, and nothing of another’s or of the shop’s own notes', async () => {
    const mine = await customerWithEverything('Mirchi');
    await customerWithEverything('Haldi');
    const { files } = await download(mine.userId);
    expect(read(files, 'profile')).toMatchObject({
      email: `${mine.userId}@example.com`,
      name: 'Mirchi Name',
      phone: '9820012345',
      building_no: 'Mirchi House',
      zip: '400001',
      sign_in_with: ['google'],
    });
    expect(read(files, 'addresses')).toMatchObject([{ label: 'Nani', recipient_name: 'Mirchi Nani' }]);
    expect(
      read(files, 'consents').map(({ purpose, agreed, where }: Record<string, unknown>) => [purpose, agreed, where]),
    ).toEqual([
      ['news', true, 'profile'],
      ['news', false, 'profile'],
    ]);
    expect(read(files, 'reviews')).toMatchObject([{ product: 'Besan Laddu', rating: 5, review: 'Mirchi liked it' }]);
    expect(read(files, 'back-in-stock-requests')).toMatchObject([{ product: 'Mirchi Halwa' }]);
    expect(read(files, 'festival-reminders')).toMatchObject([{ festival: 'Mirchi Diwali', year: 2025 }]);
    expect(read(files, 'sessions')).toMatchObject([{ device: 'Mirchi Phone' }]);
    expect(read(files, 'sign-ins').map(({ what, device }: Record<string, unknown>) => [what, device])).toContainEqual([
      'signed-in',
      'Mirchi Browser',
    ]);
    expect(read(files, 'checkouts-without-order')).toMatchObject([{ delivery_building_no: 'Mirchi House' }]);
    expect(read(files, 'messages')).toContainEqual(
      expect.objectContaining({ channel: 'email', about: 'order-placed', sent_at: expect.any(String) }),
    );
    const [{ number, total } = { number: 0, total: 0 }] = await sql<{ number: number; total: number }[]>`
      select number::int, (total_amount * 100)::int as total from public.orders where id = ${mine.orderId}`;
    expect(read(files, 'payments')).toMatchObject([{ amount_paise: total, status: 'captured', order: number }]);
    expect(ordersIn(files)).toMatchObject([
      {
        number,
        status: 'Delivered',
        delivery_name: 'Mirchi Name',
        items: [{ product_name: 'Besan Laddu', quantity: 2, size: 500 }],
        events: [{ status: 'Pending' }, ...toTheDoor.map((status) => ({ status }))],
        gift: { note: 'Mirchi wishes' },
        documents: [{ kind: 'invoice' }],
      },
    ]);
    expect(Object.entries(files).filter(([name]) => name.startsWith('documents/'))).toEqual([
      [expect.stringMatching(/^documents\/.*\.pdf$/), '%PDF'],
    ]);
    const all = JSON.stringify(files);
    expect(all).not.toContain('Haldi');
    for (const internal of ['internal', 'ip_hash', 'unit_cost', administrator.userId])
      expect(all, internal).not.toContain(internal);
    expect(files['read-me.txt']).toContain('grievance officer');
    // Each file is explained.
    for (const name of Object.keys(files).filter((each) => /^[a-z-]+\.json$/.test(each)))
      expect(files['read-me.txt'], name).toContain(name);
  });

  test('tells of an order what the customer may see, field by field', async () => {
    const userId = await insertUser(sql);
    await insertPaidOrder(sql, { userId, productId });
    const { files } = await download(userId);
    expect(Object.keys(ordersIn(files)[0] ?? {}).sort()).toEqual(
      `cancel_reason claims courier created_at deliver_on delivery_building_no delivery_by delivery_city delivery_name delivery_phone
       delivery_state delivery_street delivery_zip discount documents events fulfilment gift group_order items missed_day number offers offline_method
       payment_id payment_status refunds shipping_charge source status sub_total tax total_amount tracking_number tracking_url`.split(
        /\s+/,
      ),
    );
  });

  test('comes in pieces where it is large: no order and no document is missing or there twice', async () => {
    const userId = await insertUser(sql);
    for (let n = 0; n < 320; n += 1) await insertPaidOrder(sql, { userId, productId, quantity: 1 });
    const packed = await sql<
      { id: string }[]
    >`select id from public.orders where user_id = ${userId} order by number limit 45`;
    for (const { id } of packed) await move(id, 'Confirmed', 'Preparing', 'Packed');
    const { files, pieces } = await download(userId);
    expect(pieces).toBe(4);
    const numbers = await sql<
      { number: number }[]
    >`select number::int from public.orders where user_id = ${userId} order by number`;
    expect(ordersIn(files).map(({ number }) => number)).toEqual(numbers.map(({ number }) => number));
    expect(Object.keys(files).filter((name) => name.startsWith('documents/'))).toHaveLength(45);
  }, 60_000);

  test('is for customers who are logged in, recorded, and not more than five times a day', async () => {
    expect((await ask(null)).status).toBe(401);
    expect((await ask(randomUUID(), undefined, 'POST')).status).toBe(405);
    const userId = await insertUser(sql);
    for (const place of ['account', 'orders', 'orders,-1', 'documents,1,2', "orders,1'", 'x'])
      expect((await ask(userId, place)).status, place).toBe(400);
    for (let n = 0; n < 5; n += 1) expect((await ask(userId)).status).toBe(200);
    const refused = await ask(userId);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '86400']);
    const [event] = await sql`select sum(times)::int as times from private.security_events
      where kind = 'own-data-downloaded' and user_id = ${userId}`;
    expect(event?.times).toBeGreaterThanOrEqual(5);
  });

  test('is read by the edge function alone', async () => {
    const userId = await insertUser(sql);
    for (const caller of ['anon' as const, { userId }])
      await expect(as(sql, caller, (tx) => tx`select public.read_own_data(${userId}, 'account')`)).rejects.toThrow(
        /permission denied/,
      );
  });
});

describe('deleting one’s own account', () => {
  const preview = async (userId: string) =>
    myErasure.result.parse(
      await as(sql, { userId }, async (tx) => (await tx`select public.my_erasure() as answer`)[0]?.answer),
    );
  const erase = (userId: string, confirmation = 'DELETE') =>
    as(sql, { userId }, (tx) => tx`select public.erase_me(${confirmation})`);
  const exists = async (userId: string) => (await sql`select from auth.users where id = ${userId}`).length > 0;

  test('says what is kept until when, and leaves the invoice without a name', async () => {
    const { userId, orderId } = await customerWithEverything('Zeera');
    // The second checkout is open for five days.
    expect((await preview(userId)).blocker).toMatch(
      /^You began to pay on .* you can delete your account after that\.$/,
    );
    await expect(erase(userId)).rejects.toThrow(/^You began to pay/);
    // Until it can no longer become an order.
    till.later(6 * 24 * 60);
    await doDueWork(till.context);
    const [invoice] = await sql<{ year: number }[]>`select year from private.invoices where order_id = ${orderId}`;
    expect(await preview(userId)).toEqual({
      blocker: null,
      orders: 1,
      reviews: 1,
      invoices: 1,
      // The annual return of a year that ends in March is due on 31 December, and 72 months follow.
      kept_until: `${Number(invoice?.year) + 7}-12-31`,
    });
    await erase(userId);
    expect(await exists(userId)).toBe(false);
    expect(await sql`select user_id, delivery_name, delivery_phone from public.orders where id = ${orderId}`).toEqual([
      { user_id: null, delivery_name: 'Erased customer', delivery_phone: '' },
    ]);
    const tables = await sql<{ name: string }[]>`select oid::regclass::text as name from pg_class
      where relnamespace in ('public'::regnamespace, 'private'::regnamespace, 'auth'::regnamespace) and relkind in ('r', 'p')`;
    for (const { name } of tables)
      if (name !== '"Products"' && !name.endsWith('search_entries') && !name.endsWith('product_names'))
        expect(
          await sql.unsafe(
            `select t::text as row from ${name} t where t::text ilike '%zeera%' and t::text not ilike '%zeera halwa%'`,
          ),
          name,
        ).toEqual([]);
    expect(await sql`select orders, erased_by from private.erasures where customer_id = ${userId}`).toEqual([
      { orders: 1, erased_by: userId },
    ]);
    await till.expectCleanBooks();
  });

  test('asks to type DELETE, once', async () => {
    const userId = await insertUser(sql);
    for (const typed of ['', 'delete', 'yes', 'DELETE it']) {
      await expect(erase(userId, typed), typed).rejects.toThrow(/Type DELETE/);
      expect(await exists(userId)).toBe(true);
    }
    await erase(userId, ' DELETE ');
    expect(await exists(userId)).toBe(false);
    await expect(as(sql, 'anon', (tx) => tx`select public.erase_me('DELETE')`)).rejects.toThrow(/permission denied/);
  });

  test('waits for open orders and refunds, in words for the customer', async () => {
    const userId = await insertUser(sql);
    const { id } = await insertPaidOrder(sql, { userId, productId });
    const [order] = await sql<{ number: string }[]>`select number from public.orders where id = ${id}`;
    await expect(erase(userId)).rejects.toThrow(
      `Order ${order?.number} is still on its way. You can delete your account once it is delivered or cancelled.`,
    );
    const other = await insertPaidOrder(sql, { userId, productId });
    expect((await preview(userId)).blocker).toMatch(/^Orders \d+, \d+ are still on their way/);
    await move(other.id, ...toTheDoor);
    await move(id, 'canceled');
    expect((await preview(userId)).blocker).toMatch(/^The refund of order \d+ is under way/);
    const [refund] = await sql`select id from private.refunds where order_id = ${id}`;
    await sql`select public.record_refund(${refund?.id}, ${`rfnd_${id}`}, 'processed')`;
    expect((await preview(userId)).blocker).toBeNull();
    await erase(userId);
    expect(await exists(userId)).toBe(false);
  });

  test('is not for administrators', async () => {
    await expect(erase(administrator.userId)).rejects.toThrow(/Administrators cannot delete their account/);
  });

  test('takes nothing along that was ordered by phone under the same name and number, and says nothing about it', async () => {
    const victim = { name: 'Kamala Devi', phone: '9833300001' };
    const [phoneOrder] = await sql<{ id: string }[]>`
      insert into public.orders (status, payment_status, source, fulfilment, sub_total, tax, shipping_charge, total_amount,
                                 delivery_name, delivery_phone, delivery_zip)
      values ('Pending', 'unpaid', 'manual', 'delivery', 100, 5, 40, 145, ${victim.name}, ${victim.phone}, '400001') returning id`;
    const userId = await insertUser(sql, { name: victim.name });
    await sql`insert into public.user_profiles (user_id, phone) values (${userId}, ${victim.phone})`;
    expect(await sql`select from private.orders_of_person(${userId})`).toHaveLength(1);
    expect(await preview(userId)).toMatchObject({ blocker: null, orders: 0 });
    const { files } = await download(userId);
    expect(ordersIn(files)).toEqual([]);
    await erase(userId);
    expect(
      await sql`select delivery_name, delivery_phone from public.orders where id = ${phoneOrder?.id ?? ''}`,
    ).toEqual([{ delivery_name: victim.name, delivery_phone: victim.phone }]);
  });

  test('deletes messages that wait', async () => {
    const userId = await insertUser(sql);
    await sql`insert into public.user_profiles (user_id, phone) values (${userId}, '9820012345')`;
    await as(sql, { userId }, (tx) => tx`select public.choose_consent('sms', true)`);
    const { id } = await insertPaidOrder(sql, { userId, productId });
    await sql`select private.derive_from_changes('2026-03-10T22:00:00+05:30')`;
    await move(id, ...toTheDoor);
    await sql`select private.derive_from_changes('2026-03-10T22:01:00+05:30')`;
    const waiting = () => sql`select key from private.outbox where payload ->> 'order_id' = ${id} and kind = 'message'`;
    expect(await waiting()).toHaveLength(1);
    await erase(userId);
    expect(await waiting()).toEqual([]);
  });
});
