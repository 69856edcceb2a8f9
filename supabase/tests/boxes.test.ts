// Boxes that customers fill: held, sold, refused and sent again; and what the console writes.

import { describe, expect, test } from 'vitest';
import { as, insertUser } from '../../tests/support/rows.ts';
import { myGiftAgain } from '../contracts/orders.ts';
import { boxShop, plenty, six, size, sweet } from './box-shop.ts';
import { callConsole } from './call-console.ts';

const shop = boxShop();

describe('a box', () => {
  test('is held, sold, and returned by the gram when the order is canceled', async () => {
    const customer = await shop.till.customer();
    const before = await Promise.all([0, 1].map((index) => shop.level(sweet(index).id)));
    const box = six([4, 2], 3);
    const quote = await shop.ask(customer, [box], [{ productId: sweet(0).id, quantity: 1, size: 500 }]);
    expect(quote.status).toBe(200);
    const created = await shop.till.create(customer, Number(quote.body.total), String(quote.body.quote_id));
    expect(created.status).toBe(201);
    const taken = [4 * 35 * 3 + 500, 2 * 40 * 3];
    for (const index of [0, 1])
      expect((await shop.level(sweet(index).id)).reserved - (before[index]?.reserved ?? 0)).toBe(taken[index]);
    expect((await shop.till.place(customer, await shop.till.pay(String(created.body.id)))).status).toBe(201);
    for (const index of [0, 1])
      expect(await shop.level(sweet(index).id)).toEqual({
        onHand: (before[index]?.onHand ?? 0) - (taken[index] ?? 0),
        reserved: 0,
      });

    const [order] = await shop.sql`select id, sub_total, tax from public.orders where user_id = ${customer}`;
    const items =
      await shop.sql`select product_id, product_name, quantity, box_id, contents, unit_price, hsn from public.order_items
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
    await shop.sql`update public.orders set status = 'canceled' where id = ${order?.id}`;
    for (const index of [0, 1])
      expect(await shop.level(sweet(index).id)).toEqual({ onHand: before[index]?.onHand, reserved: 0 });
    const [refund] = await shop.sql`select amount_paise from private.refunds where order_id = ${order?.id}`;
    expect(Number(refund?.amount_paise)).toBe(Math.round(Number(quote.body.total) * 100));
    expect(await shop.sql`select * from public.check_invariants()`).toHaveLength(0);
  });

  test('is on the invoice and the slip by name, and in the kitchen by its sweets', async () => {
    const customer = await shop.till.customer();
    const orderId = await shop.bought(customer, [six([0, 0, 3, 0, 3])]);
    const [line] = (await shop.sql`select private.order_lines(${orderId}) as lines`)[0]?.lines ?? [];
    expect(line).toMatchObject({
      product_id: null,
      name: 'Small (3 Sweet C, 3 Sweet E)',
      grams: 90 + 3 * 25 + 3 * 33,
      shelf_life_days: 20,
      food_mark: 'veg',
      gst_percent: 18,
      hsn: sweet(4).hsn,
    });
    const owner = { userId: await insertUser(shop.sql, { administrator: true }) };
    type Kitchen = { sweets: { product_id: number }[] };
    const kitchen = await callConsole<Kitchen>(shop.sql, owner, 'admin_read_kitchen');
    expect(kitchen.sweets.find(({ product_id }) => product_id === sweet(2).id)).toMatchObject({
      grams: 75,
      box_pieces: 3,
      has_size: true,
      half_kilos: 0,
    });
    for (const status of ['Confirmed', 'Preparing', 'Packed'])
      await shop.sql`update public.orders set status = ${status} where id = ${orderId}`;
    const [invoice] = await shop.sql`select lines, total_paise from private.invoices where order_id = ${orderId}`;
    expect(invoice?.lines[0]).toMatchObject({
      description: 'Small (3 Sweet C, 3 Sweet E)',
      quantity: 1,
      unit: 'nos',
      hsn: sweet(4).hsn,
    });
    expect(await shop.sql`select * from public.check_invariants()`).toHaveLength(0);
  });

  test('is refused with the sweet that is short, while the rest of the cart could be had', async () => {
    const customer = await shop.till.customer();
    const scarce = sweet(13);
    await shop.sql`insert into public.stock_movements (product_id, quantity, reason) values (${scarce.id}, ${-(plenty - 120)}, 'wastage')`;
    const three = {
      box_id: size(0).id,
      quantity: 1,
      contents: [
        { productId: scarce.id, pieces: 3 },
        { productId: sweet(0).id, pieces: 3 },
      ],
    };
    const short = await shop.ask(customer, [three]);
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
    expect((await shop.ask(customer, [two])).status).toBe(200);
    // Two boxes of two pieces need more together than there is.
    expect((await shop.ask(customer, [{ ...two, quantity: 2 }])).status).toBe(409);
    await shop.sql`update public."Products" set is_listed = false where "Id" = ${scarce.id}`;
    expect((await shop.ask(customer, [two])).body.error?.message).toBe('Sweet N isn’t available right now.');
    await shop.sql`update public."Products" set is_listed = true where "Id" = ${scarce.id}`;
    await shop.stock(scarce.id, plenty - 120);
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
    const answer = await shop.ask(await shop.till.customer(), [box()]);
    expect(answer.body.error?.code).toBe(code);
  });

  test('of a size or with a sweet that the owner took away is refused by name', async () => {
    const customer = await shop.till.customer();
    await shop.sql`update private.box_sizes set is_listed = false where id = ${size(0).id}`;
    expect((await shop.ask(customer, [six([6])])).body.error).toMatchObject({
      code: 'box-not-offered',
      lines: [{ box_id: size(0).id }],
    });
    await shop.sql`update private.box_sizes set is_listed = true where id = ${size(0).id}`;
    await shop.sql`delete from private.box_sweets where product_id = ${sweet(0).id}`;
    expect((await shop.ask(customer, [six([6])])).body.error).toMatchObject({
      code: 'not-in-boxes',
      message: 'Sweet A can’t be packed in a box any more. Change your box.',
      lines: [{ product_id: sweet(0).id }],
    });
    await shop.sql`insert into private.box_sweets (product_id, piece_grams) values (${sweet(0).id}, ${sweet(0).pieceGrams})`;
  });

  test('whose size was deleted while it was paid is an order all the same', async () => {
    const customer = await shop.till.customer();
    const [trial] = await shop.sql`
      insert into private.box_sizes (name, places, price, weight_grams) values ('Brief', 6, 40, 90) returning id, updated_at`;
    const quote = await shop.ask(customer, [{ ...six([6]), box_id: Number(trial?.id) }]);
    const created = await shop.till.create(customer, Number(quote.body.total), String(quote.body.quote_id));
    const payment = await shop.till.pay(String(created.body.id));
    const owner = { userId: await insertUser(shop.sql, { administrator: true }) };
    const [seen] = await shop.sql`select updated_at::text as at from private.box_sizes where id = ${trial?.id}`;
    await callConsole(shop.sql, owner, 'admin_delete_box_size', { box_id: Number(trial?.id), seen: seen?.at });
    expect((await shop.till.place(customer, payment)).status).toBe(201);
    const [item] = await shop.sql`
      select i.product_name, i.contents -> 'places' as places from public.order_items i
      join public.orders o on o.id = i.order_id where o.user_id = ${customer}`;
    expect(item).toMatchObject({ product_name: 'Brief (6 Sweet A)', places: 6 });
    expect((await shop.ask(customer, [{ ...six([6]), box_id: Number(trial?.id) }])).body.error?.code).toBe(
      'box-not-offered',
    );
    expect(await shop.sql`select * from public.check_invariants()`).toHaveLength(0);
  });

  test('sent as a gift can be sent again as long as its size and sweets are offered', async () => {
    const customer = await shop.till.customer();
    const id = await shop.bought(customer, [six([4, 2], 2)]);
    await shop.sql`insert into private.order_gifts (order_id, note, motif, sender_name) values (${id}, 'Hi', 'diwali', 'Mirchi')`;
    const again = async () => {
      const [row] = await as(shop.sql, { userId: customer }, (tx) => tx`select public.my_gift_again(${id}) as told`);
      return myGiftAgain.result.parse(row?.told)?.lines[0] ?? expect.fail();
    };
    const line = await again();
    expect(line).toMatchObject({ product_id: null, is_available: true, paise_now: line.paise_then });
    expect(line.contents).toEqual([
      { product_id: sweet(0).id, pieces: 4 },
      { product_id: sweet(1).id, pieces: 2 },
    ]);
    await shop.sql`update private.box_sizes set is_listed = false where id = ${size(0).id}`;
    expect(await again()).toMatchObject({ is_sold: false, is_available: false });
    await shop.sql`update private.box_sizes set is_listed = true where id = ${size(0).id}`;
  });

  test('written twice in one order is one line', async () => {
    const customer = await shop.till.customer();
    const [a, b] = six([2, 4]).contents;
    const turned = { ...six([2, 4]), contents: [b, a].filter((portion) => portion !== undefined) };
    await shop.bought(customer, [six([2, 4]), turned]);
    const items =
      await shop.sql`select i.quantity from public.order_items i join public.orders o on o.id = i.order_id where o.user_id = ${customer}`;
    expect(items.map(({ quantity }) => quantity)).toEqual([2]);
    expect((await shop.ask(customer, [six([2, 4], 13), { ...turned, quantity: 13 }])).body.error?.code).toBe(
      'too-many',
    );
  });

  test('costs the owner what its sweets cost, and counts for their sales', async () => {
    const customer = await shop.till.customer();
    for (const index of [2, 3])
      await shop.sql`insert into private.product_costs (product_id, valid_from, unit_cost) values (${sweet(index).id}, now() - interval '1 day', 100)`;
    const orderId = await shop.bought(customer, [six([0, 0, 4, 2])]);
    const [placed] = await shop.sql`select unit_cost from private.placed_items where order_id = ${orderId}`;
    expect(Number(placed?.unit_cost)).toBeCloseTo((4 * 25 + 2 * 18) * (100 / 500), 2);
  });
});

describe('the console', () => {
  type Boxes = { sizes: { id: number; name: string; updated_at: string; was_ordered: boolean }[]; others: unknown[] };

  test('writes sizes and sweets, for administrators alone', async () => {
    const owner = { userId: await insertUser(shop.sql, { administrator: true }) };
    const stranger = { userId: await insertUser(shop.sql) };
    const wish = { name: 'Trial', places: 4, price_paise: 5_050, weight_grams: 80, is_listed: true };
    await expect(callConsole(shop.sql, stranger, 'admin_save_box_size', wish)).rejects.toThrow();
    await expect(callConsole(shop.sql, stranger, 'admin_read_boxes')).rejects.toThrow();
    const saved = await callConsole<{ id: number; updated_at: string }>(shop.sql, owner, 'admin_save_box_size', wish);
    await expect(callConsole(shop.sql, owner, 'admin_save_box_size', wish)).rejects.toThrow('already');
    for (const places of [1, 49])
      await expect(
        callConsole(shop.sql, owner, 'admin_save_box_size', { ...wish, name: 'Other', places }),
      ).rejects.toThrow('Between 2 and 48');
    const [row] = await shop.sql`select price::text from private.box_sizes where id = ${saved.id}`;
    expect(row?.price).toBe('50.50');
    await callConsole(shop.sql, owner, 'admin_delete_box_size', { box_id: saved.id, seen: saved.updated_at });

    await shop.bought(await shop.till.customer(), [six([6])]);
    const { sizes: read } = await callConsole<Boxes>(shop.sql, owner, 'admin_read_boxes');
    const small = read.find(({ name }) => name === 'Small') ?? { id: 0, updated_at: '', was_ordered: false };
    expect(small.was_ordered).toBe(true);
    await expect(
      callConsole(shop.sql, owner, 'admin_delete_box_size', { box_id: small.id, seen: small.updated_at }),
    ).rejects.toThrow('Take it off the list instead');
    await expect(
      callConsole(shop.sql, owner, 'admin_save_box_sweet', { product_id: sweet(0).id, piece_grams: 20 }),
    ).rejects.toThrow('among them already');
  });
});
