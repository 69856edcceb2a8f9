// The list of orders against the orders themselves, picked and sorted here without any of its functions.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { fillOrders } from '../../tests/support/many-rows.ts';
import { as, insertPaidOrder, insertProduct, insertUser, type NewOrder } from '../../tests/support/rows.ts';

type Row = {
  id: string;
  number: number;
  name: string;
  items: string;
  total_paise: number;
  status: string;
  is_due: boolean;
};
type Answer = { rows: Row[]; next: unknown; count: number; count_is_capped: boolean };

/** An order as it is stored, and the names of what is in it. */
type Stored = {
  id: string;
  number: number;
  placed: string;
  day: string;
  name: string;
  phone: string;
  zip: string;
  city: string;
  email: string | null;
  total: number;
  payment: string;
  status: string;
  since: string;
  source: string;
  fulfilment: string;
  user_id: string | null;
  products: string[];
  is_due: boolean;
};

const readStored = () => sql<Stored[]>`
  select o.id, o.number::int, o.created_at::text as placed, (o.created_at at time zone 'Asia/Kolkata')::date::text as day,
         o.delivery_name as name, o.delivery_phone as phone, o.delivery_zip as zip, o.delivery_city as city,
         (select u.email from auth.users u where u.id = o.user_id) as email, (o.total_amount * 100)::int as total,
         o.payment_status as payment, o.status, o.status_since::text as since, o.source, o.fulfilment, o.user_id,
         private.is_due_today(o, now()) as is_due,
         array(select i.product_name from public.order_items i where i.order_id = o.id) as products
  from public.orders o`;

let database: TestDatabase;
let sql: Sql;
let owner: { userId: string };
let stored: Stored[];
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  owner = { userId: await insertUser(sql, { administrator: true }) };
  await fillOrders(sql, { orders: 700, customers: 60, products: 40, days: 30 });
  const productId = await insertProduct(sql, { name: 'Old Besan Name', stock: 100 });
  const add = (order: Partial<NewOrder>) => insertPaidOrder(sql, { userId: null, productId, ...order });
  for (const deliveryName of ['प्रिया शर्मा', "Ann_a 100% O'Brien", 'Back\\slash', 'Dada Bee'])
    await add({ deliveryName });
  await add({ status: 'Confirmed', fulfilment: 'pickup' });
  await add({ status: 'Undelivered' });
  const later = await add({ status: 'Preparing' });
  await sql`update public.orders set delivery_by = current_date + 9 where id = ${later.id}`;
  const { id } = await add({ status: 'canceled' });
  await sql`update public.orders set payment_status = 'refund_failed' where id = ${id}`;
  for (const payment of ['paid_offline', 'partially_refunded', 'refunded']) {
    const byHand = await add({ status: 'canceled', paid: false });
    await sql`update public.orders set payment_status = ${payment} where id = ${byHand.id}`;
  }
  await sql`update public."Products" set "Name" = 'New Besan Name' where "Id" = ${productId}`;
  stored = await readStored();
});
afterAll(() => database.drop());

const list = (filter: object, sort = '-placed', after: unknown = null) =>
  as(sql, owner, async (tx) => {
    const [row] = await tx<{ answer: Answer }[]>`
      select public.admin_list_orders(${tx.json(filter as never)}, ${sort}, ${after === null ? null : tx.json(after as never)}) as answer`;
    if (!row) throw new Error('no answer');
    return row.answer;
  });

/** Every page, one after the other. */
async function listAll(filter: object, sort?: string): Promise<{ rows: Row[]; counts: number[] }> {
  const rows: Row[] = [];
  const counts: number[] = [];
  let after: unknown = null;
  do {
    const answer = await list(filter, sort, after);
    rows.push(...answer.rows);
    counts.push(answer.count);
    after = answer.next;
  } while (after !== null);
  return { rows, counts };
}

const newestFirst = (a: Stored, b: Stored) =>
  a.placed === b.placed ? b.id.localeCompare(a.id) : a.placed < b.placed ? 1 : -1;
const openStatuses = ['Pending', 'Confirmed', 'Preparing', 'Packed', 'Shipped', 'Undelivered', 'Ready'];
const isOpen = ({ status }: Stored) => openStatuses.includes(status);
const has = (text: string, word: string) => text.toLowerCase().includes(word);
const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;
const daysAgo = (days: number) => new Date(hoursAgo(days * 24) + 5.5 * 3_600_000).toISOString().slice(0, 10);

describe('every filter finds what it says, and counts it', () => {
  const cases: [string, object, (order: Stored) => boolean][] = [
    ['nothing', {}, () => true],
    ['several statuses', { status: ['Shipped', 'Pending'] }, ({ status }) => ['Shipped', 'Pending'].includes(status)],
    ['payment', { payment: ['unpaid', 'refunded'] }, ({ payment }) => ['unpaid', 'refunded'].includes(payment)],
    [
      'days in India',
      { placed_from: daysAgo(9), placed_to: daysAgo(4) },
      ({ day }) => day >= daysAgo(9) && day <= daysAgo(4),
    ],
    ['one day', { placed_from: daysAgo(3), placed_to: daysAgo(3) }, ({ day }) => day === daysAgo(3)],
    ['customer', { customer: 'sharma' }, ({ name }) => has(name, 'sharma')],
    ['customer, words in any order', { customer: 'BEE dad' }, ({ name }) => has(name, 'bee') && has(name, 'dad')],
    ['customer, a short word begins a word', { customer: 'sh' }, ({ name }) => has(` ${name}`, ' sh')],
    ['customer never means the phone', { customer: '90000' }, () => false],
    ['part of a phone', { phone: '00000' }, ({ phone }) => phone.includes('00000')],
    ['phone as people write it', { phone: '+91 90000-00001' }, ({ phone }) => phone === '9000000001'],
    ['pincode', { pincode: '400' }, ({ zip }) => zip.startsWith('400')],
    ['first digit of a pincode', { pincode: '5' }, ({ zip }) => zip.startsWith('5')],
    ['product', { product: 'laddu' }, ({ products }) => products.some((name) => has(name, 'laddu'))],
    [
      'product by two words',
      { product: 'name besan' },
      ({ products }) => products.some((name) => has(name, 'name') && has(name, 'besan')),
    ],
    ['product by the name it had', { product: 'old besan' }, ({ products }) => products.includes('Old Besan Name')],
    ['product by the name it has now', { product: 'new besan' }, ({ products }) => products.includes('Old Besan Name')],
    ['total', { total_min_paise: 100000, total_max_paise: 150000 }, ({ total }) => total >= 100000 && total <= 150000],
    ['age', { waiting_hours: 5 }, (order) => isOpen(order) && Date.parse(order.since) <= hoursAgo(5)],
    ['source', { source: 'manual' }, ({ source }) => source === 'manual'],
    ['fulfilment', { fulfilment: 'pickup' }, ({ fulfilment }) => fulfilment === 'pickup'],
    ['orders to confirm', { todo: 'unconfirmed' }, ({ status }) => status === 'Pending'],
    [
      'to pack today',
      { todo: 'pack-today' },
      ({ status, is_due }) => ['Confirmed', 'Preparing'].includes(status) && is_due,
    ],
    [
      'refunds due: refunds that failed, and offline payments of a cancelled order',
      { todo: 'give-back' },
      ({ payment, status }) =>
        payment === 'refund_failed' ||
        (status === 'canceled' && ['paid_offline', 'partially_refunded'].includes(payment)),
    ],
    [
      'money to collect: what is unpaid and not canceled',
      { todo: 'to-collect' },
      ({ payment, status }) => payment === 'unpaid' && !['canceled', 'Refunded'].includes(status),
    ],
    ['what came back', { todo: 'undelivered' }, ({ status }) => status === 'Undelivered'],
    ['search by city', { search: 'PUNE' }, ({ city }) => city === 'Pune'],
    ['search by the beginning of a city', { search: 'beng' }, ({ city }) => city === 'Bengaluru'],
    ['search by the address of mail', { search: 'MANY-7@example.com' }, ({ email }) => email === 'many-7@example.com'],
    ['search by its beginning', { search: 'many-1@' }, ({ email }) => email === 'many-1@example.com'],
    ['search by what is before the @', { search: 'many-1' }, ({ email }) => email === 'many-1@example.com'],
    ['search by name', { search: 'Deshmukh' }, ({ name }) => has(name, 'deshmukh')],
    ['search by two names', { search: ' bee  da' }, ({ name }) => has(name, 'bee') && has(` ${name}`, ' da')],
    ['search by product', { search: 'besan' }, ({ products }) => products.some((name) => has(name, 'besan'))],
    [
      'search by name or product',
      { search: 'ro' },
      ({ name, products }) => [name, ...products].some((text) => has(` ${text}`, ' ro')),
    ],
    ['search by phone', { search: '90000 00001' }, ({ phone }) => phone === '9000000001'],
    ['search by pincode', { search: '400001' }, ({ zip, phone }) => zip === '400001' || phone.includes('400001')],
    ['search in Devanagari', { search: 'प्रिया' }, ({ name }) => name.includes('प्रिया')],
    [
      'search with signs that mean something elsewhere',
      { search: "ann_a 100% o'b" },
      ({ name }) => name.startsWith('Ann_a'),
    ],
    ['search for _ alone', { search: 'n_a' }, ({ name }) => name.startsWith('Ann_a')],
    ['search for a backslash', { search: 'k\\s' }, ({ name }) => name.startsWith('Back')],
    ['a word of the letters a to f is a word', { search: 'bee' }, ({ name }) => has(name, 'bee')],
    [
      'search and more',
      { search: 'laddu', status: ['Delivered'], source: 'cart' },
      ({ products, status, source }) =>
        products.some((name) => has(name, 'laddu')) && status === 'Delivered' && source === 'cart',
    ],
    ['what does not exist', { search: 'zzzzz' }, () => false],
    ['blank search', { search: '  ', customer: '', product: ' ', phone: '' }, () => true],
  ];

  test.each(cases)('%s', async (_name, filter, wanted) => {
    const expected = stored.filter(wanted).sort(newestFirst);
    const { rows, counts } = await listAll(filter);
    expect(rows.map(({ number }) => number)).toEqual(expected.map(({ number }) => number));
    expect(new Set(counts)).toEqual(new Set([expected.length]));
  });

  test('a case that finds nothing would prove nothing', () => {
    const found = cases.filter(([, , wanted]) => stored.some(wanted)).map(([name]) => name);
    expect(cases.map(([name]) => name).filter((name) => !found.includes(name))).toEqual([
      'customer never means the phone',
      'what does not exist',
    ]);
  });
});

describe('a search finds the same once the worker has indexed the names', () => {
  const searches = [
    'meena',
    'MEE',
    'ee',
    'ro',
    'an',
    'bee',
    'kesar',
    'प्रिया',
    'र',
    'back\\',
    '_',
    '100%',
    'zzz',
    'x9',
    'a',
  ];
  const allFound = async () =>
    Promise.all(
      searches.flatMap((search) => [
        listAll({ search }),
        listAll({ search }, 'placed'),
        listAll({ search }, '-total'),
        listAll({ customer: search }),
      ]),
    );

  test('by the worker, but for the last minutes, and with every change since', async () => {
    // Some of those with unusual names were placed an hour ago, the others just now.
    await sql.begin(async (tx) => {
      await tx`select set_config('session_replication_role', 'replica', true)`;
      await tx`update public.orders set created_at = created_at - interval '1 hour'
        where delivery_name in ('प्रिया शर्मा', 'Back\\slash')`;
    });
    const before = await allFound();
    await sql`select private.index_order_words(now())`;
    const [kept] = await sql`select count(*)::int as words from private.order_words`;
    expect(kept?.words).toBeGreaterThan(1000);
    expect(await allFound()).toEqual(before);
    expect(
      await sql`select private.orders_for_name('meena') is not null as quick, private.orders_for_name('9') as no`,
    ).toEqual([{ quick: true, no: null }]);

    const [renamed] = await sql`
      update public.orders set delivery_name = 'Xenia Meenakshi-Bee'
      where id = (select id from public.orders where delivery_name like 'Meena %' and status in ('Pending', 'Delivered') order by number limit 1)
      returning number::int`;
    await sql`update public.orders set delivery_name = 'Nobody' where delivery_name = 'प्रिया शर्मा'`;
    const quick = await allFound();
    expect((await listAll({ search: 'xenia' })).rows.map(({ number }) => number)).toEqual([renamed?.number]);
    expect(await sql`select word from private.name_words where word = 'प्रिया'`).toEqual([]);
    const [until] = await sql`delete from private.order_words_until returning until::text`;
    expect(await allFound()).toEqual(quick);
    await sql`insert into private.order_words_until (until) values (${until?.until}::text::timestamptz)`;
    stored = await readStored();
  });

  test('reading a few lines is enough to show that more orders have a sweet than are counted', async () => {
    const count = async (filter: object, most: number, lines: number | null) => {
      const [row] = await sql<{ count: number }[]>`
        select private.count_orders(private.order_sources(private.read_order_filter(${sql.json(filter as never)}), now(),
          by_placing => true, most_lines => ${lines}), ${most}) as count`;
      return row?.count ?? 0;
    };
    for (const filter of [
      { product: 'kesar' },
      { product: 'kesar', status: ['Delivered'] },
      { product: 'kesar', customer: 'meena' },
    ]) {
      const all = await count(filter, 10_000, null);
      for (const most of [1, 10, all - 1, all]) {
        const few = await count(filter, most, 4 * most);
        expect(few).toBeLessThanOrEqual(Math.min(all, most + 1));
        if (most <= 10 && Object.keys(filter).length === 1) expect(few).toBe(most + 1);
      }
    }
  });

  test('six digits are an order’s number and a pincode', async () => {
    const [order] = await sql`
      update public.orders set delivery_zip = '654321' where number = (select min(number) from public.orders) returning number::int`;
    expect((await list({ search: '654321' })).rows.map(({ number }) => number)).toEqual([order?.number]);
    await sql.begin(async (tx) => {
      await tx`select set_config('session_replication_role', 'replica', true)`;
      await tx`update public.orders set number = 654321 where number = (select max(number) from public.orders)`;
    });
    expect((await list({ search: '654321' })).rows.map(({ number }) => number)).toEqual([654321, order?.number]);
    expect((await list({ search: '#654321' })).rows.map(({ number }) => number)).toEqual([654321]);
    stored = await readStored();
  });
});

describe('every sort is complete and in order, both ways', () => {
  const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  const sorts: [string, (a: Stored, b: Stored) => number][] = [
    ['placed', (a, b) => byText(a.placed, b.placed) || byText(a.id, b.id)],
    ['number', (a, b) => a.number - b.number],
    ['total', (a, b) => a.total - b.total || byText(a.id, b.id)],
    ['age', (a, b) => byText(b.since, a.since) || byText(b.id, a.id)],
  ];
  test.each(sorts)('by %s', async (sort, compare) => {
    const expected = stored
      .filter((order) => sort !== 'age' || isOpen(order))
      .sort(compare)
      .map(({ id }) => id);
    expect((await listAll({}, sort)).rows.map(({ id }) => id)).toEqual(expected);
    expect((await listAll({}, `-${sort}`)).rows.map(({ id }) => id)).toEqual(expected.toReversed());
  });

  test('also of a search that finds people and products', async () => {
    const wanted = stored.filter(({ name, products }) => [name, ...products].some((text) => has(` ${text}`, ' ro')));
    const totals = wanted.map(({ total }) => total).sort((a, b) => b - a);
    expect((await listAll({ search: 'ro' }, '-total')).rows.map(({ total_paise }) => total_paise)).toEqual(totals);
  });
});

test('a number finds the order with that number; otherwise it is part of a phone number', async () => {
  const [{ number, phone } = { number: 0, phone: '' }] = stored.filter(({ name }) => name.startsWith('Dada'));
  for (const search of [`${number}`, `#${number}`])
    expect((await list({ search })).rows.map((row) => row.number)).toEqual([number]);
  expect((await list({ number })).rows.map((row) => row.number)).toEqual([number]);
  expect((await list({ search: phone.slice(3) })).rows.map((row) => row.number)).toContain(number);
});

test('a number copied from a document, a label or the payment provider finds its order and no other', async () => {
  const productId = await insertProduct(sql, { stock: 100 });
  const { id, paymentId } = await insertPaidOrder(sql, { userId: null, productId, status: 'Preparing' });
  await sql`update public.orders set status = 'Packed' where id = ${id}`;
  await sql`update public.orders set status = 'Shipped', tracking_number = 'Ez123456789In' where id = ${id}`;
  await sql`update private.payments set provider_order_id = 'order_LkWq81' where order_id = ${id}`;
  const [known] = await sql<{ invoice: string }[]>`
    select number as invoice from private.invoices where order_id = ${id}`;
  const invoice = known?.invoice ?? '';
  for (const search of [
    paymentId,
    'order_LkWq81',
    invoice,
    invoice.toLowerCase(),
    invoice.replace(/^[^/]*\//, ''),
    ' EZ123456789IN ',
    'ez123456789in',
  ]) {
    const { rows, count } = await list({ search });
    expect(
      rows.map((row) => row.id),
      `searched for ${search}`,
    ).toEqual([id]);
    expect(count).toBe(1);
  }
  expect((await list({ search: paymentId.slice(0, -1) })).rows).toEqual([]);
  expect((await list({ search: paymentId, status: ['Pending'] })).rows).toEqual([]);
});

test('a refund that is due says by when: as it was set when the order was canceled or the refund was made', async () => {
  const productId = await insertProduct(sql, { stock: 100 });
  const canceled = await insertPaidOrder(sql, { userId: null, productId, paid: false, status: 'canceled' });
  const failed = await insertPaidOrder(sql, { userId: null, productId, status: 'Confirmed' });
  const fine = await insertPaidOrder(sql, { userId: null, productId });
  await sql.begin(async (tx) => {
    await tx`select set_config('session_replication_role', 'replica', true)`;
    await tx`update public.orders set payment_status = 'paid_offline', status_since = '2026-11-01T19:00:00Z' where id = ${canceled.id}`;
    await tx`insert into private.offline_refunds_due (order_id, since, due_on) values (${canceled.id}, '2026-11-01T19:00:00Z', '2026-11-10')`;
    await tx`update public.orders set payment_status = 'refund_failed', status_since = '2026-11-05T06:00:00Z' where id = ${failed.id}`;
    await tx`insert into private.refunds (payment_id, order_id, amount_paise, reason, status, created_at, due_on, finished_at)
      values (${failed.paymentId}, ${failed.id}, 100, 'one broke', 'processed', '2026-11-07T06:00:00Z', '2026-11-14', '2026-11-07T06:00:00Z'),
             (${failed.paymentId}, ${failed.id}, 100, 'one broke', 'failed', '2026-11-08T06:00:00Z', '2026-11-16', null),
             (${failed.paymentId}, ${failed.id}, 100, 'one broke', 'failed', '2026-11-09T06:00:00Z', '2026-11-17', null)`;
  });
  const dueOn = async (id: string) =>
    ((await list({ ids: [id] })).rows[0] as { refund_due_on?: unknown }).refund_due_on;
  expect(await dueOn(canceled.id)).toBe('2026-11-10');
  expect(await dueOn(failed.id)).toBe('2026-11-16');
  expect(await dueOn(fine.id)).toBeNull();
});

test('a row says what is in the box, and of long orders the first three', async () => {
  const productIds = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => insertProduct(sql, { name: `Row Sweet ${n}`, hasSize: n < 3, stock: 9000 })),
  );
  const order = await insertPaidOrder(sql, { userId: null, productId: productIds[0] ?? 0, quantity: 2 });
  const row = async () => (await list({ ids: [order.id] })).rows[0];
  expect(await row()).toMatchObject({ items: 'Row Sweet 1 500 g × 2', status: 'Pending', is_due: false });
  const add = (productId: number, n: number, size: number) => sql`
    insert into public.order_items (order_id, product_id, product_name, quantity, size, unit_price, gst_percent, hsn, has_size)
    values (${order.id}, ${productId}, ${`Row Sweet ${n}`}, 1, ${size}, 1, 5, '2106', ${n < 3})`;
  await add(productIds[1] ?? 0, 2, 1000);
  await add(productIds[2] ?? 0, 3, 500);
  expect((await row())?.items).toBe('Row Sweet 1 500 g × 2, Row Sweet 2 1 kg × 1, Row Sweet 3 × 1');
  await add(productIds[3] ?? 0, 4, 500);
  await add(productIds[4] ?? 0, 5, 500);
  expect((await row())?.items).toBe('Row Sweet 1 500 g × 2, Row Sweet 2 1 kg × 1, Row Sweet 3 × 1 and 2 more');
});

test('the age restarts with every status, and cannot be set', async () => {
  const productId = await insertProduct(sql, { stock: 100 });
  const order = await insertPaidOrder(sql, { userId: null, productId });
  const since = async () =>
    (await sql`select status_since from public.orders where id = ${order.id}`)[0]?.status_since as Date;
  const placed = await since();
  await sql`update public.orders set courier = 'Pavan', status_since = '2001-01-01' where id = ${order.id}`;
  expect(await since()).toEqual(placed);
  await as(sql, owner, (tx) => tx`update public.orders set status = 'Confirmed' where id = ${order.id}`);
  const [event] = await sql`select max(created_at) as at from public.order_events where order_id = ${order.id}`;
  expect(await since()).toEqual(event?.at);
  expect(await since()).not.toEqual(placed);
});

test('a count stops at ten thousand, and at a thousand for a search', async () => {
  const count = async (most: number) =>
    (await sql`select private.count_orders(array['public.orders o where true'], ${most}) as counted`)[0]?.counted;
  expect(await count(10)).toBe(11);
  expect(await count(100000)).toBe((await sql`select count(*)::int as all from public.orders`)[0]?.all);
  expect(await list({})).toMatchObject({ count_is_capped: false });
});

test('the books are still in order', async () => {
  // The order with manually added lines is not.
  const broken = await sql`select distinct invariant from public.check_invariants()`;
  expect(broken).toEqual([{ invariant: 1 }]);
});
