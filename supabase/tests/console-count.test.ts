import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertPaidOrder, insertProduct, insertUser, newMark } from '../../tests/support/rows.ts';
import { type Answer, type Ask, asking } from '../../tests/support/stock-room.ts';

let database: TestDatabase;
let sql: Sql;
let ask: Ask;
let customer: string;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  ask = asking(sql, { userId: await insertUser(sql, { name: 'Asha Rao', administrator: true }) });
  customer = await insertUser(sql);
});
afterEach(async () => {
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
  const off = await sql`
    select l.product_id from public.stock_count_lines l left join public.stock_movements m on m.id = l.movement_id
    where l.counted - l.expected <> coalesce(m.quantity, 0) or m.reason <> 'count' or m.product_id <> l.product_id`;
  expect(off).toEqual([]);
});
afterAll(() => database.drop());

const onHand = async (productId: number) =>
  (await sql`select on_hand from public.stock_levels where product_id = ${productId}`)[0]?.on_hand;
const sell = (productId: number, quantity = 1) => insertPaidOrder(sql, { userId: customer, productId, quantity });

/** What the sheet does when a number is written down: it asks for the moment, and keeps it with the number. */
async function counted(productId: number, units: number) {
  const { on_hand, at } = await ask('admin_read_count_moment', { product_id: productId });
  return { product_id: productId, counted: units, expected: on_hand, counted_at: at };
}
const apply = (lines: object[], countId = randomUUID(), note = '') =>
  ask('admin_apply_count', { count_id: countId, lines, note });

describe('a stock count', () => {
  test('books differences, and records matching counts', async () => {
    const [right, less, more] = [
      await insertProduct(sql, { stock: 10 }),
      await insertProduct(sql, { hasSize: true, stock: 5000 }),
      await insertProduct(sql),
    ];
    const lines = [await counted(right, 10), await counted(less, 4250), await counted(more, 3)];
    const countId = randomUUID();
    expect(await apply(lines, countId, 'Diwali')).toEqual({ count_id: countId, counted: 3, corrected: 2, refused: [] });
    expect([await onHand(right), await onHand(less), await onHand(more)]).toEqual([10, 4250, 3]);
    const { rows } = await ask('admin_list_movements', { filter: { product_id: less, reason: 'count' } });
    expect(rows).toMatchObject([{ quantity: -750, note: 'Diwali', by: 'Asha Rao' }]);
    const sheet = await ask('admin_read_count_sheet', { category: 'Laddu' });
    const row = sheet.rows.find(({ product_id }: Answer) => product_id === right);
    expect(row.last_counted_at).not.toBeNull();
  });

  test('sent twice, even at the same moment, is booked once', async () => {
    const id = await insertProduct(sql, { stock: 10 });
    const [lines, countId] = [[await counted(id, 7)], randomUUID()];
    const answers = await Promise.all(Array.from({ length: 4 }, () => apply(lines, countId)));
    expect(answers).toEqual(Array(4).fill({ count_id: countId, counted: 1, corrected: 1, refused: [] }));
    expect(await onHand(id)).toBe(7);
  });

  test('emails customers with a back-in-stock request when stock was found', async () => {
    const id = await insertProduct(sql);
    await sql`insert into public.notify_subscriptions (product_id, user_id) values (${id}, ${customer})`;
    await apply([await counted(id, 2)]);
    expect(await sql`select from private.outbox where payload ->> 'product_id' = ${String(id)}`).toHaveLength(1);
  });

  test('refuses a list of nothing, and numbers that are none', async () => {
    await expect(apply([])).rejects.toMatchObject({ code: 'PT422', detail: 'lines' });
    const id = await insertProduct(sql, { stock: 10 });
    const line = await counted(id, 5);
    for (const wrong of [
      { counted: -1 },
      { counted: null },
      { counted_at: null },
      { expected: null },
      { counted_at: '2999-01-01T00:00:00Z' },
    ]) {
      const { refused } = await apply([{ ...line, ...wrong }]);
      expect(refused, JSON.stringify(wrong)).toMatchObject([
        { product_id: id, message: expect.stringContaining('Count it again') },
      ]);
    }
    expect(await onHand(id)).toBe(10);
  });
});

describe('while customers buy', () => {
  test('sales between counting and booking stay booked', async () => {
    const id = await insertProduct(sql, { stock: 20 });
    await sell(id, 2);
    const line = await counted(id, 17);
    await sell(id, 5);
    await apply([line]);
    expect(await onHand(id)).toBe(20 - 2 - 5 - 1);
  });

  test('other manual movements stay booked', async () => {
    const id = await insertProduct(sql, { stock: 20 });
    const line = await counted(id, 18);
    await ask('admin_record_movement', { product_id: id, reason: 'production', units: 30 });
    await apply([line]);
    expect(await onHand(id)).toBe(48);
  });

  test('and in the thick of it the books still add up', async () => {
    const products = await Promise.all(Array.from({ length: 6 }, () => insertProduct(sql, { stock: 500 })));
    const shelf = new Map(products.map((id) => [id, 500 - 7]));
    const selling = products.flatMap((id) => Array.from({ length: 8 }, () => sell(id, 3)));
    const counting = (async () => {
      // Seven of each are missing. Who counts while goods leave counts again until the moment is a quiet one.
      let left = [...products];
      while (left.length > 0) {
        const lines = await Promise.all(
          left.map(async (id) => {
            const line = await counted(id, 0);
            return { ...line, counted: line.expected - 7 };
          }),
        );
        const { refused } = await apply(lines);
        left = refused.map(({ product_id }: Answer) => product_id);
      }
    })();
    await Promise.all([...selling, counting]);
    for (const [id, found] of shelf) expect(await onHand(id)).toBe(found - 24);
  });
});

describe('a line is refused, and the others are booked,', () => {
  test('where less would be left than is held back', async () => {
    const name = newMark('Kaju Katli');
    const [held, free] = [
      await insertProduct(sql, { name, hasSize: true, stock: 5000 }),
      await insertProduct(sql, { stock: 5 }),
    ];
    await sql`update public.stock_levels set reserved = 2000 where product_id = ${held}`;
    const countId = randomUUID();
    const lines = [await counted(held, 1500), await counted(free, 4)];
    const answer = await apply(lines, countId);
    expect(answer).toMatchObject({
      counted: 1,
      corrected: 1,
      refused: [
        {
          product_id: held,
          name,
          message:
            '2 kg of it are being paid for just now, and only 1.5 kg would be left. Wait 10 minutes, or count again.',
        },
      ],
    });
    expect(await apply(lines, countId)).toEqual(answer);
    expect([await onHand(held), await onHand(free)]).toEqual([5000, 4]);
    await sql`update public.stock_levels set reserved = 0 where product_id = ${held}`;
  });

  test('where another administrator’s count was booked since', async () => {
    const id = await insertProduct(sql, { stock: 10 });
    const [mine, theirs] = [await counted(id, 8), await counted(id, 8)];
    await apply([theirs]);
    expect((await apply([mine])).refused).toMatchObject([
      { message: 'Asha Rao saved a count of it while you counted. Count it again.' },
    ]);
    expect(await onHand(id)).toBe(8);
  });

  test('where the line names a stock that the books never had', async () => {
    const id = await insertProduct(sql, { stock: 10 });
    const line = await counted(id, 8);
    const { refused } = await apply([{ ...line, expected: 3 }]);
    expect(refused).toMatchObject([{ message: expect.stringContaining('while you counted') }]);
    expect(await onHand(id)).toBe(10);
  });
});

test('the sheet lists possible stock, including products sold and not yet packed', async () => {
  const [here, gone, leftover] = [
    await insertProduct(sql, { hasSize: true, stock: 9000 }),
    await insertProduct(sql),
    await insertProduct(sql, { stock: 2 }),
  ];
  await sql`update public."Products" set archived_at = now() where "Id" in ${sql([gone, leftover])}`;
  await sell(here, 3);
  await insertPaidOrder(sql, { userId: customer, productId: here, quantity: 1, status: 'Packed' });
  const { rows } = await ask('admin_read_count_sheet');
  const find = (id: number) => rows.find(({ product_id }: Answer) => product_id === id);
  expect(find(here)).toMatchObject({ on_hand: 7000, to_pack: 1500, has_size: true });
  expect(find(gone)).toBeUndefined();
  expect(find(leftover)).toMatchObject({ on_hand: 2 });
  expect(await ask('admin_read_count_moment', { product_id: here })).toMatchObject({ on_hand: 7000, to_pack: 1500 });
  expect((await ask('admin_read_count_sheet', { category: 'Gift' })).rows).toEqual([]);
});
