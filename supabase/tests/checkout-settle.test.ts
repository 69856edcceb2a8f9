import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertProduct, insertZone, moveStock } from '../../tests/support/rows.ts';
import { type Answer, openTill, type PaidAnswer, type Till } from '../../tests/support/till.ts';

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
const one = (productId: number, quantity = 1) => [{ productId, quantity, size: 500 as const }];
const code = ({ status, body }: Answer) => [status, body.error?.code];

async function ordersOf(customer: string) {
  return database.sql<
    { id: string; status: string; payment_status: string; payment_id: string; total_amount: string }[]
  >`
    select id, status, payment_status, payment_id, total_amount from public.orders where user_id = ${customer}`;
}
async function refundsOf(customer: string) {
  return database.sql<{ reason: string; status: string }[]>`
    select r.reason, r.status from private.refunds r join private.payments p using (payment_id)
    where p.user_id = ${customer} order by r.created_at`;
}
async function stockOf(productId: number) {
  const [row] = await database.sql`select on_hand, reserved from public.stock_levels where product_id = ${productId}`;
  return [row?.on_hand, row?.reserved];
}
const mailsTo = (customer: string) =>
  till.mails.filter(({ to }) => to.address === `${customer}@example.com`).map(({ key }) => key.split(':')[1]);
const subjectsTo = (customer: string) =>
  till.mails.filter(({ to }) => to.address === `${customer}@example.com`).map(({ subject }) => subject);

test('a paid checkout becomes an order with everything that was agreed', async () => {
  const customer = await till.customer();
  const sweet = await insertProduct(database.sql, { name: 'Til Laddu', price: 180.5, hasSize: true, stock: 5000 });
  const { total, orderId } = await till.checkout(customer, [{ productId: sweet, quantity: 2, size: 1000 }], {
    source: 'cart',
  });
  const paid = await till.pay(orderId);
  const placed = await till.place(customer, paid);
  expect(placed.status).toBe(201);
  const [order] = await database.sql`select * from public.orders where user_id = ${customer}`;
  expect(placed.body).toEqual({ order_id: order?.id, number: Number(order?.number) });
  expect(order).toMatchObject({
    status: 'Pending',
    payment_status: 'paid',
    payment_id: (paid as PaidAnswer).razorpay_payment_id,
    source: 'cart',
    sub_total: '722.00',
    tax: '36.10',
    shipping_charge: '40.00',
    total_amount: total.toFixed(2),
    delivery_name: 'Meera Till',
    delivery_phone: '9820012345',
    delivery_street: 'Ranade Road',
    delivery_zip: '400001',
  });
  const items =
    await database.sql`select product_name, quantity, size, unit_price, gst_percent, has_size from public.order_items where order_id = ${order?.id}`;
  expect(items).toEqual([
    { product_name: 'Til Laddu', quantity: 2, size: 1000, unit_price: '180.50', gst_percent: '5.00', has_size: true },
  ]);
  expect(await stockOf(sweet)).toEqual([3000, 0]);
  await till.work();
  expect(subjectsTo(customer)).toHaveLength(1);
});

test('an order keeps the price of its quote, also when the product changed and left', async () => {
  const customer = await till.customer();
  const sweet = await product(10, 100);
  const { total, orderId } = await till.checkout(customer, one(sweet));
  await database.sql`update public."Products" set "Price" = 900, "Name" = "Name" || ' new', archived_at = now() where "Id" = ${sweet}`;
  expect((await till.place(customer, await till.pay(orderId))).status).toBe(201);
  expect((await ordersOf(customer))[0]?.total_amount).toBe(total.toFixed(2));
});

describe('one payment is one order', () => {
  test('reported ten times at the same moment, by browser, webhook and reconciler', async () => {
    const customer = await till.customer();
    const { orderId } = await till.checkout(customer, one(await product(), 2));
    const paid = await till.pay(orderId, { outcome: 'pay', webhook: 'twice' });
    till.later(1);
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => till.place(customer, paid)),
      till.work(),
      till.work(),
    ]);
    const placed = answers.slice(0, 10) as Answer[];
    expect(new Set(placed.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(placed.map(({ body }) => (body as { order_id?: string }).order_id)).size).toBe(1);
    expect(await ordersOf(customer)).toHaveLength(1);
  });

  test.each(['before', 'normal', 'twice', 'late'] as const)('with the webhook %s', async (webhook) => {
    const customer = await till.customer();
    const { orderId } = await till.checkout(customer, one(await product()));
    const paid = await till.pay(orderId, { outcome: 'pay', webhook });
    if (webhook === 'before') await till.work();
    expect((await till.place(customer, paid)).status).toBe(201);
    await till.simulator.settled();
    await till.work();
    expect(await ordersOf(customer)).toHaveLength(1);
    expect(await refundsOf(customer)).toEqual([]);
  });

  test('with the webhook instead of the browser', async () => {
    const customer = await till.customer();
    const { orderId } = await till.checkout(customer, one(await product()));
    await till.pay(orderId, { outcome: 'pay', webhook: 'normal' });
    await till.simulator.settled();
    await till.work();
    expect(await ordersOf(customer)).toHaveLength(1);
  });

  test('with neither browser nor webhook: the reconciler finds it within two minutes', async () => {
    const customer = await till.customer();
    const { orderId } = await till.checkout(customer, one(await product()));
    await till.pay(orderId);
    for (let half = 0; half < 4; half += 1) {
      till.later(0.5);
      await till.work();
    }
    expect(await ordersOf(customer)).toHaveLength(1);
  });

  test('that is only authorized is captured by us', async () => {
    const customer = await till.customer();
    const { orderId } = await till.checkout(customer, one(await product()));
    const paid = await till.pay(orderId, { outcome: 'pay', capture: 'authorize-only' });
    expect((await till.place(customer, paid)).status).toBe(201);
    expect(await ordersOf(customer)).toMatchObject([{ payment_status: 'paid' }]);
  });

  test('that fails first and is captured after all becomes an order', async () => {
    const customer = await till.customer();
    const { orderId } = await till.checkout(customer, one(await product()));
    expect(await till.pay(orderId, { outcome: 'pay', capture: 'after-failing', webhook: 'normal' })).toHaveProperty(
      'error',
    );
    await till.simulator.settled();
    await till.work();
    expect(await ordersOf(customer)).toHaveLength(1);
  });
});

test('an older attempt that can no longer be captured does not hide the successful one', async () => {
  const customer = await till.customer();
  const { orderId } = await till.checkout(customer, one(await product()));
  await till.pay(orderId, { outcome: 'pay', capture: 'authorize-only' });
  await till.pay(orderId);
  till.later(1);
  await till.work();
  expect(await ordersOf(customer)).toHaveLength(1);
});

test('a paid order is checked again when the provider was unreachable', async () => {
  const customer = await till.customer();
  const { orderId } = await till.checkout(customer, one(await product()));
  await till.place(customer, await till.pay(orderId));
  const nextPollDelay = async () =>
    (await database.sql`select next_check_at as at from private.checkouts where provider_order_id = ${orderId}`)[0]?.at;
  till.later(31);
  till.simulator.faults.next.push({ match: new RegExp(orderId), fault: '500' });
  await till.work();
  expect(await nextPollDelay()).not.toBeNull();
  till.later(61);
  await till.work();
  expect(await nextPollDelay()).toBeNull();
});

test('a payment that was refunded elsewhere is recorded, and makes no order', async () => {
  const customer = await till.customer();
  const sweet = await product(5);
  const { orderId } = await till.checkout(customer, one(sweet));
  const paid = (await till.pay(orderId)) as PaidAnswer;
  const payment = await till.provider.payment(paid.razorpay_payment_id);
  await till.provider.refund({
    paymentId: paid.razorpay_payment_id,
    amountPaise: payment?.amountPaise ?? 0,
    idempotencyKey: 'by-the-owner-elsewhere',
    reason: 'by hand',
  });
  till.later(1);
  await till.work();
  expect(await ordersOf(customer)).toEqual([]);
  expect(await refundsOf(customer)).toEqual([{ reason: 'given-back', status: 'processed' }]);
  expect(await stockOf(sweet)).toEqual([5, 1]);
});

describe('a payment that cannot become an order is refunded', () => {
  test('captured after the reservation expired and the stock was sold: refunded, mailed, visible', async () => {
    const [slow, quick] = [await till.customer(), await till.customer()];
    const last = await product(1);
    const { orderId } = await till.checkout(slow, one(last));
    till.later(21);
    await till.work();
    expect(await stockOf(last)).toEqual([1, 0]);
    const rival = await till.checkout(quick, one(last));
    await till.place(quick, await till.pay(rival.orderId));
    const late = await till.place(slow, await till.pay(orderId));
    expect(code(late)).toEqual([409, 'payment-refunded']);
    expect(late.body.error?.message).toBe(
      'It sold out before your payment arrived. We’re refunding your payment. It takes up to 7 business days.',
    );
    await till.work();
    expect(await refundsOf(slow)).toEqual([{ reason: 'sold-out', status: 'processed' }]);
    await till.work();
    expect(mailsTo(slow)).toEqual(['payment-refused', 'refund-processed']);
    const seen = await as(
      database.sql,
      { userId: slow },
      (sql) => sql`select order_id, status, reason from public.my_refunds()`,
    );
    expect(seen).toEqual([{ order_id: null, status: 'processed', reason: 'sold-out' }]);
    const others = await as(database.sql, { userId: quick }, (sql) => sql`select * from public.my_refunds()`);
    expect(others).toEqual([]);
  });

  test('captured after the reservation expired while there is stock: still an order', async () => {
    const customer = await till.customer();
    const sweet = await product(5);
    const { orderId } = await till.checkout(customer, one(sweet, 2));
    till.later(25);
    await till.work();
    expect((await till.place(customer, await till.pay(orderId))).status).toBe(201);
    expect(await stockOf(sweet)).toEqual([3, 0]);
  });

  test('a second tab that pays for the same things again', async () => {
    const customer = await till.customer();
    const sweet = await product(10);
    const first = await till.checkout(customer, one(sweet, 2));
    const second = await till.checkout(customer, one(sweet, 2));
    const answers = [
      await till.place(customer, await till.pay(first.orderId)),
      await till.place(customer, await till.pay(second.orderId)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 409]);
    await till.work();
    expect(await ordersOf(customer)).toHaveLength(1);
    expect(await refundsOf(customer)).toEqual([{ reason: 'second-payment', status: 'processed' }]);
    expect(await stockOf(sweet)).toEqual([8, 0]);
  });

  test('both tabs paying at the same moment', async () => {
    const customer = await till.customer();
    const sweet = await product(10);
    const first = await till.checkout(customer, one(sweet));
    const second = await till.checkout(customer, one(sweet));
    const paid = await Promise.all([till.pay(first.orderId), till.pay(second.orderId)]);
    const answers = await Promise.all(paid.map((payment) => till.place(customer, payment)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await ordersOf(customer)).toHaveLength(1);
  });

  test('two tabs with different things are two orders', async () => {
    const customer = await till.customer();
    const first = await till.checkout(customer, one(await product(), 1));
    const second = await till.checkout(customer, one(await product(), 2));
    await till.place(customer, await till.pay(first.orderId));
    await till.place(customer, await till.pay(second.orderId));
    expect(await ordersOf(customer)).toHaveLength(2);
  });

  test('the same things bought again later are a second order', async () => {
    const customer = await till.customer();
    const sweet = await product();
    for (let n = 0; n < 2; n += 1) {
      const { orderId } = await till.checkout(customer, one(sweet));
      expect((await till.place(customer, await till.pay(orderId))).status).toBe(201);
    }
    expect(await ordersOf(customer)).toHaveLength(2);
  });

  test('an amount that differs from the requested one', async () => {
    const customer = await till.customer();
    const { orderId, quoteId } = await till.checkout(customer, one(await product()));
    await database.sql`update private.quotes set shipping_paise = shipping_paise + 1, total_paise = total_paise + 1 where id = ${quoteId}`;
    expect(code(await till.place(customer, await till.pay(orderId)))).toEqual([409, 'payment-refunded']);
    await till.work();
    expect(await ordersOf(customer)).toEqual([]);
    expect(await refundsOf(customer)).toEqual([{ reason: 'wrong-amount', status: 'processed' }]);
  });
});

describe('placeOrder trusts no input', () => {
  test('a signature of another order, a made-up payment, an empty signature', async () => {
    const customer = await till.customer();
    const mine = await till.checkout(customer, one(await product()));
    const other = await till.checkout(await till.customer(), one(await product()));
    const paid = (await till.pay(other.orderId)) as PaidAnswer;
    const forged = [
      { ...paid, razorpay_order_id: mine.orderId },
      { ...paid, razorpay_payment_id: 'pay_invented' },
      { ...paid, razorpay_signature: paid.razorpay_signature.replace(/.$/, (c) => (c === '0' ? '1' : '0')) },
      { ...paid, razorpay_signature: 'x' },
    ];
    for (const attempt of forged) expect(code(await till.place(customer, attempt))).toEqual([400, 'bad-signature']);
    expect(await ordersOf(customer)).toEqual([]);
  });

  test('another customer’s payment is settled, but not shown', async () => {
    const [payer, thief] = [await till.customer(), await till.customer()];
    const { orderId } = await till.checkout(payer, one(await product()));
    expect(code(await till.place(thief, await till.pay(orderId)))).toEqual([404, 'unknown-order']);
    expect(await ordersOf(payer)).toHaveLength(1);
  });

  test('a provider that cannot be asked: still confirming, and settled later', async () => {
    const customer = await till.customer();
    const { orderId } = await till.checkout(customer, one(await product()));
    const paid = await till.pay(orderId);
    till.simulator.faults.next.push({ match: / \/payments/, fault: '500' });
    const waiting = await till.place(customer, paid);
    expect([waiting.status, waiting.body]).toEqual([202, { status: 'confirming' }]);
    const state = () =>
      as(
        database.sql,
        { userId: customer },
        async (sql) => (await sql`select public.my_checkout(${orderId}) as c`)[0]?.c,
      );
    expect(await state()).toMatchObject({ state: 'confirming' });
    till.later(1);
    await till.work();
    expect(await state()).toMatchObject({
      state: 'ordered',
      order_id: (await ordersOf(customer))[0]?.id,
      items: [{ quantity: 1, line_paise: expect.any(Number) }],
      address: expect.arrayContaining(['400001']),
    });
  });
});

describe('webhooks', () => {
  const hook = async (body: string, signature: string, id = 'evt_1') => {
    const { paymentWebhook } = await import('../functions/paymentWebhook/handler.ts');
    return till.call(paymentWebhook, null, body, { 'x-razorpay-signature': signature, 'x-razorpay-event-id': id });
  };

  test('that are not signed by the provider change nothing', async () => {
    const body = JSON.stringify({ event: 'payment.captured', payload: {} });
    expect(code(await hook(body, ''))).toEqual([400, 'bad-signature']);
    expect(code(await hook(body, 'a'.repeat(64)))).toEqual([400, 'bad-signature']);
    expect(code(await hook('{', 'zz'))).toEqual([400, 'bad-signature']);
  });

  test('of a failed payment make no order', async () => {
    const customer = await till.customer();
    const { orderId } = await till.checkout(customer, one(await product()));
    await till.pay(orderId, { outcome: 'fail', webhook: 'normal' });
    await till.simulator.settled();
    await till.work();
    expect(await ordersOf(customer)).toEqual([]);
    expect((await till.place(customer, await till.pay(orderId))).status).toBe(201);
  });
});

describe('canceling', () => {
  async function boughtBy(customer: string, sweet: number) {
    const { orderId } = await till.checkout(customer, one(sweet, 2));
    const placed = await till.place(customer, await till.pay(orderId));
    return (placed.body as unknown as { order_id: string }).order_id;
  }
  const cancel = (customer: string, id: string) =>
    as(
      database.sql,
      { userId: customer },
      (sql) => sql`update public.orders set status = 'canceled' where id = ${id} returning id`,
    );

  test('refunds the money, releases the stock, and emails the customer', async () => {
    const customer = await till.customer();
    const sweet = await product(10);
    const id = await boughtBy(customer, sweet);
    await cancel(customer, id);
    expect(await stockOf(sweet)).toEqual([10, 0]);
    expect((await ordersOf(customer))[0]).toMatchObject({ status: 'canceled', payment_status: 'refund_pending' });
    await till.work();
    expect((await ordersOf(customer))[0]).toMatchObject({ status: 'canceled', payment_status: 'refunded' });
    await till.work();
    expect(subjectsTo(customer)).toHaveLength(3);
    expect(await refundsOf(customer)).toEqual([{ reason: 'order canceled', status: 'processed' }]);
  });

  test('racing with "Shipped": exactly one wins, the other says why', async () => {
    const administrator = await (await import('../../tests/support/rows.ts')).insertUser(database.sql, {
      administrator: true,
    });
    for (let n = 0; n < 8; n += 1) {
      const customer = await till.customer();
      const id = await boughtBy(customer, await product());
      const step = (status: string) =>
        as(
          database.sql,
          { userId: administrator },
          (sql) => sql`update public.orders set status = ${status} where id = ${id}`,
        );
      await step('Confirmed');
      const race = await Promise.allSettled([
        cancel(customer, id),
        (async () => {
          for (const status of ['Preparing', 'Packed', 'Shipped']) await step(status);
        })(),
      ]);
      expect(race.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const refused = race.find((result) => result.status === 'rejected') as PromiseRejectedResult;
      expect(String(refused.reason)).toMatch(/an order that is \w+ cannot become \w+/);
    }
  });

  test('a refund that the provider fails is seen as failed', async () => {
    const customer = await till.customer();
    const { orderId } = await till.checkout(customer, one(await product()));
    const placed = await till.place(customer, await till.pay(orderId, { outcome: 'pay', refundFails: true }));
    await cancel(customer, (placed.body as unknown as { order_id: string }).order_id);
    await till.work();
    till.later(61);
    await till.work();
    expect((await ordersOf(customer))[0]).toMatchObject({ payment_status: 'refund_failed' });
    expect((await refundsOf(customer)).map(({ status }) => status)).toEqual(['failed', 'queued']);
    for (let day = 0; day < 6; day += 1) {
      till.later(24 * 60 + 61);
      await till.work();
      till.later(61);
      await till.work();
    }
    expect((await refundsOf(customer)).map(({ status }) => status)).toEqual(Array(5).fill('failed'));
    expect((await ordersOf(customer))[0]).toMatchObject({ payment_status: 'refund_failed' });
  });

  test('a refund that is refused today and works tomorrow is made tomorrow', async () => {
    const customer = await till.customer();
    const id = await boughtBy(customer, await product());
    await cancel(customer, id);
    await database.sql`update private.refunds set amount_paise = amount_paise * 100 where order_id = ${id}`;
    await till.work();
    expect((await ordersOf(customer))[0]).toMatchObject({ payment_status: 'refund_failed' });
    await database.sql`update private.refunds set amount_paise = amount_paise / 100 where order_id = ${id}`;
    const seen = await as(database.sql, { userId: customer }, (sql) => sql`select status from public.my_refunds()`);
    expect(seen).toEqual([{ status: 'queued' }]);
    till.later(24 * 60 + 1);
    await till.work();
    expect((await ordersOf(customer))[0]).toMatchObject({ payment_status: 'refunded' });
    expect((await refundsOf(customer)).map(({ status }) => status)).toEqual(['failed', 'processed']);
  });

  test('a provider that is away delays the refund and does not double it', async () => {
    const customer = await till.customer();
    const id = await boughtBy(customer, await product());
    await cancel(customer, id);
    till.simulator.faults.next.push({ match: /refund/, fault: 'hang-after-commit' }, { match: /refund/, fault: '429' });
    for (let n = 0; n < 4; n += 1) {
      await till.work();
      till.later(3);
    }
    expect(await refundsOf(customer)).toEqual([{ reason: 'order canceled', status: 'processed' }]);
    const [{ payment_id } = { payment_id: '' }] = await ordersOf(customer);
    expect((await till.provider.payment(payment_id))?.refundedPaise).toBeGreaterThan(0);
  });
});

test('mail that cannot be sent is tried again, later each time, and sent once', async () => {
  const customer = await till.customer();
  till.breakMail(true);
  const { orderId } = await till.checkout(customer, one(await product()));
  expect((await till.place(customer, await till.pay(orderId))).status).toBe(201);
  for (let n = 0; n < 5; n += 1) {
    await till.work();
    till.later(10);
  }
  till.breakMail(false);
  till.later(60);
  await till.work();
  await till.work();
  expect(subjectsTo(customer)).toHaveLength(1);
});

test('a mail that cannot be made holds up no other, and is given up after three days', async () => {
  const customer = await till.customer();
  await database.sql`insert into private.outbox (kind, key, payload, created_at)
    values ('mail', 'mail:broken', '{"template": "order-placed", "order_id": "no uuid"}', ${new Date(till.clock.at)})`;
  const { orderId } = await till.checkout(customer, one(await product()));
  await till.place(customer, await till.pay(orderId));
  await till.work();
  expect(subjectsTo(customer)).toHaveLength(1);
  const broken = async () =>
    (await database.sql`select done_at, last_error from private.outbox where key = 'mail:broken'`)[0];
  expect(await broken()).toMatchObject({ done_at: null, last_error: expect.stringContaining('uuid') });
  till.later(3 * 24 * 60 + 1);
  await till.work();
  expect((await broken())?.done_at).not.toBeNull();
});

test('a customer who requested a back-in-stock email gets it once', async () => {
  const customer = await till.customer();
  const sweet = await product(0);
  await database.sql`insert into public.notify_subscriptions (product_id, user_id) values (${sweet}, ${customer})`;
  await moveStock(database.sql, sweet, 10, 'production');
  await till.work();
  await moveStock(database.sql, sweet, -10, 'wastage');
  await moveStock(database.sql, sweet, 5, 'production');
  await till.work();
  expect(mailsTo(customer)).toEqual(['back-in-stock']);
  const [mail] = till.mails.filter(({ to }) => to.address === `${customer}@example.com`);
  expect(mail?.html).toContain(`http://shop.test/product/${sweet}`);
});

test.each(['is_listed = false', 'archived_at = now()'])(
  'a back-in-stock email whose product is taken off sale before it is sent (%s) is sent once it is listed again',
  async (change) => {
    const customer = await till.customer();
    const sweet = await product(0);
    const waiting = () => database.sql`select from public.notify_subscriptions where product_id = ${sweet}`;
    await database.sql`insert into public.notify_subscriptions (product_id, user_id) values (${sweet}, ${customer})`;
    await moveStock(database.sql, sweet, 10, 'production');
    expect(await waiting()).toHaveLength(0);
    await database.sql.unsafe(`update public."Products" set ${change} where "Id" = ${sweet}`);
    await till.work();
    expect(mailsTo(customer)).toEqual([]);
    expect(await waiting()).toHaveLength(1);
    await database.sql`update public."Products" set is_listed = true, archived_at = null where "Id" = ${sweet}`;
    await till.work();
    await till.work();
    expect(mailsTo(customer)).toEqual(['back-in-stock']);
    expect(await waiting()).toHaveLength(0);
  },
);

test('200 buyers, 20 pieces: exactly 20 sold, the others get a message', { timeout: 60_000 }, async () => {
  const sweet = await product(20);
  const buyers = await Promise.all(Array.from({ length: 200 }, () => till.customer()));
  const outcomes = await Promise.all(
    buyers.map(async (buyer) => {
      const quote = await till.quote(buyer, one(sweet));
      if (quote.status !== 200) return code(quote)[1];
      const { total, quote_id } = quote.body as unknown as { total: number; quote_id: string };
      const created = await till.create(buyer, total, quote_id);
      if (created.status !== 201) return code(created)[1];
      const placed = await till.place(buyer, await till.pay((created.body as unknown as { id: string }).id));
      return placed.status === 201 ? 'ordered' : code(placed)[1];
    }),
  );
  expect(outcomes.filter((outcome) => outcome === 'ordered')).toHaveLength(20);
  expect(new Set(outcomes)).toEqual(new Set(['ordered', 'not-enough-stock']));
  expect(await stockOf(sweet)).toEqual([0, 0]);
});

test('an address that was never paid for is forgotten after a month', async () => {
  const customer = await till.customer();
  const unpaid = await till.checkout(customer, one(await product()));
  till.later(25);
  await till.work();
  const paid = await till.checkout(customer, one(await product(), 2));
  await till.place(customer, await till.pay(paid.orderId));
  till.later(31 * 24 * 60);
  await till.context.db.rpc('sweep', { at: new Date(till.clock.at).toISOString() });
  const left = await database.sql`
    select provider_order_id as id from private.checkouts where provider_order_id in (${unpaid.orderId}, ${paid.orderId})`;
  expect(left).toEqual([{ id: paid.orderId }]);
});

test('stale quotes are swept away, those of checkouts are kept', async () => {
  const customer = await till.customer();
  const { quoteId } = await till.checkout(customer, one(await product()));
  const stale = (await till.quote(customer, one(await product()))).body as unknown as { quote_id: string };
  till.later(90);
  await till.context.db.rpc('sweep', { at: new Date(till.clock.at).toISOString() });
  const left = await database.sql`select id from private.quotes where id in (${quoteId}, ${stale.quote_id})`;
  expect(left).toEqual([{ id: quoteId }]);
  await till.work();
});
