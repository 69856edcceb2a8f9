import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { randomNumbers } from '../../tests/support/random.ts';
import { foodFacts, insertProduct, insertUser, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';

let database: TestDatabase;
let till: Till;
let customer: string;
let laddu: number;
let box: number;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  till = openTill(database.connection, database.sql);
  await insertZone(database.sql, { prefixes: ['400'], firstKg: 40, extraKg: 15, maxDays: 2 });
  await insertZone(database.sql, { prefixes: ['40', '41'], firstKg: 60, extraKg: 25, maxDays: 3 });
  customer = await till.customer();
  laddu = await insertProduct(database.sql, { name: 'Besan Laddu', price: 249.5, hasSize: true, stock: 20_000 });
  box = await insertProduct(database.sql, { name: 'Diwali Box', price: 999, stock: 3 });
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

const of = (productId: number, quantity = 1, size: 500 | 1000 = 500) => ({ productId, quantity, size });
const code = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code];

describe('a quote', () => {
  test('prices by weight, with tax and the zone’s shipping, exactly', async () => {
    const { status, body } = await till.quote(customer, [of(laddu, 3, 1000)]);
    expect(status).toBe(200);
    expect(body).toMatchObject({ sub_total: 1497, tax: 74.85, shipping_rate: 40 + 2 * 15, total: 1641.85 });
    expect(Object.keys(body).sort()).toEqual(
      [
        'delivery_by',
        'discount',
        'expires_at',
        'offers',
        'quote_id',
        'shipping_rate',
        'shipping_tax',
        'sub_total',
        'tax',
        'total',
      ].sort(),
    );
  });

  test('charges ₹40 for shipping from the cart, to any address', async () => {
    for (const pincode of ['400001', '411001'])
      expect((await till.quote(customer, [of(laddu, 3, 1000)], { pincode, source: 'cart' })).body).toMatchObject({
        shipping_rate: 40,
      });
  });

  test('knows the nearest zone: the longest prefix', async () => {
    expect((await till.quote(customer, [of(laddu)], { pincode: '411001' })).body).toMatchObject({ shipping_rate: 60 });
  });

  test('adds lines of the same kind together before it counts them', async () => {
    const merged = await till.quote(customer, [of(laddu, 12), of(laddu, 13)]);
    expect(merged.body).toMatchObject({ sub_total: 249.5 * 25 });
    expect(code(await till.quote(customer, [of(laddu, 13), of(laddu, 13)]))).toEqual([400, 'too-many']);
  });

  test('is good for fifteen minutes', async () => {
    const { body } = await till.quote(customer, [of(laddu)]);
    expect(new Date(String(body.expires_at)).getTime() - till.clock.at).toBe(15 * 60_000);
  });

  test('accepts product ids and sizes as text, as cookies hold them', async () => {
    const { status } = await till.quote(customer, [{ productId: String(laddu), quantity: 1, size: '500' } as never]);
    expect(status).toBe(200);
  });
});

describe('refuses with a sentence', () => {
  test.each([
    [
      '400 g more than there are',
      () => [of(laddu, 25, 1000)],
      409,
      'not-enough-stock',
      'Only 20000 g of Besan Laddu left in stock.',
    ],
    ['more boxes than there are', () => [of(box, 4)], 409, 'not-enough-stock', 'Only 3 of Diwali Box left in stock.'],
    [
      'a product that is not there',
      () => [of(999_999)],
      404,
      'unknown-product',
      'One of your items is no longer available.',
    ],
    [
      'a kilo of what comes by the piece',
      () => [of(box, 1, 1000)],
      400,
      'size-not-offered',
      'Diwali Box comes in one size only.',
    ],
  ])('%s', async (_name, lines, status, reason, message) => {
    const answer = await till.quote(customer, lines());
    // What is short is named, so that the rest can be priced without it.
    const named = reason === 'not-enough-stock' ? { lines: [{ product_id: lines()[0]?.productId, message }] } : {};
    expect([answer.status, answer.body.error]).toEqual([status, { code: reason, message, ...named }]);
  });

  test('more than 30 kg', async () => {
    const [a, b] = [
      await insertProduct(database.sql, { hasSize: true, stock: 25_000 }),
      await insertProduct(database.sql, { hasSize: true, stock: 25_000 }),
    ];
    expect(code(await till.quote(customer, [of(a, 15, 1000), of(b, 16, 1000)]))).toEqual([409, 'too-heavy']);
    expect((await till.quote(customer, [of(a, 15, 1000), of(b, 15, 1000)])).status).toBe(200);
  });

  test('a pincode outside every zone, by name', async () => {
    const { status, body } = await till.quote(customer, [of(laddu)], { pincode: '744101' });
    expect([status, body.error?.message]).toEqual([409, 'We don’t deliver to 744101 yet.']);
  });

  test.each(['', '40001', '4000011', 'abcdef', '040001', '４００００１', '400 01'])(
    'the pincode "%s"',
    async (pincode) => {
      const { status, body } = await till.quote(customer, [of(laddu)], { pincode });
      expect([status, body.error?.message]).toEqual([
        400,
        'Please update your address with a valid pincode to calculate shipping.',
      ]);
    },
  );

  test('pick-up of a product that is not takeaway', async () => {
    expect(code(await till.quote(customer, [of(laddu)], { fulfilment: 'pickup' }))).toEqual([
      409,
      'pickup-not-offered',
    ]);
    await database.sql`update public."Products" set "Category" = 'Takeaway' where "Id" = ${box}`;
    expect((await till.quote(customer, [of(box)], { fulfilment: 'pickup' })).body).toMatchObject({
      shipping_rate: 0,
      delivery_by: null,
    });
    expect((await till.quote(customer, [of(box)])).body).toMatchObject({ shipping_rate: 40 });
  });

  test('products that are hidden or archived', async () => {
    const hidden = await insertProduct(database.sql, { name: 'Hidden Halwa', listed: false });
    expect(code(await till.quote(customer, [of(hidden)]))).toEqual([409, 'not-available']);
  });

  test('visitors', async () => {
    const { status, body } = await till.quote(null, [of(laddu)]);
    expect([status, body.error?.message]).toEqual([401, 'You need to log in to calculate totals.']);
  });

  test('the sixty-first quote of a minute', async () => {
    const busy = await till.customer();
    const answers = await Promise.all(Array.from({ length: 61 }, () => till.quote(busy, [of(laddu)])));
    expect(answers.map(code).filter(([status]) => status !== 200)).toEqual([[429, 'too-many-quotes']]);
    till.later(1);
    expect((await till.quote(busy, [of(laddu)])).status).toBe(200);
  });

  test.each([
    null,
    [],
    {},
    { orders: [], delivery: { pincode: '400001' } },
    { orders: [{ productId: 1, quantity: 0, size: 500 }], delivery: { pincode: '400001' } },
    { orders: [{ productId: 1, quantity: 1.5, size: 500 }], delivery: { pincode: '400001' } },
    { orders: [{ productId: 1, quantity: 26, size: 500 }], delivery: { pincode: '400001' } },
    { orders: [{ productId: 1, quantity: 1, size: 250 }], delivery: { pincode: '400001' } },
    { orders: [{ productId: -1, quantity: 1, size: 500 }], delivery: { pincode: '400001' } },
    { orders: [{ productId: 1, quantity: 1, size: 500, unit_price: 1 }], delivery: { pincode: '400001' } },
    { orders: [{ productId: 1, quantity: 1, size: 500 }], delivery: { pincode: '400001' }, total: 1 },
    { orders: [{ productId: 1, quantity: 1, size: 500 }], delivery: { pincode: '400001' }, source: 'manual' },
  ])('%j', async (body) => {
    const { getShippingPrice } = await import('../functions/getShippingPrice/handler.ts');
    expect(code(await till.call(getShippingPrice, customer, body))).toEqual([400, 'invalid-body']);
  });
});

test('stock reserved by a customer’s checkout can be quoted again by that customer', async () => {
  const last = await insertProduct(database.sql, { price: 100, stock: 2 });
  const [first, second] = [await till.customer(), await till.customer()];
  await till.checkout(first, [of(last, 2)]);
  expect((await till.quote(first, [of(last, 2)])).status).toBe(200);
  expect((await till.quote(second, [of(last, 1)])).body.error?.message).toMatch(/has just sold out/);
});

const generatedCarts = process.env.SOAK ? 10_000 : 1_000;
test(`${generatedCarts} generated carts cost what exact arithmetic says`, { timeout: 120_000 }, async () => {
  const { sql } = database;
  const random = randomNumbers(20261116);
  const whole = (below: number) => Math.floor(random() * below);
  const products = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const price = `${1 + whole(3000)}.${String(whole(100)).padStart(2, '0')}`;
      const gst = ['0', '5', '12', '18', '0.25', '28', '3.33'][whole(7)] ?? '5';
      const hasSize = random() < 0.5;
      const [row] = await sql<{ id: string }[]>`
        insert into public."Products" ${sql({ ...foodFacts, Name: `Generated ${whole(1e9)} ${price}`, Price: price, Category: 'Gift', hasSize, is_listed: true, gst_percent: gst, weight_grams: 10 + whole(150) })}
        returning "Id" as id`;
      await sql`insert into public.stock_movements (product_id, quantity, reason) values (${Number(row?.id)}, 1000000, 'production')`;
      return { id: Number(row?.id), pricePaise: BigInt(price.replace('.', '')), gst, hasSize };
    }),
  );
  const people = await Promise.all(Array.from({ length: 170 }, () => insertUser(sql)));
  const carts = Array.from({ length: generatedCarts }, (_, n) => {
    const chosen = [...products].sort(() => random() - 0.5).slice(0, 1 + whole(6));
    return {
      person: people[n % people.length] ?? '',
      source: random() < 0.5 ? 'cart' : 'direct',
      lines: chosen.map((product) => ({
        product,
        quantity: 1 + whole(product.hasSize ? 4 : 25),
        size: product.hasSize && random() < 0.5 ? 1000 : 500,
      })),
    };
  });
  const asked = carts.map(({ person, source, lines }) => ({
    person,
    source,
    lines: lines.map(({ product, quantity, size }) => ({ product_id: product.id, quantity, size })),
  }));
  // A few hundred per statement: each row of the rate limit scans all earlier versions within the same statement.
  const answers: { answer: Record<string, number | boolean | string> }[] = [];
  for (let start = 0; start < asked.length; start += 500) {
    const some = await sql<typeof answers>`
      select public.quote_order((c.cart ->> 'person')::uuid, c.cart -> 'lines', '400001', c.cart ->> 'source', 'delivery',
                                now() + (${start} + c.n) / 5000 * interval '1 minute') as answer
      from jsonb_array_elements(${sql.json(asked.slice(start, start + 500))}) with ordinality as c (cart, n) order by c.n`;
    answers.push(...some);
  }
  let compared = 0;
  for (const [index, { answer }] of answers.entries()) {
    const cart = carts[index];
    if (!cart || answer.reason === 'too-heavy') continue;
    expect(answer.ok, JSON.stringify(answer)).toBe(true);
    let subTotal = 0n;
    let tax = 0n;
    for (const { product, quantity, size } of cart.lines) {
      const line = (product.pricePaise * BigInt(size) * BigInt(quantity)) / 500n;
      subTotal += line;
      tax += (2n * line * hundredths(product.gst) + 10_000n) / 20_000n;
    }
    const shipping = BigInt(answer.shipping_paise as number);
    if (cart.source === 'cart') expect(shipping).toBe(4000n);
    expect([answer.sub_total_paise, answer.tax_paise, answer.total_paise]).toEqual(
      [subTotal, tax, subTotal + tax + shipping].map(Number),
    );
    compared += 1;
  }
  expect(compared).toBeGreaterThan(0.95 * generatedCarts);
});

/** '3.33' percent as 333 hundredths of a percent. */
function hundredths(percent: string): bigint {
  const [whole = '0', fraction = ''] = percent.split('.');
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'));
}
