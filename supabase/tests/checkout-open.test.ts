import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { paymentWindowMinutes } from '../../domain/checkout/hold-times.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertProduct, insertUser, insertZone } from '../../tests/support/rows.ts';
import { type Answer, openTill, type Till } from '../../tests/support/till.ts';

let database: TestDatabase;
let till: Till;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  till = openTill(database.connection, database.sql);
  await insertZone(database.sql, { prefixes: ['400', '411'] });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
  await database.drop();
});

const product = (stock = 100, price = 100) => insertProduct(database.sql, { price, stock });
const one = (productId: number, quantity = 1) => [{ productId, quantity, size: 500 as const }];
const code = ({ status, body }: Answer) => [status, body.error?.code];

async function stockOf(productId: number) {
  const [row] = await database.sql<{ on_hand: number; reserved: number }[]>`
    select on_hand, reserved from public.stock_levels where product_id = ${productId}`;
  return [row?.on_hand, row?.reserved];
}

async function quoted(customer: string, productId: number, quantity = 1, options = {}) {
  const { body } = await till.quote(customer, one(productId, quantity), options);
  return body as unknown as { total: number; quote_id: string };
}

test('returns what the payment widget needs, and reserves the stock', async () => {
  const customer = await till.customer();
  const sweet = await product(10);
  const { total, quote_id } = await quoted(customer, sweet, 3);
  const { status, body } = await till.create(customer, total, quote_id);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    id: expect.stringMatching(/^order_/),
    currency: 'INR',
    amount: Math.round(total * 100),
    provider: 'test',
    key: 'rzp_test_till',
    name: 'Mithaas',
    prefill: { name: 'Meera Till', email: `${customer}@example.com`, contact: '9820012345' },
    timeout: paymentWindowMinutes * 60,
  });
  expect(await stockOf(sweet)).toEqual([10, 3]);
});

describe('tampering is refused, and nothing is written', () => {
  test.each([
    ['a smaller amount', (total: number) => total - 1, 'amount-mismatch'],
    ['a larger amount', (total: number) => total + 0.01, 'amount-mismatch'],
  ])('%s', async (_name, change, reason) => {
    const customer = await till.customer();
    const sweet = await product();
    const { total, quote_id } = await quoted(customer, sweet);
    const [before] = await database.sql`select count(*)::int as checkouts from private.checkouts`;
    expect(code(await till.create(customer, change(total), quote_id))).toEqual([409, reason]);
    expect(code(await till.create(customer, change(total)))).toEqual([409, 'no-quote']);
    expect(await stockOf(sweet)).toEqual([100, 0]);
    expect((await database.sql`select count(*)::int as checkouts from private.checkouts`)[0]).toEqual(before);
  });

  test('another customer’s quote', async () => {
    const [owner, thief] = [await till.customer(), await till.customer()];
    const { total, quote_id } = await quoted(owner, await product());
    expect(code(await till.create(thief, total, quote_id))).toEqual([409, 'no-quote']);
  });

  test.each([
    { amount: '100', currency: 'INR' },
    { amount: 100.001, currency: 'INR' },
    { amount: -100, currency: 'INR' },
    { amount: 0, currency: 'INR' },
    { amount: 1e12, currency: 'INR' },
    { amount: 100, currency: 'USD' },
    { amount: 100 },
    { amount: 100, currency: 'INR', quote_id: 'x' },
    { amount: 100, currency: 'INR', user_id: 'x' },
    null,
  ])('%j', async (body) => {
    const { createOrder } = await import('../functions/createOrder/handler.ts');
    expect(code(await till.call(createOrder, await till.customer(), body))).toEqual([400, 'invalid-body']);
  });

  test('without a session', async () => {
    const { status, body } = await till.create(null, 100);
    expect([status, body.error?.message]).toEqual([401, 'You need to log in to proceed with the purchase.']);
  });
});

describe('the quote', () => {
  test('is found by its amount when it is not named', async () => {
    const customer = await till.customer();
    const { total } = await quoted(customer, await product());
    expect((await till.create(customer, total)).status).toBe(201);
  });

  test('must be named when two that differ cost the same', async () => {
    const customer = await till.customer();
    const { total } = await quoted(customer, await product());
    const other = await quoted(customer, await product());
    expect(code(await till.create(customer, total))).toEqual([409, 'ambiguous-amount']);
    expect((await till.create(customer, total, other.quote_id)).status).toBe(201);
  });

  test('expires after fifteen minutes', async () => {
    const customer = await till.customer();
    const { total, quote_id } = await quoted(customer, await product());
    till.later(15);
    expect(code(await till.create(customer, total, quote_id))).toEqual([409, 'quote-expired']);
    expect(code(await till.create(customer, total))).toEqual([409, 'no-quote']);
  });

  test('keeps its price while it lives', async () => {
    const customer = await till.customer();
    const sweet = await product();
    const { total, quote_id } = await quoted(customer, sweet);
    await database.sql`update public."Products" set "Price" = 500 where "Id" = ${sweet}`;
    const created = await till.create(customer, total, quote_id);
    expect(created.body).toMatchObject({ amount: Math.round(total * 100) });
  });
});

describe('the address', () => {
  test.each([
    ['phone', 'Update mobile number'],
    ['street', 'Update address'],
    ['zip', 'Update address'],
  ])('without %s is not enough', async (field, message) => {
    const customer = await till.customer();
    const { total, quote_id } = await quoted(customer, await product());
    await database.sql`update public.user_profiles set ${database.sql({ [field]: '' })} where user_id = ${customer}`;
    const { status, body } = await till.create(customer, total, quote_id);
    expect([status, body.error]).toEqual([409, { code: 'address-incomplete', message }]);
  });

  test('of a customer without a profile is missing completely', async () => {
    const customer = await insertUser(database.sql);
    const { total, quote_id } = await quoted(customer, await product());
    const { body } = await till.create(customer, total, quote_id);
    expect(body.error?.message).toBe('Update mobile number and address');
  });

  test('must be where the quote was made for', async () => {
    const customer = await till.customer();
    const { total, quote_id } = await quoted(customer, await product());
    await database.sql`update public.user_profiles set zip = '411001' where user_id = ${customer}`;
    expect(code(await till.create(customer, total, quote_id))).toEqual([409, 'address-changed']);
  });

  test('is not needed by a customer who collects the order', async () => {
    const customer = await till.customer();
    const sweet = await product();
    await database.sql`update public."Products" set "Category" = 'Takeaway' where "Id" = ${sweet}`;
    await database.sql`update public.user_profiles set street = '' where user_id = ${customer}`;
    const { total, quote_id } = await quoted(customer, sweet, 1, { fulfilment: 'pickup' });
    expect((await till.create(customer, total, quote_id)).status).toBe(201);
  });
});

test('a blocked customer is refused', async () => {
  const customer = await till.customer();
  const { total, quote_id } = await quoted(customer, await product());
  await database.sql`insert into private.customer_records (user_id, blocked_at) values (${customer}, now())`;
  expect(code(await till.create(customer, total, quote_id))).toEqual([403, 'blocked']);
});

test('a product that left the shop since the quote is refused', async () => {
  const customer = await till.customer();
  const sweet = await product();
  const { total, quote_id } = await quoted(customer, sweet);
  await database.sql`update public."Products" set archived_at = now() where "Id" = ${sweet}`;
  expect(code(await till.create(customer, total, quote_id))).toEqual([409, 'not-available']);
});

test('ten simultaneous clicks open one checkout', async () => {
  const customer = await till.customer();
  const sweet = await product(10);
  const { total, quote_id } = await quoted(customer, sweet, 2);
  const answers = await Promise.all(Array.from({ length: 10 }, () => till.create(customer, total, quote_id)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ body }) => (body as { id?: string }).id)).size).toBe(1);
  expect(await stockOf(sweet)).toEqual([10, 2]);
});

test('a refused checkout leaves the earlier one as it was', async () => {
  const customer = await till.customer();
  const [kept, scarce] = [await product(5), await product(1)];
  const { total, quote_id } = await quoted(customer, scarce);
  await till.checkout(customer, one(kept, 3));
  await till.checkout(await till.customer(), one(scarce));
  expect(code(await till.create(customer, total, quote_id))).toEqual([409, 'not-enough-stock']);
  expect(await stockOf(kept)).toEqual([5, 3]);
});

test('the sixth checkout of a minute waits', async () => {
  const customer = await till.customer();
  const answers: Answer[] = [];
  for (let n = 1; n <= 6; n += 1) {
    const { total, quote_id } = await quoted(customer, await product(100, n * 10));
    answers.push(await till.create(customer, total, quote_id));
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429]);
});

describe('the provider', () => {
  test('that is unreachable is reported, and retried with the same checkout', async () => {
    const customer = await till.customer();
    const sweet = await product(5);
    const { total, quote_id } = await quoted(customer, sweet, 2);
    till.simulator.faults.next.push({ match: / \/orders/, fault: '500' }, { match: / \/orders/, fault: '500' });
    const away = await till.create(customer, total, quote_id);
    expect(code(away)).toEqual([503, 'payments-away']);
    expect((await till.create(customer, total, quote_id)).status).toBe(201);
    expect(await stockOf(sweet)).toEqual([5, 2]);
  });

  test('that hangs after making the order is not made to make a second', async () => {
    const customer = await till.customer();
    const { total, quote_id } = await quoted(customer, await product(5));
    till.simulator.faults.next.push({ match: /^POST \/orders/, fault: 'hang-after-commit' });
    const created = await till.create(customer, total, quote_id);
    expect(created.status).toBe(201);
    const [row] = await database.sql`select id from private.checkouts where quote_id = ${quote_id}`;
    const found = await till.provider.orderFor(row?.id, Math.round(total * 100));
    expect(found.id).toBe((created.body as { id?: string }).id);
  });
});
