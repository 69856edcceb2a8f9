import { describe, expect, test } from 'vitest';
import { insertPaidOrder, insertReview, insertUser, moveStock } from '../../tests/support/rows.ts';
import {
  asha,
  facts,
  newSweet,
  openDemoShop,
  type Row,
  read,
  refused,
  save,
  sql,
  sweet,
} from './console-products-harness.ts';

openDemoShop();

describe('saving a product', () => {
  test('a new one is unlisted, with a unit of 500 g, and its making is in the log', async () => {
    const { id } = await newSweet({ description: 'Two\r\nlines ', unit_cost_paise: 11050 });
    const { draft, row, costs, ...rest } = await read(id);
    expect(draft).toMatchObject({
      description: 'Two\nlines',
      weight_grams: 500,
      gst_percent: 5,
      hsn: '2106',
      offer_percent: 0,
      is_listed: false,
      unit_cost_paise: 11050,
    });
    expect(row).toMatchObject({ is_available: false, on_hand: 0 });
    expect(costs).toEqual([{ valid_from: expect.any(String), unit_cost_paise: 11050 }]);
    expect(rest).toMatchObject({ has_stock_history: false, is_deletable: true, waiting: 0 });
    const log =
      await sql`select action, table_name, actor_id from public.audit_log where row_id = ${String(id)} order by id`;
    expect(log).toEqual([
      { action: 'insert', table_name: 'Products', actor_id: asha.userId },
      { action: 'insert', table_name: 'product_costs', actor_id: asha.userId },
    ]);
  });

  test('changes only the named fields', async () => {
    const { id, seen } = await newSweet({ ...facts, unit_cost_paise: 5000 });
    const before = (await read(id)).draft;
    await save(id, { price_paise: 27550, is_listed: true, unit_cost_paise: 6000 }, seen);
    const { draft, costs, row } = await read(id);
    expect(draft).toEqual({ ...before, price_paise: 27550, is_listed: true, unit_cost_paise: 6000 });
    expect(costs.map((cost: Row) => cost.unit_cost_paise)).toEqual([6000, 5000]);
    await save(id, { unit_cost_paise: 6000, allergens: 'Milk' }, row.updated_at);
    expect((await read(id)).costs).toHaveLength(2);
  });

  test('the second of two administrators gets a conflict, and nothing of theirs is written', async () => {
    const { id, seen } = await newSweet();
    await save(id, { price_paise: 30000 }, seen);
    await expect(save(id, { price_paise: 10000 }, seen)).rejects.toMatchObject({ code: 'PT409', detail: 'stale' });
    await expect(save(id, { price_paise: 10000 }, null)).rejects.toMatchObject({ code: 'PT409', detail: 'stale' });
    expect((await read(id)).draft.price_paise).toBe(30000);
  });

  test('a sale or a review in between is not a change of the product', async () => {
    const { id, seen } = await newSweet({ ...facts, is_listed: true });
    await moveStock(sql, id, 5000, 'production');
    await insertReview(sql, { userId: await insertUser(sql), productId: id });
    await save(id, { price_paise: 26000 }, seen);
    expect((await read(id)).row).toMatchObject({ price_paise: 26000, is_available: true, review_count: 1 });
  });

  test.each<[Record<string, unknown>, string, RegExp]>([
    [{ name: '  ' }, 'name', /name/],
    [{ name: 'x'.repeat(121) }, 'name', /120/],
    [{ name: 'two\nlines' }, 'name', /one line/],
    [{ name: 'besan LADDU' }, 'name', /already called besan LADDU/],
    [{ name: null }, 'name', /not valid/],
    [{ name: 5 }, 'name', /not valid/],
    [{ description: 'x'.repeat(4001) }, 'description', /4,000/],
    [{ category: 'Barfi' }, 'category', /Choose/],
    [{ category: null }, 'category', /Choose/],
    [{ image: 'javascript:alert(1)' }, 'image', /address/],
    [{ price_paise: null }, 'price_paise', /price/],
    [{ price_paise: 99 }, 'price_paise', /between/],
    [{ price_paise: 10000001 }, 'price_paise', /between/],
    [{ price_paise: 100.5 }, 'price_paise', /between/],
    [{ price_paise: '25000' }, 'price_paise', /not valid/],
    [{ price_paise: 1e300 }, 'price_paise', /between/],
    [{ regular_price_paise: 25000 }, 'regular_price_paise', /above the price/],
    [{ regular_price_paise: 20000001 }, 'regular_price_paise', /at most/],
    [{ offer_percent: 91 }, 'offer_percent', /0 to 90/],
    [{ offer_percent: -1 }, 'offer_percent', /0 to 90/],
    [{ offer_percent: 2.5 }, 'offer_percent', /whole/],
    [{ gst_percent: 41 }, 'gst_percent', /0 and 40/],
    [{ gst_percent: 5.555 }, 'gst_percent', /decimals/],
    [{ gst_percent: null }, 'gst_percent', /not valid/],
    [{ hsn: '21' }, 'hsn', /digits/],
    [{ has_size: null }, 'has_size', /weight or piece/],
    [{ has_size: false }, 'weight_grams', /weight of a piece/],
    [{ has_size: false, weight_grams: 0 }, 'weight_grams', /30,000/],
    [{ weight_grams: 400 }, 'weight_grams', /500 g/],
    [{ shelf_life_days: 0 }, 'shelf_life_days', /730/],
    [{ combo: 'mixed' }, 'combo', /family/],
    [{ combo: 'halwa' }, 'combo', /already/],
    [{ unit_cost_paise: -1 }, 'unit_cost_paise', /between/],
    [{ colour: 'red' }, 'colour', /no such field/],
    [{ ...facts, is_listed: true, food_mark: null }, 'food_mark', /veg or non-veg/],
    [{ ...facts, food_mark: 'egg' }, 'food_mark', /Egg counts as non-veg/],
    [{ ...facts, is_listed: true, ingredients: ' ' }, 'ingredients', /ingredients/],
    [{ ...facts, is_listed: true, allergens: ' ' }, 'allergens', /None/],
    [{ ...facts, is_listed: true, shelf_life_days: null }, 'shelf_life_days', /shelf life/],
    [{ ...facts, is_listed: true, storage: '' }, 'storage', /store it/],
  ])('%j is refused at its field', async (changes, field, message) => {
    const before = await sql`select count(*) from public."Products"`;
    await expect(save(null, { ...sweet(), ...changes })).rejects.toMatchObject(refused(message, field));
    expect(await sql`select count(*) from public."Products"`).toEqual(before);
  });

  test('a product keeps its unit once stock has moved', async () => {
    const { id, seen } = await newSweet();
    const other = await save(id, { has_size: false, weight_grams: 250 }, seen);
    await moveStock(sql, id, 5, 'production');
    expect((await read(id)).has_stock_history).toBe(true);
    await expect(save(id, { has_size: true }, other.updated_at)).rejects.toMatchObject(
      refused(/counted in pieces/, 'has_size'),
    );
  });

  test('a known cost is not forgotten', async () => {
    const { id, seen } = await newSweet({ unit_cost_paise: 100 });
    await expect(save(id, { unit_cost_paise: null }, seen)).rejects.toMatchObject(
      refused(/not removed/, 'unit_cost_paise'),
    );
  });

  test('says which picture nothing shows any longer', async () => {
    const picture = (name: string) => `/storage/v1/object/public/products/${name}-960.webp`;
    const first = await newSweet({ image: picture('one') });
    const second = await newSweet({ image: picture('one') });
    const swap = async (of: typeof first, image: string) => {
      const { unused_images, updated_at } = await save(of.id, { image }, (await read(of.id)).row.updated_at);
      return { unused_images, updated_at };
    };
    expect((await swap(first, picture('two'))).unused_images).toEqual([]);
    expect((await swap(second, picture('two'))).unused_images).toEqual([picture('one')]);
    await moveStock(sql, second.id, 5000, 'production');
    const order = await insertPaidOrder(sql, { userId: asha.userId, productId: second.id, quantity: 1 });
    await sql`alter table public.order_items disable trigger order_items_never_change`;
    await sql`update public.order_items set product_image = ${picture('two')} where order_id = ${order.id}`;
    await sql`alter table public.order_items enable trigger order_items_never_change`;
    await swap(first, '');
    expect((await swap(second, '')).unused_images).toEqual([]);
    expect((await swap(second, '/images/products/x-960.webp')).unused_images).toEqual([]);
    expect((await swap(second, '')).unused_images).toEqual([]);
  });
});
