// Money with offers, in generated orders: the split over lines and tax, invoices, refunds and credit notes to the paisa; and that
// domain/offers calculates the same as the database.
import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { bestOffers, calculateOffers, cartProblem } from '../../domain/offers/calculate.ts';
import type { Offer, OfferKind } from '../../domain/offers/offer.ts';
import { statementsFromBooks } from '../../tests/support/books.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertOffer } from '../../tests/support/offers.ts';
import { fuzzSeed } from '../../tests/support/properties.ts';
import { insertProduct, insertUser, insertZone } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
let products: { id: number; pricePaise: number; gst: number; category: string; hasSize: boolean }[];

const goods = [
  { price: 180.5, gst: 5, category: 'Laddu', hasSize: true },
  { price: 33.33, gst: 12, category: 'Laddu', hasSize: false },
  { price: 1.01, gst: 18, category: 'Gift', hasSize: false },
  { price: 999.95, gst: 18, category: 'Gift', hasSize: false },
  { price: 120, gst: 0, category: 'Takeaway', hasSize: false },
  { price: 47.11, gst: 2.5, category: 'Takeaway', hasSize: true },
] as const;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  await insertZone(sql, { prefixes: ['400'] });
  await sql`update public.shop_settings set state = 'Maharashtra', gstin = '27AAAAA0000A1Z5'`;
  products = [];
  for (const { price, gst, category, hasSize } of goods) {
    const id = await insertProduct(sql, { price, category, hasSize, stock: 900_000_000 });
    await sql`update public."Products" set gst_percent = ${gst}, weight_grams = 100 where "Id" = ${id}`;
    products.push({ id, pricePaise: Math.round(price * 100), gst, category, hasSize });
  }
});
afterAll(() => database.drop());

const anyOffer = fc.record({
  kind: fc.constantFrom<OfferKind>('percent', 'percent', 'amount', 'free-delivery'),
  percent: fc.integer({ min: 1, max: 100 }),
  amountPaise: fc.constantFrom(100, 1_001, 5_000, 33_333, 900_000),
  maxDiscountPaise: fc.constantFrom(null, null, 100, 4_999),
  minOrderPaise: fc.constantFrom(0, 0, 10_000, 50_000),
  categories: fc.subarray(['Laddu', 'Gift'], { maxLength: 1 }),
  combines: fc.boolean(),
});
const anyLine = fc.record({
  product: fc.integer({ min: 0, max: goods.length - 1 }),
  quantity: fc.integer({ min: 1, max: 6 }),
  isLarge: fc.boolean(),
});
const anyCart = fc.record({
  lines: fc.array(anyLine, { minLength: 1, maxLength: 5 }),
  code: fc.option(anyOffer, { freq: 6 }),
  /** Where a refund cuts what is left. */
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }),
});
/** Carts that meet the same automatic offers. */
const anyBatch = fc.record({
  automatic: fc.array(anyOffer, { maxLength: 2 }),
  carts: fc.array(anyCart, { minLength: 20, maxLength: 20 }),
});

type Wish = typeof anyOffer extends fc.Arbitrary<infer Value> ? Value : never;
type Cart = typeof anyCart extends fc.Arbitrary<infer Value> ? Value : never;

let codes = 0;
async function make(wish: Wish, hasCode: boolean): Promise<Offer> {
  codes += 1;
  const code = hasCode ? `CODE${codes}` : null;
  const fits = {
    ...wish,
    percent: wish.kind === 'percent' ? wish.percent : null,
    amountPaise: wish.kind === 'amount' ? wish.amountPaise : null,
    maxDiscountPaise: wish.kind === 'percent' ? wish.maxDiscountPaise : null,
    code,
    name: `Offer ${codes}`,
  };
  return { ...fits, id: await insertOffer(sql, fits) };
}

type Quote = {
  ok: boolean;
  reason?: string;
  quote_id: string;
  sub_total_paise: number;
  discount_paise: number;
  tax_paise: number;
  shipping_paise: number;
  total_paise: number;
  offers: { offer_id: number; discount_paise: number; shipping_paise: number }[];
  code_problem: { reason: string } | null;
};
type PricedLine = {
  line_paise: number;
  discount_paise?: number;
  tax_paise: number;
  gst_percent: number;
  product_id: number;
};

/** Halves away from zero, exactly, as PostgreSQL rounds. */
const taxOf = (paise: number, gst: number) =>
  Number((BigInt(paise) * BigInt(Math.round(gst * 100)) * 2n + 10_000n) / 20_000n);

/** What the database should have made of a cart, by the rules of domain/offers. */
function expectTwin(quote: Quote, lines: PricedLine[], code: Offer | null, automatic: Offer[]): void {
  const priced = lines.map(({ line_paise, product_id }) => ({
    paise: line_paise,
    category: products.find(({ id }) => id === product_id)?.category ?? '',
  }));
  const charge = 4_000;
  const fitting = [...automatic, ...(code ? [code] : [])].filter(
    (offer) => cartProblem(offer, priced, charge) === null,
  );
  const best = bestOffers(fitting, priced, charge);
  const { discounts, effects } = calculateOffers(priced, charge, best);
  expect(quote.offers).toMatchObject(
    effects.map(({ offerId, discountPaise, shippingPaise }) => ({
      offer_id: offerId,
      discount_paise: discountPaise,
      shipping_paise: shippingPaise,
    })),
  );
  expect(lines.map(({ discount_paise = 0 }) => discount_paise)).toEqual(discounts);
  const problem = code && (cartProblem(code, priced, charge) ?? (best.includes(code) ? null : 'better-offer'));
  expect(quote.code_problem?.reason ?? null).toBe(problem);
}

function expectSums(quote: Quote, lines: PricedLine[]): void {
  const sum = (of: (line: PricedLine) => number) => lines.reduce((total, line) => total + of(line), 0);
  expect(sum(({ line_paise }) => line_paise)).toBe(quote.sub_total_paise);
  expect(sum(({ discount_paise = 0 }) => discount_paise)).toBe(quote.discount_paise);
  for (const { line_paise, discount_paise = 0, tax_paise, gst_percent } of lines) {
    expect(discount_paise).toBeGreaterThanOrEqual(0);
    expect(discount_paise).toBeLessThanOrEqual(line_paise);
    expect(tax_paise).toBe(taxOf(line_paise - discount_paise, gst_percent));
  }
  expect(sum(({ tax_paise }) => tax_paise)).toBe(quote.tax_paise);
  expect(quote.total_paise).toBe(quote.sub_total_paise - quote.discount_paise + quote.tax_paise + quote.shipping_paise);
  expect(quote.total_paise).toBeGreaterThanOrEqual(100);
}

/** Orders the carts of a batch, packs them, and refunds them piece by piece until nothing is left. */
async function tryBatch(carts: readonly Cart[], automaticWishes: readonly Wish[], clock: Date): Promise<number> {
  const automatic: Offer[] = [];
  for (const wish of automaticWishes) automatic.push(await make(wish, false));
  const buyers: { id: string; code: Offer | null; cart: Cart }[] = [];
  for (const cart of carts) {
    const id = await insertUser(sql);
    await sql`insert into public.user_profiles (user_id, phone, building_no, street, city, state, zip)
      values (${id}, '9820012345', '4B', 'Ranade Road', 'Mumbai', 'Maharashtra', '400001')`;
    buyers.push({ id, cart, code: cart.code && (await make(cart.code, true)) });
  }
  const at = clock.toISOString();
  const linesOf = ({ lines }: Cart) =>
    lines.flatMap(({ product, quantity, isLarge }) => {
      const found = products[product];
      return found ? [{ product_id: found.id, quantity, size: found.hasSize && isLarge ? 1000 : 500 }] : [];
    });
  const quoteCalls = buyers.map(({ id, code, cart }) => ({
    customer_id: id,
    lines: linesOf(cart),
    pincode: '400001',
    source: 'cart',
    fulfilment: 'delivery',
    at,
    code: code?.code ?? null,
  }));
  const [priced] = await sql<{ quotes: Quote[] }[]>`select public.quote_orders(${sql.json(quoteCalls)}) as quotes`;
  const sold: { id: string; quote: Quote; cart: Cart }[] = [];
  for (const [place, quote] of (priced?.quotes ?? []).entries()) {
    const buyer = buyers[place];
    if (!buyer || !quote.ok) {
      // Of a single cheap piece: a total under ₹1 is not sold.
      continue;
    }
    const [row] = await sql<{ lines: PricedLine[] }[]>`select lines from private.quotes where id = ${quote.quote_id}`;
    expectSums(quote, row?.lines ?? []);
    expectTwin(quote, row?.lines ?? [], buyer.code, automatic);
    sold.push({ id: buyer.id, quote, cart: buyer.cart });
  }
  const openCalls = sold.map(({ id, quote }) => ({
    customer_id: id,
    amount_paise: quote.total_paise,
    quote_id: quote.quote_id,
    at,
  }));
  const [opened] = await sql<{ checkouts: { ok: boolean; checkout_id: string }[] }[]>`
    select public.open_checkouts(${sql.json(openCalls)}) as checkouts`;
  const settleCalls = (opened?.checkouts ?? []).map(({ checkout_id }, place) => ({
    provider_order_id: `order_${checkout_id}`,
    payment_id: `pay_${checkout_id}`,
    amount_paise: sold[place]?.quote.total_paise,
    currency: 'INR',
    is_refunded_by_provider: false,
    fee_paise: 100,
    at,
  }));
  for (const { checkout_id } of opened?.checkouts ?? [])
    await sql`select public.attach_provider_order(${checkout_id}, ${`order_${checkout_id}`})`;
  const [settled] = await sql<
    { orders: { order_id: string }[] }[]
  >`select public.settle_payments(${sql.json(settleCalls as never)}) as orders`;
  for (const [place, { order_id }] of (settled?.orders ?? []).entries()) {
    const one = sold[place];
    if (one) await packAndRefund(order_id, one.quote, one.cart.cuts);
  }
  await sql`update private.offers set stopped_at = now() where stopped_at is null`;
  return sold.length;
}

async function packAndRefund(orderId: string, quote: Quote, cuts: readonly number[]): Promise<void> {
  const [order] =
    await sql`select (sub_total * 100)::int as sub_total, (discount * 100)::int as discount, (tax * 100)::int as tax,
    (total_amount * 100)::int as total, payment_id from public.orders where id = ${orderId}`;
  expect(order).toMatchObject({
    sub_total: quote.sub_total_paise,
    discount: quote.discount_paise,
    tax: quote.tax_paise,
    total: quote.total_paise,
  });
  for (const status of ['Confirmed', 'Preparing', 'Packed'])
    await sql`update public.orders set status = ${status} where id = ${orderId}`;
  const [invoice] =
    await sql`select total_paise::int as total, lines from private.invoices where order_id = ${orderId}`;
  expect(invoice?.total).toBe(quote.total_paise);
  const discounts = ((invoice?.lines ?? []) as { discount_paise?: number }[]).reduce(
    (sum, line) => sum + (line.discount_paise ?? 0),
    0,
  );
  expect(discounts).toBe(quote.discount_paise);

  const refund = async (paise: number, item: string | null) => {
    const [row] = await sql`
      select private.new_refund(${order?.payment_id}, ${orderId}, ${paise}, 'damaged', now(), now(), order_item_id => ${item}) as id`;
    await sql`select public.record_refund(${row?.id}, ${`rfnd_${row?.id}`}, 'processed')`;
  };
  // One line gives back what was paid for it: its price less its discount, and its tax.
  const items = await sql<
    { id: string; paise: string }[]
  >`select order_item_id as id, paise from private.refundable_lines(${orderId})`;
  const [paid] = await sql<{ paise: string }[]>`
    select sum(private.line_paise(i.unit_price, i.size, i.quantity) - i.discount * 100) + ${quote.tax_paise}::bigint as paise
    from public.order_items i where i.order_id = ${orderId}`;
  expect(items.reduce((sum, { paise }) => sum + Number(paise), 0)).toBe(Number(paid?.paise));
  const [first] = items;
  if (first && Number(first.paise) > 0) await refund(Number(first.paise), first.id);
  let left = quote.total_paise - Number(first?.paise ?? 0);
  for (const cut of [...cuts, 1]) {
    const part = Math.round(left * cut);
    if (part > 0) await refund(part, null);
    left -= part;
  }
  const [sums] = await sql`
    select sum(n.total_paise)::int as credited, sum(n.taxable_paise)::int as taxable, sum(n.cgst_paise + n.sgst_paise + n.igst_paise)::int as tax,
           min(i.taxable_paise)::int as sold_taxable, min(i.cgst_paise + i.sgst_paise + i.igst_paise)::int as sold_tax,
           (select sum(r.amount_paise) from private.refunds r where r.order_id = ${orderId})::int as refunded
    from private.credit_notes n join private.invoices i on i.id = n.invoice_id where i.order_id = ${orderId}`;
  expect(sums).toMatchObject({
    credited: quote.total_paise,
    refunded: quote.total_paise,
    taxable: sums?.sold_taxable,
    tax: sums?.sold_tax,
  });
}

test('generated orders with offers are exact from the quote to the last credit note', async () => {
  const batches = fc.sample(anyBatch, { numRuns: process.env.SOAK ? 500 : 10, seed: fuzzSeed });
  const clock = new Date();
  let orders = 0;
  for (const { automatic, carts } of batches) orders += await tryBatch(carts, automatic, clock);
  expect(orders).toBeGreaterThan(batches.length * 15);
  const [used] =
    await sql`select count(*) filter (where discount > 0)::int as discounted, count(*) filter (where shipping_charge = 0)::int as free
    from public.orders`;
  expect(used?.discounted).toBeGreaterThan(orders / 4);
  expect(used?.free).toBeGreaterThan(0);
  expect(await sql`select * from public.check_invariants()`).toEqual([]);

  // The profit and loss of the month says the same as the books: goods as listed, discounts, and what came back of the rest.
  const [month, statement] = [...(await statementsFromBooks(sql))][0] ?? [];
  const [row] =
    await sql`select * from private.profit_and_loss(${`${month}-01`}::date, (${`${month}-01`}::date + interval '1 month')::date - 1)`;
  expect(statement?.discount).toBeGreaterThan(0);
  expect(
    [row?.goods_paise, row?.discount_paise, row?.refunded_paise, row?.shipping_tax_paise, row?.profit_paise].map(
      Number,
    ),
  ).toEqual([statement?.goods, statement?.discount, statement?.refunded, statement?.shippingTax, statement?.profit]);
  expect(Number(row?.net_sales_paise)).toBe(
    Number(row?.goods_paise) - Number(row?.discount_paise) - Number(row?.refunded_paise),
  );
}, 3_600_000);
