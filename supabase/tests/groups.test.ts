import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { card, open, opened, quoted, recipient } from '../../tests/support/groups.ts';
import { as, insertPaidOrder, insertProduct, insertUser, insertZone } from '../../tests/support/rows.ts';
import { type Answer, openTill, type Till } from '../../tests/support/till.ts';
import { callConsole } from './call-console.ts';

let database: TestDatabase;
let till: Till;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  till = openTill(database.connection, database.sql);
  await insertZone(database.sql, { prefixes: ['400'] });
});
afterEach(() => till.expectCleanBooks());
afterAll(async () => {
  await till.close();
  await database.drop();
});

const product = (stock = 100, price = 100) => insertProduct(database.sql, { price, stock });
const box = (productId: number, quantity = 1) => [{ productId, quantity, size: 500 as const }];
const some = (count: number, productId: number) =>
  Array.from({ length: count }, (_, index) => recipient(index + 1, box(productId)));
const code = ({ status, body }: Answer) => [status, body.error?.code];

/** Who has bought before may hold more than five kilograms. */
async function regular(): Promise<string> {
  const customer = await till.customer();
  await insertPaidOrder(database.sql, { userId: customer, productId: await product() });
  return customer;
}
type Row = {
  id: string;
  status: string;
  payment_status: string;
  total: string;
  group_place: number;
  payment_id: string;
};
const ordersOf = (groupId: string) => database.sql<Row[]>`
  select id, status, payment_status, (total_amount * 100)::bigint::text as total, group_place, payment_id
  from public.orders where group_id = ${groupId} order by group_place`;
const refundsOf = (customer: string) => database.sql<{ order_id: string | null; amount: number; reason: string }[]>`
  select r.order_id, r.amount_paise::int as amount, r.reason
  from private.refunds r join private.payments p using (payment_id) where p.user_id = ${customer} order by r.created_at, r.id`;
async function stockOf(productId: number) {
  const [row] = await database.sql`select on_hand, reserved from public.stock_levels where product_id = ${productId}`;
  return [row?.on_hand, row?.reserved];
}
const cancel = (customer: string, orderId: string) =>
  as(
    database.sql,
    { userId: customer },
    (tx) => tx`update public.orders set status = 'canceled' where id = ${orderId}`,
  );

describe('the dry run', () => {
  test('prices each recipient as a parcel of its own, and all of them in sum', async () => {
    const customer = await till.customer();
    const productId = await product();
    const single = await till.quote(customer, box(productId), { source: 'direct' });
    const { total } = single.body as unknown as { total: number };
    const quote = await quoted(till, customer, some(3, productId));
    expect(quote.rows.map((row) => row.total)).toEqual([total, total, total]);
    expect(quote).toMatchObject({ total: 3 * total, short: [], key: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });

  test('names every row that is wrong, the field, and what to do', async () => {
    const customer = await till.customer();
    const productId = await product();
    const heavy = await insertProduct(database.sql, { hasSize: true, stock: 100_000 });
    const shortLived = await product();
    await database.sql`update public."Products" set shelf_life_days = 1 where "Id" = ${shortLived}`;
    const [past] = ['2020-01-01'];
    const wrong: [Record<string, unknown>, string, string][] = [
      [{ name: ' ' }, 'missing-field', 'name'],
      [{ phone: '12345' }, 'invalid-field', 'phone'],
      [{ street: 'x'.repeat(201) }, 'invalid-field', 'street'],
      [{ pincode: '4000' }, 'invalid-field', 'pincode'],
      [{ pincode: '999999' }, 'outside-zones', 'pincode'],
      [{ boxes: box(999_999_999) }, 'unknown-product', 'boxes'],
      [
        {
          boxes: [
            { productId: heavy, quantity: 25, size: 1000 },
            { productId: heavy, quantity: 25, size: 500 },
          ],
        },
        'too-heavy',
        'boxes',
      ],
      [{ boxes: box(shortLived) }, 'would-spoil', 'pincode'],
      [{ delivery_on: past }, 'day-past', 'delivery_on'],
      [{ note: 'x'.repeat(301) }, 'invalid-field', 'note'],
      [{ email: 'nobody' }, 'invalid-field', 'email'],
    ];
    const rows = [
      recipient(1, box(productId)),
      ...wrong.map(([change], n) => recipient(n + 2, box(productId), change)),
    ];
    const quote = await quoted(till, customer, rows);
    expect(quote.key).toBeNull();
    expect(quote.rows[0]).toMatchObject({ row: 1, total: expect.any(Number) });
    expect(quote.rows.slice(1).map(({ row, code: reason, field }) => [row, reason, field])).toEqual(
      wrong.map(([, reason, field], n) => [n + 2, reason, field]),
    );
    for (const { message } of quote.rows.slice(1)) expect(message).not.toMatch(/wrong|undefined/);
  });

  test('adds up what all recipients want of a product, and says what is left of it', async () => {
    const customer = await till.customer();
    const productId = await product(2);
    const quote = await quoted(till, customer, some(3, productId));
    expect(quote.short).toMatchObject([{ product_id: productId, wanted: 3, left: 2 }]);
    expect(code(await open(till, customer, some(3, productId), quote.key))).toEqual([409, 'group-is-short']);
    expect(await stockOf(productId)).toEqual([2, 0]);
  });

  test('refuses more than five hundred recipients, and visitors', async () => {
    const customer = await till.customer();
    const rows = some(501, await product());
    const { quoteGroup } = await import('../functions/quoteGroup/handler.ts');
    expect(code(await till.call(quoteGroup, customer, { recipients: rows, card }))).toEqual([400, 'invalid-body']);
    expect(code(await till.call(quoteGroup, null, { recipients: rows.slice(0, 1), card }))).toEqual([
      401,
      'sign-in-required',
    ]);
  });
});

describe('paid once', () => {
  test('each recipient has an order, and all of them the payment', async () => {
    const customer = await regular();
    const productId = await product();
    const recipients = some(20, productId);
    const group = await opened(till, customer, recipients);
    expect(group.is_held).toBe(true);
    expect(await stockOf(productId)).toEqual([100, 20]);
    const paid = await till.pay(group.id);
    const placed = await till.place(customer, paid);
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    const orders = await ordersOf(group.group_id);
    expect(placed.body).toMatchObject({ group_id: group.group_id, order_id: orders[0]?.id });
    expect(orders.map(({ group_place }) => group_place)).toEqual(recipients.map((_, index) => index + 1));
    expect(new Set(orders.map(({ payment_id }) => payment_id)).size).toBe(1);
    expect(orders.reduce((sum, { total }) => sum + Number(total), 0)).toBe(group.amount);
    expect(await stockOf(productId)).toEqual([80, 0]);
    const [seventh] = await database.sql`
      select o.delivery_name, o.delivery_building_no, g.note, g.sender_name
      from public.orders o join private.order_gifts g on g.order_id = o.id where o.id = ${orders[6]?.id ?? ''}`;
    expect(seventh).toEqual({
      delivery_name: 'Recipient 7',
      delivery_building_no: '7, Shanti Sadan',
      note: 'Happy Diwali, recipient 7! 🪔 शुभ दीपावली',
      sender_name: 'Acme Traders',
    });
  });

  test('one email says so, not one for each recipient', async () => {
    const customer = await till.customer();
    const group = await opened(till, customer, some(5, await product()));
    await till.place(customer, await till.pay(group.id));
    await till.work();
    const mine = till.mails.filter(({ to }) => to.address === `${customer}@example.com`);
    expect(mine.map(({ subject }) => subject)).toEqual(['Your order for 5 recipients is placed']);
  });

  test('reported ten times at once, by browser, webhook and reconciler', async () => {
    const customer = await till.customer();
    const group = await opened(till, customer, some(5, await product()));
    const paid = await till.pay(group.id, { outcome: 'pay', webhook: 'twice' });
    till.later(1);
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => till.place(customer, paid)),
      till.work(),
      till.work(),
    ]);
    expect(new Set((answers.slice(0, 10) as Answer[]).map(({ status }) => status))).toEqual(new Set([201]));
    expect(await ordersOf(group.group_id)).toHaveLength(5);
  });

  test.each(['webhook', 'reconciler'])('found by the %s alone', async (finder) => {
    const customer = await till.customer();
    const group = await opened(till, customer, some(3, await product()));
    await till.pay(group.id, { outcome: 'pay', webhook: finder === 'webhook' ? 'normal' : 'never' });
    await till.simulator.settled();
    if (finder === 'reconciler') till.later(1);
    await till.work();
    expect(await ordersOf(group.group_id)).toHaveLength(3);
  });

  test('twice: the second payment is refunded in full', async () => {
    const customer = await till.customer();
    const group = await opened(till, customer, some(3, await product()));
    await till.place(customer, await till.pay(group.id));
    const { razorpay_payment_id: _, ...second } = (await till.pay(group.id)) as {
      razorpay_payment_id?: string;
      error?: unknown;
    };
    if (!('error' in second)) {
      till.later(40);
      await till.work();
      expect(await refundsOf(customer)).toMatchObject([
        { order_id: null, amount: group.amount, reason: 'second-payment' },
      ]);
    }
    expect(await ordersOf(group.group_id)).toHaveLength(3);
  });

  test('for the same boxes from two tabs: the second group is refunded', async () => {
    const customer = await till.customer();
    const productId = await product();
    const first = await opened(till, customer, some(2, productId));
    const again = some(2, productId).map((row) => ({ ...row, note: 'Another note' }));
    const second = await opened(till, customer, again);
    expect(second.group_id).not.toBe(first.group_id);
    expect((await till.place(customer, await till.pay(second.id))).status).toBe(201);
    expect(code(await till.place(customer, await till.pay(first.id)))).toEqual([409, 'payment-refunded']);
    expect(await refundsOf(customer)).toMatchObject([{ amount: first.amount, reason: 'second-payment' }]);
    expect(await stockOf(productId)).toEqual([98, 0]);
  });

  test('a single order beside it is not taken for a second payment', async () => {
    const customer = await till.customer();
    const productId = await product();
    const group = await opened(till, customer, some(2, productId));
    const { orderId } = await till.checkout(customer, box(productId), { source: 'direct' });
    expect((await till.place(customer, await till.pay(group.id))).status).toBe(201);
    expect((await till.place(customer, await till.pay(orderId))).status).toBe(201);
    expect(await refundsOf(customer)).toEqual([]);
  });

  test('sold out while it was paid: everything is refunded, and no recipient has an order', async () => {
    const customer = await till.customer();
    const other = await till.customer();
    const productId = await product(3);
    const group = await opened(till, customer, some(3, productId));
    till.later(11);
    await till.work();
    expect(await stockOf(productId)).toEqual([3, 0]);
    const { orderId } = await till.checkout(other, box(productId), { source: 'direct' });
    await till.place(other, await till.pay(orderId));
    expect(code(await till.place(customer, await till.pay(group.id)))).toEqual([409, 'payment-refunded']);
    expect(await ordersOf(group.group_id)).toEqual([]);
    expect(await refundsOf(customer)).toMatchObject([{ order_id: null, amount: group.amount, reason: 'sold-out' }]);
    expect(await stockOf(productId)).toEqual([2, 0]);
  });

  test('after the hold ended, and the stock is still there: all orders', async () => {
    const customer = await till.customer();
    const productId = await product(3);
    const group = await opened(till, customer, some(3, productId));
    till.later(11);
    await till.work();
    expect((await till.place(customer, await till.pay(group.id))).status).toBe(201);
    expect(await stockOf(productId)).toEqual([0, 0]);
  });
});

describe('opening', () => {
  test('twice for the same recipients is one group', async () => {
    const customer = await till.customer();
    const recipients = some(3, await product());
    const { key } = await quoted(till, customer, recipients);
    const answers = await Promise.all(Array.from({ length: 4 }, () => open(till, customer, recipients, key)));
    expect(new Set(answers.map(({ body }) => (body as unknown as { group_id: string }).group_id)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => (body as unknown as { id: string }).id)).size).toBe(1);
  });

  test('with a price that changed since is refused', async () => {
    const customer = await till.customer();
    const productId = await product();
    const { key } = await quoted(till, customer, some(2, productId));
    await database.sql`update public."Products" set "Price" = 120 where "Id" = ${productId}`;
    expect(code(await open(till, customer, some(2, productId), key))).toEqual([409, 'prices-changed']);
  });

  test('with a row that became wrong names the row', async () => {
    const customer = await till.customer();
    const recipients = some(2, await product());
    const { key } = await quoted(till, customer, recipients);
    const answer = await open(till, customer, [recipients[0], { ...recipients[1], phone: '' }], key);
    expect(answer.body.error).toMatchObject({ code: 'wrong-rows', rows: [{ row: 2, field: 'phone' }] });
  });

  test('of a blocked customer is refused', async () => {
    const customer = await till.customer();
    const recipients = some(1, await product());
    const { key } = await quoted(till, customer, recipients);
    await database.sql`insert into private.customer_records (user_id, blocked_at) values (${customer}, now())`;
    expect(code(await open(till, customer, recipients, key))).toEqual([403, 'blocked']);
  });

  test('a new one takes over what the one before held', async () => {
    const customer = await till.customer();
    const productId = await product(3);
    await opened(till, customer, some(3, productId));
    expect(await stockOf(productId)).toEqual([3, 3]);
    const second = await opened(till, customer, some(2, productId));
    expect(await stockOf(productId)).toEqual([3, 3]);
    expect((await till.place(customer, await till.pay(second.id))).status).toBe(201);
    till.later(11);
    await till.work();
    expect(await stockOf(productId)).toEqual([1, 0]);
  });

  test('by an account that never bought holds at most five kilograms, and can be paid all the same', async () => {
    const customer = await till.customer();
    const productId = await insertProduct(database.sql, { hasSize: true, stock: 20_000 });
    const group = await opened(till, customer, some(12, productId));
    expect(group.is_held).toBe(false);
    expect(await stockOf(productId)).toEqual([20_000, 0]);
    expect((await till.place(customer, await till.pay(group.id))).status).toBe(201);
    expect(await stockOf(productId)).toEqual([14_000, 0]);
  });

  test('counts as one unpaid hold, however many recipients it has', async () => {
    const customer = await till.customer();
    const productId = await product();
    await opened(till, customer, some(6, productId));
    expect((await opened(till, customer, some(7, productId))).is_held).toBe(true);
    expect((await opened(till, customer, some(8, productId))).is_held).toBe(false);
  });

  test('cannot be continued as a single order', async () => {
    const customer = await till.customer();
    const group = await opened(till, customer, some(1, await product()));
    expect(code(await till.create(customer, group.amount / 100))).toEqual([409, 'no-quote']);
    const [member] = await database.sql`select quote_id from private.checkouts where group_id = ${group.group_id}`;
    expect(code(await till.create(customer, group.amount / 100, member?.quote_id))).toEqual([409, 'quote-expired']);
  });

  test('two customers at once for the last boxes: one gets all, the other none', async () => {
    const [one, other] = [await regular(), await regular()];
    const productId = await product(5);
    const recipients = some(4, productId);
    const [first, second] = await Promise.all([quoted(till, one, recipients), quoted(till, other, recipients)]);
    const answers = await Promise.all([
      open(till, one, recipients, first.key),
      open(till, other, recipients, second.key),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await stockOf(productId)).toEqual([5, 4]);
  });
});

describe('one recipient', () => {
  test('canceled is refunded by itself, and the others are untouched', async () => {
    const customer = await till.customer();
    const productId = await product();
    const group = await opened(till, customer, some(3, productId));
    await till.place(customer, await till.pay(group.id));
    const before = await ordersOf(group.group_id);
    await cancel(customer, before[1]?.id ?? '');
    await till.work();
    const after = await ordersOf(group.group_id);
    expect(after.map(({ status, payment_status }) => [status, payment_status])).toEqual([
      ['Pending', 'paid'],
      ['canceled', 'refunded'],
      ['Pending', 'paid'],
    ]);
    expect(await refundsOf(customer)).toEqual([
      { order_id: before[1]?.id, amount: Number(before[1]?.total), reason: 'order canceled' },
    ]);
    expect(await stockOf(productId)).toEqual([98, 0]);
    const [payment] = await database.sql`select status from private.payments where group_id = ${group.group_id}`;
    expect(payment?.status).toBe('captured');
  });

  test('all canceled at the same moment: the whole payment is back, and not a paisa more', async () => {
    const customer = await till.customer();
    const group = await opened(till, customer, some(6, await product()));
    await till.place(customer, await till.pay(group.id));
    const orders = await ordersOf(group.group_id);
    await Promise.allSettled(orders.flatMap(({ id }) => [cancel(customer, id), cancel(customer, id)]));
    await till.work();
    const refunds = await refundsOf(customer);
    expect(refunds).toHaveLength(6);
    expect(refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(group.amount);
    const [payment] = await database.sql`select status from private.payments where group_id = ${group.group_id}`;
    expect(payment?.status).toBe('refunded');
  });

  test('is corrected within its delivery area until it is packed, by its customer alone', async () => {
    const [customer, stranger] = [await till.customer(), await till.customer()];
    const group = await opened(till, customer, some(2, await product()));
    await till.place(customer, await till.pay(group.id));
    const id = (await ordersOf(group.group_id))[0]?.id ?? '';
    const delivery = {
      name: 'Kamala Devi',
      phone: '98765 43210',
      building_no: '12',
      street: 'FC Road',
      city: 'Mumbai',
      state: 'Maharashtra',
      zip: '400002',
    };
    const correct = (userId: string, change: object = {}) =>
      as(
        database.sql,
        { userId },
        (tx) => tx`select public.correct_recipient(${id}, ${tx.json({ ...delivery, ...change })}) as told`,
      );
    await expect(correct(stranger)).rejects.toThrow('Order not found');
    await expect(correct(customer)).rejects.toThrow('ten digits');
    await expect(correct(customer, { phone: '9876543210', zip: '110001' })).rejects.toThrow('another delivery area');
    const [row] = await correct(customer, { phone: '9876543210' });
    expect(row?.told).toMatchObject({ name: 'Kamala Devi', zip: '400002', can_be_corrected: true });
    for (const status of ['Confirmed', 'Preparing', 'Packed'])
      await database.sql`update public.orders set status = ${status} where id = ${id}`;
    await expect(correct(customer, { phone: '9876543210' })).rejects.toThrow('already packed');
  });

  test('cannot be corrected to where no zone reaches, even where its own is gone', async () => {
    const customer = await till.customer();
    await insertZone(database.sql, { prefixes: ['173'] });
    const productId = await product();
    const group = await opened(till, customer, [recipient(1, box(productId), { pincode: '173001' })]);
    await till.place(customer, await till.pay(group.id));
    const id = (await ordersOf(group.group_id))[0]?.id ?? '';
    await database.sql`delete from public.delivery_zones where pincode_prefixes = '{173}'`;
    const { pincode: _, delivery_on: _day, note: _note, email: _email, boxes: _boxes, ...delivery } = recipient(1, []);
    const correct = (change: object) =>
      as(
        database.sql,
        { userId: customer },
        (tx) => tx`select public.correct_recipient(${id}, ${tx.json({ ...delivery, ...change })}) as told`,
      );
    await expect(correct({ zip: '999999' })).rejects.toThrow('another delivery area');
    const [row] = await correct({ zip: '173001', name: 'Kamala Devi' });
    expect(row?.told).toMatchObject({ name: 'Kamala Devi', zip: '173001' });
  });

  test('whose refund failed is told so, though another one’s of the same amount followed', async () => {
    const customer = await till.customer();
    const group = await opened(till, customer, some(2, await product()));
    await till.place(customer, await till.pay(group.id));
    const [first, second] = await ordersOf(group.group_id);
    await cancel(customer, first?.id ?? '');
    // As after the last attempt: no other one follows.
    await database.sql`update private.refunds set status = 'failed' where order_id = ${first?.id ?? ''}`;
    await cancel(customer, second?.id ?? '');
    const seen = await as(
      database.sql,
      { userId: customer },
      (tx) => tx`select order_id, status from public.my_refunds() order by status`,
    );
    expect(seen).toEqual([
      { order_id: first?.id, status: 'failed' },
      { order_id: second?.id, status: 'queued' },
    ]);
    await till.work();
  });

  test('who calls is a person of their own, not the customer who sent the gift', async () => {
    const customer = await till.customer();
    const group = await opened(till, customer, [recipient(1, box(await product()), { phone: '9812312312' })]);
    await till.place(customer, await till.pay(group.id));
    const owner = { userId: await insertUser(database.sql, { administrator: true }) };
    const found = await callConsole(database.sql, owner, 'admin_find_callers', { phone: '9812312312' });
    expect(found).toMatchObject([{ user_id: null, name: 'Recipient 1' }]);
  });
});

test('a customer reads their own groups, and no others', async () => {
  const [customer, stranger] = [await till.customer(), await till.customer()];
  const group = await opened(till, customer, some(2, await product()));
  const read = (userId: string, reference: string) =>
    as(database.sql, { userId }, async (tx) => (await tx`select public.my_group(${reference}) as told`)[0]?.told);
  expect(await read(customer, group.id)).toMatchObject({ id: group.group_id, state: 'confirming', orders: [] });
  await till.place(customer, await till.pay(group.id));
  const told = await read(customer, group.group_id);
  expect(told).toMatchObject({ state: 'ordered', recipients: 2, total_paise: group.amount });
  expect(told.orders).toMatchObject([
    { place: 1, name: 'Recipient 1' },
    { place: 2, name: 'Recipient 2' },
  ]);
  expect(await read(stranger, group.group_id)).toBeNull();
  const many = (userId: string) =>
    as(
      database.sql,
      { userId },
      async (tx) => (await tx`select public.my_groups(${[group.group_id]}) as told`)[0]?.told,
    );
  expect(await many(customer)).toEqual([
    { id: group.group_id, recipients: 2, total_paise: group.amount, statuses: { Pending: 2 } },
  ]);
  expect(await many(stranger)).toEqual([]);
});

test('what the payment, the group and its orders say must agree', async () => {
  const customer = await till.customer();
  const group = await opened(till, customer, some(2, await product()));
  await till.place(customer, await till.pay(group.id));
  const found = (change: (sql: typeof database.sql) => Promise<unknown>) =>
    database.sql
      .begin(async (tx) => {
        await tx`set local session_replication_role = replica`;
        await change(tx as unknown as typeof database.sql);
        const rows = await tx`select distinct invariant from public.check_invariants() order by 1`;
        throw Object.assign(new Error('rolled back'), { rows: rows.map(({ invariant }) => invariant) });
      })
      .catch((error: { rows?: number[] }) => error.rows ?? error);
  const id = group.group_id;
  expect(
    await found((tx) => tx`update private.group_orders set total_paise = total_paise + 1 where id = ${id}`),
  ).toEqual([16]);
  expect(await found((tx) => tx`update private.group_orders set recipients = 3 where id = ${id}`)).toEqual([16]);
  expect(
    await found((tx) => tx`update private.payments set amount_paise = amount_paise - 1 where group_id = ${id}`),
  ).toEqual([16]);
  const refund = (amount: number) => (tx: typeof database.sql) =>
    tx`
    insert into private.refunds (payment_id, order_id, amount_paise, reason, due_on)
    select o.payment_id, o.id, (o.total_amount * 100)::bigint + ${amount}, 'order refunded', '2026-11-25'
    from public.orders o where o.group_id = ${id} and o.group_place = 1`;
  expect(await found(refund(1))).toEqual([6]);
  expect(await found(refund(0))).not.toContain(6);
});
