import type { Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { stockStatus } from '../../domain/stock/stock-status.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertPaidOrder, insertProduct, insertUser, newMark } from '../../tests/support/rows.ts';
import { type Answer, type Ask, asking, insertVendor, order } from '../../tests/support/stock-room.ts';

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
afterEach(async () => expect(await sql`select * from public.check_invariants()`).toEqual([]));
afterAll(() => database.drop());

const onHand = async (productId: number) =>
  (await sql`select on_hand from public.stock_levels where product_id = ${productId}`)[0]?.on_hand;
const setCost = (productId: number, cost: number) =>
  sql`insert into private.product_costs (product_id, unit_cost, valid_from) values (${productId}, ${cost}, now() - interval '1 day')`;
const wastedOnTheDay = async () => {
  const [row] = await sql`
    select sum(wastage_paise)::int as paise from private.day_figures(private.day_of(now()) - 1, private.day_of(now()))`;
  return row?.paise;
};
const wait = (productId: number, userId = customer) =>
  sql`insert into public.notify_subscriptions (product_id, user_id) values (${productId}, ${userId})`;
const record = (productId: number, reason: string, units: number, note = '') =>
  ask('admin_record_movement', { product_id: productId, reason, units, note });
const undo = (movementId: number) => ask('admin_undo_movement', { movement_id: movementId });
const stockOf = (productId: number) => ask('admin_read_stock', { product_id: productId });
const historyOf = (productId: number, filter: object = {}, after: unknown = null) =>
  ask('admin_list_movements', { filter: { product_id: productId, ...filter }, after });

describe('the list of stock', () => {
  const mark = newMark('List');
  const named = (name: string) => `${mark} ${name}`;
  const list = (filter: object = {}, after: unknown = null) =>
    ask('admin_list_stock', { filter: { search: mark, ...filter }, after });
  const names = ({ rows }: Answer) => rows.map(({ name }: { name: string }) => name.slice(mark.length + 1));

  test('begins with products out of stock that have requests, then out of stock, then low stock', async () => {
    const lots = await insertProduct(sql, { name: named('a lots'), hasSize: true, stock: 9000 });
    const low = await insertProduct(sql, { name: named('b low'), hasSize: true, stock: 2000 });
    const out = await insertProduct(sql, { name: named('c out') });
    const waited = await insertProduct(sql, { name: named('d waited') });
    const hidden = await insertProduct(sql, { name: named('e unlisted'), listed: false });
    const gone = await insertProduct(sql, { name: named('f archived') });
    await sql`update public."Products" set archived_at = now() where "Id" = ${gone}`;
    await sql`update public.stock_levels set low_at = 3000 where product_id in ${sql([lots, low])}`;
    await wait(waited);
    const all = await list();
    expect(names(all)).toEqual(['d waited', 'c out', 'b low', 'a lots', 'e unlisted']);
    expect(all).toMatchObject({ count: 5, count_is_capped: false, next: null });
    expect(all.rows[0]).toMatchObject({ product_id: waited, waiting: 1, on_hand: 0, reserved: 0, is_listed: true });
    expect(all.rows[2]).toMatchObject({
      product_id: low,
      has_size: true,
      on_hand: 2000,
      low_at: 3000,
      cover_days: null,
    });
    expect(names(await list({ show: 'out' }))).toEqual(['d waited', 'c out']);
    expect(names(await list({ show: 'low' }))).toEqual(['b low']);
    expect(names(await list({ show: 'waiting' }))).toEqual(['d waited']);
    expect(names(await list({ category: 'Halwa' }))).toEqual([]);
    expect(names(await list({ sort: 'name', descending: true }))).toEqual([
      'e unlisted',
      'd waited',
      'c out',
      'b low',
      'a lots',
    ]);
    expect(names(await list({ sort: 'saleable', descending: true })).slice(0, 2)).toEqual(['a lots', 'b low']);
    expect(names(await list({ sort: 'waiting', descending: true }))[0]).toBe('d waited');
    void [out, hidden];
  });

  test('counts agree with the tiles of the dashboard', async () => {
    const summary = await ask('admin_read_stock_summary');
    const todo = await ask('admin_read_todo');
    expect([summary.low, summary.waiting]).toEqual([todo.low_stock, todo.waited_for]);
    expect((await ask('admin_list_stock', { filter: { show: 'low' } })).count).toBe(summary.low);
    expect((await ask('admin_list_stock', { filter: { show: 'out' } })).count).toBe(summary.out);
  });

  test('unfiltered it is the same as the whole of it, part by part', async () => {
    const whole: number[] = [];
    let after: unknown = null;
    do {
      const page: Answer = await ask('admin_list_stock', { filter: {}, after });
      whole.push(
        ...page.rows.map(({ key, product_id }: Answer) => (whole.length === 0 && key > 4 ? Number.NaN : product_id)),
      );
      expect(page.rows.map(({ key }: Answer) => key)).toEqual(
        page.rows.map(({ key }: Answer) => key).toSorted((a: number, b: number) => a - b),
      );
      after = page.next;
      if (after === null) expect(page.count).toBe(whole.length);
    } while (after !== null);
    const [row] =
      await sql`select count(*)::int as all from public."Products" p join public.stock_levels s on s.product_id = p."Id"
      where p.archived_at is null or s.on_hand > 0`;
    expect(new Set(whole).size).toBe(row?.all);
  });

  test('shows the stock value, and how much of it is unknown', async () => {
    const before = await ask('admin_read_stock_value');
    const [known, unknown] = [
      await insertProduct(sql, { hasSize: true, stock: 1250 }),
      await insertProduct(sql, { stock: 3 }),
    ];
    await setCost(known, 292.5);
    expect(await ask('admin_read_stock_value')).toEqual({
      value_paise: before.value_paise + 73_125,
      without_cost: before.without_cost + 1,
    });
    void unknown;
  });

  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

  test('shows how many days are left by the sales of four weeks, less returns', async () => {
    const id = await insertProduct(sql, { name: named('cover'), stock: 100 });
    await sql`update public."Products" set created_at = now() - interval '1 year' where "Id" = ${id}`;
    const sold = await insertPaidOrder(sql, { userId: customer, productId: id, quantity: 14 });
    await insertPaidOrder(sql, { userId: customer, productId: id, quantity: 14 });
    const coverIn = async (days: number, sort?: string) =>
      (await ask('admin_list_stock', { filter: { search: named('cover'), sort }, at: inDays(days) })).rows[0]
        .cover_days;
    expect(await coverIn(0), 'today is not over').toBeNull();
    expect(await coverIn(1)).toBe(72);
    expect(await coverIn(2, 'cover')).toBe(72);
    expect(await ask('admin_read_stock', { product_id: id, at: inDays(2) })).toMatchObject({
      sold_per_day: 1,
      cover_days: 72,
    });
    await sql`update public.orders set status = 'canceled' where id = ${sold.id}`;
    expect(await coverIn(3)).toBe(172);
    expect(await coverIn(29)).toBeNull();
  });

  test('calculates a new product by the days it exists', async () => {
    const id = await insertProduct(sql, { stock: 30 });
    await insertPaidOrder(sql, { userId: customer, productId: id, quantity: 10 });
    expect(await ask('admin_read_stock', { product_id: id, at: inDays(2) })).toMatchObject({
      sold_per_day: 5,
      cover_days: 4,
    });
  });

  test.each(['', 'name', 'saleable', 'cover', 'waiting'])('is read page by page, by "%s", both ways', async (sort) => {
    const pages = newMark('Pages');
    for (let count = 0; count < 55; count++)
      await insertProduct(sql, {
        name: `${pages} ${count % 7} ${count}`,
        stock: count % 5,
        hasSize: count % 2 === 0,
      });
    for (const descending of [false, true]) {
      const first = await ask('admin_list_stock', { filter: { search: pages, sort, descending } });
      const second = await ask('admin_list_stock', {
        filter: { search: pages, sort, descending },
        after: first.next,
      });
      expect(first.rows).toHaveLength(50);
      expect(second.rows).toHaveLength(5);
      expect(second.next).toBeNull();
      expect(new Set([...first.rows, ...second.rows].map(({ product_id }: Answer) => product_id)).size).toBe(55);
    }
  });

  test('has the same standings as domain/stock/stock-status.ts', async () => {
    const name = newMark('Standing');
    const expected: Record<string, string[]> = { out: [], low: [], fine: [] };
    for (const onHand of [0, 1, 5, 9])
      for (const lowAt of [0, 4, 5]) {
        const called = `${name} ${onHand} ${lowAt}`;
        const id = await insertProduct(sql, { name: called, stock: onHand });
        await sql`update public.stock_levels set low_at = ${lowAt} where product_id = ${id}`;
        expected[stockStatus({ onHand, reserved: 0, lowAt })]?.push(called);
      }
    const shown = async (show: string) =>
      (await ask('admin_list_stock', { filter: { search: name, show, sort: 'name' } })).rows.map(
        (row: Answer) => row.name,
      );
    expect(await shown('out')).toEqual(expected.out);
    expect(await shown('low')).toEqual(expected.low);
    expect(await shown('')).toHaveLength(12);
  });
});

test('one product shows what is ordered, requested, sold and lost', async () => {
  const id = await insertProduct(sql, { hasSize: true, stock: 10_000 });
  await setCost(id, 150);
  await wait(id);
  await insertPaidOrder(sql, { userId: customer, productId: id, quantity: 4 });
  await insertPaidOrder(sql, { userId: customer, productId: id, quantity: 1, status: 'Packed' });
  await record(id, 'wastage', 750, 'fell');
  await order(ask, await insertVendor(sql, { name: 'Himkan' }), [{ productId: id, quantity: '12.5' }]);
  expect(await stockOf(id)).toMatchObject({
    on_hand: 6750,
    to_pack: 2000,
    unit_cost_paise: 15_000,
    waiting: { people: 1 },
    wasted: { units: 750, value_paise: 22_500, unknown: false },
    coming: [{ vendor: 'Himkan', quantity: 12.5, unit: 'kg' }],
  });
  expect(await ask('admin_read_stock', { product_id: 99_999_999 })).toBeNull();
});

describe('a manual movement', () => {
  test('adds production and returns, and subtracts waste', async () => {
    const id = await insertProduct(sql, { hasSize: true });
    await record(id, 'production', 5000, 'batch 7');
    await record(id, 'return', 500);
    expect(await record(id, 'wastage', 1250, 'past its date')).toMatchObject({ on_hand: 4250 });
    const { rows } = await historyOf(id);
    expect(rows).toMatchObject([
      {
        quantity: -1250,
        reason: 'wastage',
        note: 'past its date',
        by: 'Asha Rao',
        on_hand_after: 4250,
        loss_paise: null,
      },
      { quantity: 500, reason: 'return', on_hand_after: 5500 },
      { quantity: 5000, reason: 'production', on_hand_after: 5000 },
    ]);
  });

  test('that is sent twice, because no answer came, is one', async () => {
    const id = await insertProduct(sql, { hasSize: true, stock: 5000 });
    const entry = { product_id: id, reason: 'wastage', units: 1000, note: 'burnt', entry_id: crypto.randomUUID() };
    const first = await ask('admin_record_movement', entry);
    expect(await ask('admin_record_movement', entry)).toEqual(first);
    expect(await onHand(id)).toBe(4000);
    await expect(ask('admin_record_movement', { ...entry, units: 2000 })).rejects.toMatchObject({
      code: 'PT409',
      detail: 'stale',
    });
    await ask('admin_record_movement', { ...entry, entry_id: crypto.randomUUID() });
    expect(await onHand(id)).toBe(3000);
  });

  test('emails customers with a back-in-stock request', async () => {
    const id = await insertProduct(sql);
    await wait(id);
    await record(id, 'production', 12);
    expect(
      await sql`select payload ->> 'user_id' as notified from private.outbox where payload ->> 'product_id' = ${String(id)}`,
    ).toEqual([{ notified: customer }]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no reason', { reason: null }, 'reason'],
    ['a sale', { reason: 'sale' }, 'reason'],
    ['a count', { reason: 'count' }, 'reason'],
    ['nothing', { units: 0 }, 'quantity'],
    ['less than nothing', { units: -5 }, 'quantity'],
    ['wastage without a word', { reason: 'wastage', note: '  ' }, 'note'],
    ['a note without end', { note: 'x'.repeat(301) }, 'note'],
    ['more wastage than there is', { reason: 'wastage', units: 11, note: 'x' }, 'quantity'],
  ])('is refused for %s', async (_what, more, field) => {
    const product_id = await insertProduct(sql, { stock: 10 });
    await expect(
      ask('admin_record_movement', { product_id, reason: 'production', units: 1, ...more }),
    ).rejects.toMatchObject({
      code: 'PT422',
      detail: field,
    });
    expect(await onHand(product_id)).toBe(10);
  });

  test('never takes stock that is reserved for a customer who is paying', async () => {
    const id = await insertProduct(sql, { hasSize: true, stock: 3000 });
    await sql`update public.stock_levels set reserved = 2500 where product_id = ${id}`;
    await expect(record(id, 'wastage', 501, 'fell')).rejects.toMatchObject({
      message: 'Only 0.5 kg can be taken out: the rest is reserved for customers who are paying, or gone.',
    });
    await record(id, 'wastage', 500, 'fell');
    await sql`update public.stock_levels set reserved = 0 where product_id = ${id}`;
  });
});

describe('an undone movement', () => {
  test('leaves both in the books, and sums by reason as if it had not been', async () => {
    const id = await insertProduct(sql, { stock: 10 });
    await setCost(id, 20);
    const before = await wastedOnTheDay();
    const { id: wasted } = await record(id, 'wastage', 4, 'miscounted');
    await sql`insert into private.product_costs (product_id, unit_cost, valid_from) values (${id}, 90, now())`;
    expect(await undo(wasted)).toMatchObject({ on_hand: 10 });
    const { rows } = await historyOf(id);
    expect(rows).toMatchObject([
      { quantity: 4, reason: 'wastage', undoes: wasted, loss_paise: -8000, on_hand_after: 10 },
      { id: wasted, quantity: -4, undone_by: rows[0].id, loss_paise: 8000, on_hand_after: 6 },
      { reason: 'production' },
    ]);
    expect((await stockOf(id)).wasted).toMatchObject({ units: 0, value_paise: 0 });
    expect(await wastedOnTheDay()).toBe(before);
  });

  test('is undone once, and the undo itself cannot be undone', async () => {
    const id = await insertProduct(sql);
    const { id: made } = await record(id, 'production', 6);
    const outcomes = await Promise.allSettled([undo(made), undo(made), undo(made)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await onHand(id)).toBe(0);
    const [undoing] = (await historyOf(id)).rows;
    await expect(undo(undoing.id)).rejects.toMatchObject({ code: 'PT409' });
  });

  test('is refused where the goods are gone, with the sentence', async () => {
    const id = await insertProduct(sql);
    const { id: made } = await record(id, 'production', 6);
    await insertPaidOrder(sql, { userId: customer, productId: id, quantity: 2 });
    await expect(undo(made)).rejects.toMatchObject({
      code: 'PT422',
      message: 'Only 4 pieces can be taken out, too little to reverse 6 pieces.',
    });
  });

  test('is not for sales and receipts', async () => {
    const id = await insertProduct(sql, { stock: 10 });
    await insertPaidOrder(sql, { userId: customer, productId: id });
    const [sale] = (await historyOf(id)).rows;
    expect(sale).toMatchObject({ reason: 'sale', order_number: expect.any(Number), by: null });
    await expect(undo(sale.id)).rejects.toMatchObject({ code: 'PT409' });
  });

  test('cannot be written around the request', async () => {
    const id = await insertProduct(sql, { stock: 10 });
    const attempt = sql.begin(async (tx) => {
      await tx`insert into public.stock_movements (product_id, quantity, reason) values (${id}, 5, 'wastage')`;
    });
    await expect(attempt).rejects.toMatchObject({ code: '23514' });
  });
});

test('the history is filtered by reason and read page by page, of one product and of all', async () => {
  const id = await insertProduct(sql, { hasSize: true, stock: 60_000 });
  await sql`insert into public.stock_movements (product_id, quantity, reason, note)
    select ${id}, case when n % 10 = 0 then -100 else 100 end, case when n % 10 = 0 then 'wastage' else 'production' end, n::text
    from generate_series(1, 60) n`;
  const first = await historyOf(id);
  const second = await historyOf(id, {}, first.next);
  const all = [...first.rows, ...second.rows];
  expect(all).toHaveLength(61);
  expect(second.next).toBeNull();
  let left = await onHand(id);
  for (const movement of all) {
    expect(movement.on_hand_after).toBe(left);
    left -= movement.quantity;
  }
  expect(left).toBe(0);
  const wasted = await historyOf(id, { reason: 'wastage' });
  expect(wasted.rows).toHaveLength(6);
  expect(wasted.rows[0]).toMatchObject({ on_hand_after: null, note: '60' });
  const everywhere = await ask('admin_list_movements', { filter: {} });
  expect(everywhere.rows).toHaveLength(50);
  const older = await ask('admin_list_movements', { filter: {}, after: everywhere.next });
  expect(older.rows[0].id).toBe(everywhere.rows[49].id - 1);
  expect(
    (await ask('admin_list_movements', { filter: { reason: 'sale' } })).rows.every(
      ({ reason }: Answer) => reason === 'sale',
    ),
  ).toBe(true);
});

test('the low-stock level is set manually; sales do not make it stale, another administrator’s change does', async () => {
  const id = await insertProduct(sql, { stock: 10 });
  await insertPaidOrder(sql, { userId: customer, productId: id });
  expect(await ask('admin_set_low_mark', { product_id: id, seen: 0, low_at: 8 })).toEqual({
    product_id: id,
    low_at: 8,
  });
  await expect(ask('admin_set_low_mark', { product_id: id, seen: 0, low_at: 5 })).rejects.toMatchObject({
    detail: 'stale',
  });
  await expect(ask('admin_set_low_mark', { product_id: id, seen: 8, low_at: -1 })).rejects.toMatchObject({
    detail: 'low_at',
  });
  const [entry] =
    await sql`select before, after from public.audit_log where table_name = 'stock_levels' and row_id = ${String(id)}`;
  expect(entry).toEqual({ before: { low_at: 0 }, after: { low_at: 8 } });
});
