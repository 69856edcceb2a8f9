// A payment provider that is slow, fails or lies. What single answers do is proven in adapters/payments and in the tests of
// the checkout; here it is whole outages, as a customer goes through them.
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import type { PaymentProvider, ProviderPayment } from '../../adapters/payments/provider.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertProduct, insertZone } from '../../tests/support/rows.ts';
import { openTill, type PaidAnswer, type Till } from '../../tests/support/till.ts';

let database: TestDatabase;
let till: Till;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  till = openTill(database.connection, database.sql);
  await insertZone(database.sql, { prefixes: ['400'] });
});
afterEach(async () => {
  till.simulator.faults.next = [];
  till.context.payments = till.provider;
  await till.expectCleanBooks();
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

const newSweet = (stock = 10) => insertProduct(database.sql, { price: 100, stock });
const one = (productId: number) => [{ productId, quantity: 1, size: 500 as const }];
const ordersOf = (customer: string) => database.sql`select status from public.orders where user_id = ${customer}`;
const stateOf = (customer: string, orderId: string) =>
  as(database.sql, { userId: customer }, async (sql) => {
    const [row] = await sql`select public.my_checkout(${orderId}) as checkout`;
    return row?.checkout?.state;
  });

test.each(['timeout', '500', 'garbage'] as const)(
  'while the provider answers nothing but %s for an hour no payment can be started, the message says so, a customer who had paid reads “Confirming your payment”, then “We haven’t received your payment yet”, and has the order when it is over',
  async (fault) => {
    const [early, late] = [await till.customer(), await till.customer()];
    const sweet = await newSweet();
    const { orderId } = await till.checkout(early, one(sweet));
    const paid = await till.pay(orderId);
    const outage = () => {
      till.simulator.faults.next = Array.from({ length: 50 }, () => ({ match: /./, fault }));
    };
    outage();
    const placed = await till.place(early, paid);
    expect([placed.status, placed.body]).toEqual([202, { status: 'confirming' }]);
    expect(await stateOf(early, orderId)).toBe('confirming');
    const quoted = await till.quote(late, one(sweet));
    const { total, quote_id } = quoted.body as unknown as { total: number; quote_id: string };
    const refused = await till.create(late, total, quote_id);
    expect([refused.status, refused.body]).toEqual([
      503,
      {
        error: {
          code: 'payments-away',
          message: 'We can’t take payments right now. Nothing was charged. Please try again in a minute.',
        },
      },
    ]);
    for (let minute = 0; minute < 60; minute += 31) {
      till.later(31);
      outage();
      await till.work();
    }
    expect(await ordersOf(early)).toEqual([]);
    expect(await stateOf(early, orderId)).toBe('lapsed');
    till.simulator.faults.next = [];
    for (let minute = 0; minute < 90; minute += 30) {
      await till.work();
      till.later(30);
    }
    expect(await ordersOf(early)).toEqual([{ status: 'Pending' }]);
    expect(await stateOf(early, orderId)).toBe('ordered');
    expect(await database.sql`select on_hand, reserved from public.stock_levels where product_id = ${sweet}`).toEqual([
      { on_hand: 9, reserved: 0 },
    ]);
  },
);

/** Asked about payments it answers something else than the truth. */
function lying(change: (payment: ProviderPayment) => Partial<ProviderPayment>): PaymentProvider {
  return {
    ...till.provider,
    payment: async (id) => {
      const payment = await till.provider.payment(id);
      return payment && { ...payment, ...change(payment) };
    },
  };
}

test.each<[string, (payment: ProviderPayment) => Partial<ProviderPayment>, number, string]>([
  ['less money', ({ amountPaise }) => ({ amountPaise: amountPaise - 1 }), 409, 'payment-refunded'],
  ['more money', ({ amountPaise }) => ({ amountPaise: amountPaise * 10 }), 409, 'payment-refunded'],
  ['another currency', () => ({ currency: 'USD' }), 409, 'payment-refunded'],
  ['another order', () => ({ orderId: 'order_of_somebody_else' }), 400, 'bad-signature'],
])(
  'a provider that reports %s: the customer gets a message immediately, and no order is placed',
  async (_what, change, status, code) => {
    const customer = await till.customer();
    const { orderId } = await till.checkout(customer, one(await newSweet()));
    const paid = await till.pay(orderId);
    till.context.payments = lying(change);
    const placed = await till.place(customer, paid);
    expect([placed.status, placed.body.error?.code]).toEqual([status, code]);
    expect(await ordersOf(customer)).toEqual([]);
  },
);

test('a provider that says a payment failed and then that it was captured: the customer has the order, once', async () => {
  const customer = await till.customer();
  const { orderId } = await till.checkout(customer, one(await newSweet()));
  const paid = (await till.pay(orderId)) as PaidAnswer;
  till.context.payments = lying(() => ({ status: 'failed' }));
  expect((await till.place(customer, paid)).status).toBe(202);
  expect(await ordersOf(customer)).toEqual([]);
  till.context.payments = till.provider;
  till.later(1);
  await till.work();
  expect((await till.place(customer, paid)).status).toBe(201);
  expect(await ordersOf(customer)).toHaveLength(1);
});
