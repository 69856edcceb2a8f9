// A shop with three sizes of boxes and fourteen sweets that fit in them, for one test file.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import { getShippingPrice } from '../functions/getShippingPrice/handler.ts';

export type Portion = { productId: number; pieces: number };
export type Box = { box_id: number; quantity: number; contents: Portion[] };

const allergens = [
  'None',
  'Milk',
  'Milk, Nuts (cashew)',
  'Peanut; may contain milk',
  'Gluten (wheat), Milk',
  'Nuts (almond, cashew)',
];
export const sweets = Array.from({ length: 14 }, (_, index) => ({
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
export const sizes = [
  { name: 'Small', places: 6, paise: 4_050, grams: 90, id: 0 },
  { name: 'Middle', places: 12, paise: 7_000, grams: 150, id: 0 },
  { name: 'Large', places: 24, paise: 12_999, grams: 260, id: 0 },
];
export const plenty = 100_000_000;

export const sweet = (index: number) => sweets[index] ?? expect.fail(`no sweet ${index}`);
export const size = (index: number) => sizes[index] ?? expect.fail(`no size ${index}`);

/** A box of six with so many pieces of the first sweets. */
export const six = (pieces: number[], quantity = 1): Box => ({
  box_id: size(0).id,
  quantity,
  contents: pieces.flatMap((count, index) => (count > 0 ? [{ productId: sweet(index).id, pieces: count }] : [])),
});

/** Opened before the tests of a file and closed after them. */
export function boxShop() {
  let database: TestDatabase;
  let till: Till;
  const stock = (id: number, grams: number) =>
    database.sql`insert into public.stock_movements (product_id, quantity, reason) values (${id}, ${grams}, 'production')`;
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

  const ask = (customer: string, boxes: Box[], orders: unknown[] = []) => {
    const body = { orders, boxes, delivery: { pincode: '400001' }, source: 'cart' };
    return till.call(getShippingPrice, customer, body);
  };
  return {
    get till(): Till {
      return till;
    },
    get sql(): Sql {
      return database.sql;
    },
    stock,
    ask,
    async level(id: number) {
      const [row] = await database.sql`select on_hand, reserved from public.stock_levels where product_id = ${id}`;
      return { onHand: Number(row?.on_hand), reserved: Number(row?.reserved) };
    },
    /** Paid: the id of its order. */
    async bought(customer: string, boxes: Box[]): Promise<string> {
      const quote = await ask(customer, boxes);
      const created = await till.create(customer, Number(quote.body.total), String(quote.body.quote_id));
      expect((await till.place(customer, await till.pay(String(created.body.id)))).status).toBe(201);
      const [order] =
        await database.sql`select id from public.orders where user_id = ${customer} order by created_at desc limit 1`;
      return String(order?.id);
    },
  };
}
