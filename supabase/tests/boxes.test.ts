import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { boxFacts } from '../../domain/boxes/box-facts.ts';
import { boxesWithTaxPaise, boxSums } from '../../domain/boxes/box-price.ts';
import { boxPageFrom } from '../../domain/boxes/read-box-page.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { fuzzSeed } from '../../tests/support/properties.ts';
import { as, insertUser, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import { boxPage } from '../contracts/boxes.ts';
import { myGiftAgain } from '../contracts/orders.ts';
import { getShippingPrice } from '../functions/getShippingPrice/handler.ts';
import { callConsole } from './call-console.ts';

type Portion = { productId: number; pieces: number };
type Box = { box_id: number; quantity: number; contents: Portion[] };

let database: TestDatabase;
let till: Till;

const allergens = [
  'None',
  'Milk',
  'Milk, Nuts (cashew)',
  'Peanut; may contain milk',
  'Gluten (wheat), Milk',
  'Nuts (almond, cashew)',
];
const sweets = Array.from({ length: 14 }, (_, index) => ({
  name: `Sweet ${String.fromCharCode(65 + index)}`,
  // Prices and weights whose pieces end in fractions of a paisa, and some in exactly half of one.
  pricePaise:
    [24_950, 33_333, 10_001, 99_999, 32_050, 45_625, 100, 76_000, 12_345, 50_050, 88_875, 27_275, 61_299, 20_025][
      index
    ] ?? 0,
  pieceGrams: [35, 40, 25, 18, 33, 7, 12, 20, 41, 5, 29, 10, 30, 50][index] ?? 0,
  gst: [5, 5, 12, 5, 18, 5, 5, 0, 12, 5, 5, 18, 5, 5][index] ?? 0,
  hsn: index % 3 === 0 ? '1806' : '2106',
  allergens: allergens[index % allergens.length] ?? '',
  shelfLife: [15, 7, 30, 45, 20, 10, 9, 60, 21, 12, 14, 33, 8, 90][index] ?? 1,
  mark: index === 9 ? 'non-veg' : 'veg',
  id: 0,
}));
const sizes = [
  { name: 'Small', places: 6, paise: 4_050, grams: 90, id: 0 },
  { name: 'Middle', places: 12, paise: 7_000, grams: 150, id: 0 },
  { name: 'Large', places: 24, paise: 12_999, grams: 260, id: 0 },
];
const plenty = 100_000_000;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  till = openTill(database.connection, database.sql);
  await insertZone(database.sql, { prefixes: ['400'], firstKg: 40, extraKg: 15, maxDays: 2 });
  for (const size of sizes) {
    const [row] = await database.sql`insert into private.box_sizes (name, places, price, weight_grams)
      values (${size.name}, ${size.places}, ${size.paise / 100}, ${size.grams}) returning id`;
    size.id = Number(row?.id);
  }
  for (const sweet of sweets) {
    const [row] = await database.sql`
      insert into public."Products" ("Name", "Price", "Category", "hasSize", gst_percent, hsn, food_mark, ingredients, allergens,
        shelf_life_days, storage, is_listed)
      values (${sweet.name}, ${sweet.pricePaise / 100}, 'Laddu', true, ${sweet.gst}, ${sweet.hsn}, ${sweet.mark}, 'Sugar',
        ${sweet.allergens}, ${sweet.shelfLife}, 'Cool', true) returning "Id" as id`;
    sweet.id = Number(row?.id);
    await stock(sweet.id, plenty);
    await database.sql`insert into private.box_sweets (product_id, piece_grams) values (${sweet.id}, ${sweet.pieceGrams})`;
  }
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

const stock = (id: number, grams: number) =>
  database.sql`insert into public.stock_movements (product_id, quantity, reason) values (${id}, ${grams}, 'production')`;
const level = async (id: number) => {
  const [row] = await database.sql`select on_hand, reserved from public.stock_levels where product_id = ${id}`;
  return { onHand: Number(row?.on_hand), reserved: Number(row?.reserved) };
};
const sweet = (index: number) => sweets[index] ?? expect.fail(`no sweet ${index}`);
const size = (index: number) => sizes[index] ?? expect.fail(`no size ${index}`);

/** A box of six with so many pieces of the first sweets. */
const six = (pieces: number[], quantity = 1): Box => ({
  box_id: size(0).id,
  quantity,
  contents: pieces.flatMap((count, index) => (count > 0 ? [{ productId: sweet(index).id, pieces: count }] : [])),
});
const ask = (customer: string, boxes: Box[], orders: unknown[] = []) => {
  const body = { orders, boxes, delivery: { pincode: '400001' }, source: 'cart' };
  return till.call(getShippingPrice, customer, body);
};

describe('10,000 generated boxes', () => {
  /** By whole numbers alone, without the shop’s own rules: thousandths of a paisa for prices, hundredths for rates. */
  function model({ box_id, quantity, contents }: Box) {
    const chosen = sizes.find(({ id }) => id === box_id) ?? expect.fail();
    let unit = BigInt(chosen.paise);
    let grams = chosen.grams;
    let rate = 0n;
    const words = new Set<string>();
    const traces = new Set<string>();
    let shelfLife = Number.POSITIVE_INFINITY;
    let mark = 'veg';
    const taken = new Map<number, number>();
    for (const { productId, pieces } of contents) {
      const one = sweets.find(({ id }) => id === productId) ?? expect.fail();
      const thousandths = BigInt(one.pricePaise) * BigInt(one.pieceGrams) * 2n;
      const down = thousandths / 1000n;
      unit += (thousandths % 1000n >= 500n ? down + 1n : down) * BigInt(pieces);
      grams += one.pieceGrams * pieces;
      if (BigInt(one.gst) > rate) rate = BigInt(one.gst);
      if (one.mark === 'non-veg') mark = 'non-veg';
      shelfLife = Math.min(shelfLife, one.shelfLife);
      taken.set(productId, (taken.get(productId) ?? 0) + one.pieceGrams * pieces * quantity);
      for (const [part, into] of [
        [one.allergens.split(';')[0] ?? '', words],
        [one.allergens.split('may contain ')[1] ?? '', traces],
      ] as const)
        for (const word of part.match(/[a-z]+/gi) ?? []) if (word !== 'None') into.add(word.toLowerCase());
    }
    const line = unit * BigInt(quantity);
    const tax = (line * rate * 2n + 100n) / 200n;
    return { unit, line, tax, grams: grams * quantity, rate, words, traces, shelfLife, mark, taken };
  }

  const box = fc
    .record({
      at: fc.nat(2),
      quantity: fc.integer({ min: 1, max: 25 }),
      picks: fc.array(fc.nat(13), { minLength: 24, maxLength: 24 }),
      kinds: fc.integer({ min: 1, max: 14 }),
    })
    .map(({ at, quantity, picks, kinds }): Box => {
      const { id, places } = size(at);
      const contents = new Map<number, number>();
      for (const pick of picks.slice(0, places)) {
        const productId = sweet(pick % kinds).id;
        contents.set(productId, (contents.get(productId) ?? 0) + 1);
      }
      return { box_id: id, quantity, contents: [...contents].map(([productId, pieces]) => ({ productId, pieces })) };
    });

  test('cost, weigh, are taxed and take from stock what an independent model says, to the paisa and the gram', async () => {
    const boxes = fc.sample(box, { numRuns: 10_000, seed: fuzzSeed });
    const rows = boxPage.result.parse((await database.sql`select public.box_page() as page`)[0]?.page);
    const page = boxPageFrom(rows);
    const find = (id: number) => page.sweets.find(({ productId }) => productId === id);
    for (let start = 0; start < boxes.length; start += 1000) {
      const batch = boxes.slice(start, start + 1000);
      const carts = batch.map(({ box_id, quantity, contents }) => ({
        source: 'cart',
        fulfilment: 'delivery',
        pincode: '400001',
        lines: [
          { box_id, quantity, contents: contents.map(({ productId, pieces }) => ({ product_id: productId, pieces })) },
        ],
      }));
      const priced = await database.sql`
        select p.grams, p.rejection, (p.quote).sub_total_paise, (p.quote).tax_paise, (p.quote).product_ids, (p.quote).units,
               (p.quote).lines -> 0 as line, f.food_mark, f.allergens, f.shelf_life_days
        from private.price_orders(${database.sql.json(carts)}, now()) p
        cross join lateral private.box_facts((p.quote).lines -> 0 -> 'contents') f order by p.place`;
      expect(priced).toHaveLength(batch.length);
      priced.forEach((row, index) => {
        const generated = batch[index] ?? expect.fail();
        const wanted = model(generated);
        const { line } = row;
        const units = new Map((row.product_ids as string[]).map((id, at) => [Number(id), Number(row.units[at])]));
        const reason = wanted.grams > 30_000 ? 'too-heavy' : undefined;
        expect([row.rejection?.reason, Number(row.sub_total_paise), Number(row.tax_paise), Number(row.grams)]).toEqual([
          reason,
          Number(wanted.line),
          Number(wanted.tax),
          wanted.grams,
        ]);
        expect(Math.round(line.unit_price * 100)).toBe(Number(wanted.unit));
        expect([line.gst_percent, line.line_paise, line.tax_paise]).toEqual([
          Number(wanted.rate),
          Number(wanted.line),
          Number(wanted.tax),
        ]);
        expect(units).toEqual(wanted.taken);
        expect([row.food_mark, Number(row.shelf_life_days)]).toEqual([wanted.mark, wanted.shelfLife]);

        // What the customer saw is what the order says.
        const shown = page.sizes.find(({ id }) => id === generated.box_id) ?? expect.fail();
        const sums = boxSums(shown, generated.contents, find) ?? expect.fail();
        expect([sums.unitPaise, sums.gstPercent, sums.grams * generated.quantity]).toEqual([
          Number(wanted.unit),
          Number(wanted.rate),
          wanted.grams,
        ]);
        expect(boxesWithTaxPaise(sums, generated.quantity)).toBe(Number(wanted.line + wanted.tax));
        const facts = boxFacts(generated.contents, find);
        expect([facts.foodMark, facts.shelfLifeDays]).toEqual([wanted.mark, wanted.shelfLife]);
        const said = (list: string[]) => new Set(list.flatMap((text) => text.toLowerCase().match(/[a-z]+/g) ?? []));
        expect(said(facts.allergens.contains)).toEqual(wanted.words);
        const traces = said(facts.allergens.mayContain);
        for (const trace of wanted.traces) expect(traces.has(trace) || wanted.words.has(trace)).toBe(true);
        for (const trace of traces) expect(wanted.traces.has(trace)).toBe(true);
      });
    }
  });
});

describe('a box', () => {
  test('is held, sold, and returned by the gram when the order is canceled', async () => {
    const customer = await till.customer();
    const before = await Promise.all([0, 1].map((index) => level(sweet(index).id)));
    const box = six([4, 2], 3);
    const quote = await ask(customer, [box], [{ productId: sweet(0).id, quantity: 1, size: 500 }]);
    expect(quote.status).toBe(200);
    const created = await till.create(customer, Number(quote.body.total), String(quote.body.quote_id));
    expect(created.status).toBe(201);
    const taken = [4 * 35 * 3 + 500, 2 * 40 * 3];
    for (const index of [0, 1])
      expect((await level(sweet(index).id)).reserved - (before[index]?.reserved ?? 0)).toBe(taken[index]);
    expect((await till.place(customer, await till.pay(String(created.body.id)))).status).toBe(201);
    for (const index of [0, 1])
      expect(await level(sweet(index).id)).toEqual({
        onHand: (before[index]?.onHand ?? 0) - (taken[index] ?? 0),
        reserved: 0,
      });

    const [order] = await database.sql`select id, sub_total, tax from public.orders where user_id = ${customer}`;
    const items =
      await database.sql`select product_id, product_name, quantity, box_id, contents, unit_price, hsn from public.order_items
      where order_id = ${order?.id} order by id`;
    expect(items.map((item) => [item.product_id && Number(item.product_id), item.product_name, item.quantity])).toEqual(
      [
        [sweet(0).id, 'Sweet A', 1],
        [null, 'Small (4 Sweet A, 2 Sweet B)', 3],
      ],
    );
    expect(items[1]?.contents.products).toMatchObject([
      { product_id: sweet(0).id, name: 'Sweet A', pieces: 4, grams: 140 },
      { product_id: sweet(1).id, name: 'Sweet B', pieces: 2, grams: 80 },
    ]);
    await database.sql`update public.orders set status = 'canceled' where id = ${order?.id}`;
    for (const index of [0, 1])
      expect(await level(sweet(index).id)).toEqual({ onHand: before[index]?.onHand, reserved: 0 });
    const [refund] = await database.sql`select amount_paise from private.refunds where order_id = ${order?.id}`;
    expect(Number(refund?.amount_paise)).toBe(Math.round(Number(quote.body.total) * 100));
    expect(await database.sql`select * from public.check_invariants()`).toHaveLength(0);
  });

  test('is on the invoice and the slip by name, and in the kitchen by its sweets', async () => {
    const customer = await till.customer();
    const orderId = await bought(customer, [six([0, 0, 3, 0, 3])]);
    const [line] = (await database.sql`select private.order_lines(${orderId}) as lines`)[0]?.lines ?? [];
    expect(line).toMatchObject({
      product_id: null,
      name: 'Small (3 Sweet C, 3 Sweet E)',
      grams: 90 + 3 * 25 + 3 * 33,
      shelf_life_days: 20,
      food_mark: 'veg',
      gst_percent: 18,
      hsn: sweet(4).hsn,
    });
    const owner = { userId: await insertUser(database.sql, { administrator: true }) };
    type Kitchen = { sweets: { product_id: number }[] };
    const kitchen = await callConsole<Kitchen>(database.sql, owner, 'admin_read_kitchen');
    expect(kitchen.sweets.find(({ product_id }) => product_id === sweet(2).id)).toMatchObject({
      grams: 75,
      box_pieces: 3,
      has_size: true,
      half_kilos: 0,
    });
    for (const status of ['Confirmed', 'Preparing', 'Packed'])
      await database.sql`update public.orders set status = ${status} where id = ${orderId}`;
    const [invoice] = await database.sql`select lines, total_paise from private.invoices where order_id = ${orderId}`;
    expect(invoice?.lines[0]).toMatchObject({
      description: 'Small (3 Sweet C, 3 Sweet E)',
      quantity: 1,
      unit: 'nos',
      hsn: sweet(4).hsn,
    });
    expect(await database.sql`select * from public.check_invariants()`).toHaveLength(0);
  });

  test('is refused with the sweet that is short, while the rest of the cart could be had', async () => {
    const customer = await till.customer();
    const scarce = sweet(13);
    await database.sql`insert into public.stock_movements (product_id, quantity, reason) values (${scarce.id}, ${-(plenty - 120)}, 'wastage')`;
    const three = {
      box_id: size(0).id,
      quantity: 1,
      contents: [
        { productId: scarce.id, pieces: 3 },
        { productId: sweet(0).id, pieces: 3 },
      ],
    };
    const short = await ask(customer, [three]);
    expect([short.status, short.body.error?.code, short.body.error?.message]).toEqual([
      409,
      'not-enough-stock',
      'Only 120 g of Sweet N left in stock.',
    ]);
    expect(short.body.error).toMatchObject({ lines: [{ product_id: scarce.id }] });
    const two = {
      ...three,
      contents: [
        { productId: scarce.id, pieces: 2 },
        { productId: sweet(0).id, pieces: 4 },
      ],
    };
    expect((await ask(customer, [two])).status).toBe(200);
    // Two boxes of two pieces need more together than there is.
    expect((await ask(customer, [{ ...two, quantity: 2 }])).status).toBe(409);
    await database.sql`update public."Products" set is_listed = false where "Id" = ${scarce.id}`;
    expect((await ask(customer, [two])).body.error?.message).toBe('Sweet N isn’t available right now.');
    await database.sql`update public."Products" set is_listed = true where "Id" = ${scarce.id}`;
    await stock(scarce.id, plenty - 120);
  });

  test.each([
    ['with an empty place', () => six([5]), 'box-not-full'],
    ['with more pieces than places', () => six([7]), 'box-not-full'],
    ['of no size', () => ({ ...six([6]), box_id: 999_999 }), 'box-not-offered'],
    [
      'with a sweet that is none',
      () => ({ ...six([5]), contents: [...six([5]).contents, { productId: 999_999, pieces: 1 }] }),
      'unknown-product',
    ],
  ])('%s is refused', async (_what, box, code) => {
    const answer = await ask(await till.customer(), [box()]);
    expect(answer.body.error?.code).toBe(code);
  });

  test('of a size or with a sweet that the owner took away is refused by name', async () => {
    const customer = await till.customer();
    await database.sql`update private.box_sizes set is_listed = false where id = ${size(0).id}`;
    expect((await ask(customer, [six([6])])).body.error).toMatchObject({
      code: 'box-not-offered',
      lines: [{ box_id: size(0).id }],
    });
    await database.sql`update private.box_sizes set is_listed = true where id = ${size(0).id}`;
    await database.sql`delete from private.box_sweets where product_id = ${sweet(0).id}`;
    expect((await ask(customer, [six([6])])).body.error).toMatchObject({
      code: 'not-in-boxes',
      message: 'Sweet A can’t be packed in a box any more. Change your box.',
      lines: [{ product_id: sweet(0).id }],
    });
    await database.sql`insert into private.box_sweets (product_id, piece_grams) values (${sweet(0).id}, ${sweet(0).pieceGrams})`;
  });

  test('whose size was deleted while it was paid is an order all the same', async () => {
    const customer = await till.customer();
    const [trial] = await database.sql`
      insert into private.box_sizes (name, places, price, weight_grams) values ('Brief', 6, 40, 90) returning id, updated_at`;
    const quote = await ask(customer, [{ ...six([6]), box_id: Number(trial?.id) }]);
    const created = await till.create(customer, Number(quote.body.total), String(quote.body.quote_id));
    const payment = await till.pay(String(created.body.id));
    const owner = { userId: await insertUser(database.sql, { administrator: true }) };
    const [seen] = await database.sql`select updated_at::text as at from private.box_sizes where id = ${trial?.id}`;
    await callConsole(database.sql, owner, 'admin_delete_box_size', { box_id: Number(trial?.id), seen: seen?.at });
    expect((await till.place(customer, payment)).status).toBe(201);
    const [item] = await database.sql`
      select i.product_name, i.contents -> 'places' as places from public.order_items i
      join public.orders o on o.id = i.order_id where o.user_id = ${customer}`;
    expect(item).toMatchObject({ product_name: 'Brief (6 Sweet A)', places: 6 });
    expect((await ask(customer, [{ ...six([6]), box_id: Number(trial?.id) }])).body.error?.code).toBe(
      'box-not-offered',
    );
    expect(await database.sql`select * from public.check_invariants()`).toHaveLength(0);
  });

  test('sent as a gift can be sent again as long as its size and sweets are offered', async () => {
    const customer = await till.customer();
    const id = await bought(customer, [six([4, 2], 2)]);
    await database.sql`insert into private.order_gifts (order_id, note, motif, sender_name) values (${id}, 'Hi', 'diwali', 'Mirchi')`;
    const again = async () => {
      const [row] = await as(
        database.sql,
        { userId: customer },
        (tx) => tx`select public.my_gift_again(${id}) as told`,
      );
      return myGiftAgain.result.parse(row?.told)?.lines[0] ?? expect.fail();
    };
    const line = await again();
    expect(line).toMatchObject({ product_id: null, is_available: true, paise_now: line.paise_then });
    expect(line.contents).toEqual([
      { product_id: sweet(0).id, pieces: 4 },
      { product_id: sweet(1).id, pieces: 2 },
    ]);
    await database.sql`update private.box_sizes set is_listed = false where id = ${size(0).id}`;
    expect(await again()).toMatchObject({ is_sold: false, is_available: false });
    await database.sql`update private.box_sizes set is_listed = true where id = ${size(0).id}`;
  });

  test('written twice in one order is one line', async () => {
    const customer = await till.customer();
    const [a, b] = six([2, 4]).contents;
    const turned = { ...six([2, 4]), contents: [b, a].filter((portion) => portion !== undefined) };
    await bought(customer, [six([2, 4]), turned]);
    const items =
      await database.sql`select i.quantity from public.order_items i join public.orders o on o.id = i.order_id where o.user_id = ${customer}`;
    expect(items.map(({ quantity }) => quantity)).toEqual([2]);
    expect((await ask(customer, [six([2, 4], 13), { ...turned, quantity: 13 }])).body.error?.code).toBe('too-many');
  });

  test('costs the owner what its sweets cost, and counts for their sales', async () => {
    const customer = await till.customer();
    for (const index of [2, 3])
      await database.sql`insert into private.product_costs (product_id, valid_from, unit_cost) values (${sweet(index).id}, now() - interval '1 day', 100)`;
    const orderId = await bought(customer, [six([0, 0, 4, 2])]);
    const [placed] = await database.sql`select unit_cost from private.placed_items where order_id = ${orderId}`;
    expect(Number(placed?.unit_cost)).toBeCloseTo((4 * 25 + 2 * 18) * (100 / 500), 2);
  });
});

async function bought(customer: string, boxes: Box[]): Promise<string> {
  const quote = await ask(customer, boxes);
  const created = await till.create(customer, Number(quote.body.total), String(quote.body.quote_id));
  expect((await till.place(customer, await till.pay(String(created.body.id)))).status).toBe(201);
  const [order] =
    await database.sql`select id from public.orders where user_id = ${customer} order by created_at desc limit 1`;
  return String(order?.id);
}

describe('the console', () => {
  type Boxes = { sizes: { id: number; name: string; updated_at: string; was_ordered: boolean }[]; others: unknown[] };

  test('writes sizes and sweets, for administrators alone', async () => {
    const owner = { userId: await insertUser(database.sql, { administrator: true }) };
    const stranger = { userId: await insertUser(database.sql) };
    const wish = { name: 'Trial', places: 4, price_paise: 5_050, weight_grams: 80, is_listed: true };
    await expect(callConsole(database.sql, stranger, 'admin_save_box_size', wish)).rejects.toThrow();
    await expect(callConsole(database.sql, stranger, 'admin_read_boxes')).rejects.toThrow();
    const saved = await callConsole<{ id: number; updated_at: string }>(
      database.sql,
      owner,
      'admin_save_box_size',
      wish,
    );
    await expect(callConsole(database.sql, owner, 'admin_save_box_size', wish)).rejects.toThrow('already');
    for (const places of [1, 49])
      await expect(
        callConsole(database.sql, owner, 'admin_save_box_size', { ...wish, name: 'Other', places }),
      ).rejects.toThrow('Between 2 and 48');
    const [row] = await database.sql`select price::text from private.box_sizes where id = ${saved.id}`;
    expect(row?.price).toBe('50.50');
    await callConsole(database.sql, owner, 'admin_delete_box_size', { box_id: saved.id, seen: saved.updated_at });

    await bought(await till.customer(), [six([6])]);
    const { sizes: read } = await callConsole<Boxes>(database.sql, owner, 'admin_read_boxes');
    const small = read.find(({ name }) => name === 'Small') ?? { id: 0, updated_at: '', was_ordered: false };
    expect(small.was_ordered).toBe(true);
    await expect(
      callConsole(database.sql, owner, 'admin_delete_box_size', { box_id: small.id, seen: small.updated_at }),
    ).rejects.toThrow('Take it off the list instead');
    await expect(
      callConsole(database.sql, owner, 'admin_save_box_sweet', { product_id: sweet(0).id, piece_grams: 20 }),
    ).rejects.toThrow('among them already');
  });
});
