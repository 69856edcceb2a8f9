import type { Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  nextPurchaseStatuses,
  type PurchaseStatus,
  purchaseMoves,
  purchaseStatuses,
} from '../../domain/purchases/status.ts';
import { purchaseUnits, unitsFor } from '../../domain/purchases/units.ts';
import { gstinProblem } from '../../domain/vendors/gstin.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertProduct, insertUser, newMark } from '../../tests/support/rows.ts';
import { type Ask, asking, insertVendor, order, read, receive, typedLine } from '../../tests/support/stock-room.ts';

let database: TestDatabase;
let sql: Sql;
let ask: Ask;
let administrator: { userId: string };
let vendor: number;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  administrator = { userId: await insertUser(sql, { name: 'Asha Rao', administrator: true }) };
  ask = asking(sql, administrator);
  vendor = await insertVendor(sql);
});
afterEach(async () => expect(await sql`select * from public.check_invariants()`).toEqual([]));
afterAll(() => database.drop());

const save = (lines: object[], more: object = {}) =>
  ask('admin_save_purchase', {
    purchase_id: null,
    seen: null,
    vendor_id: vendor,
    expected_on: null,
    notes: '',
    lines,
    ...more,
  });
const move = (purchase: { id: number; updated_at: string }, to: string) =>
  ask('admin_move_purchase', { purchase_id: purchase.id, seen: purchase.updated_at, to_status: to });
const insertTyped = (values: Record<string, unknown>) =>
  as(
    sql,
    administrator,
    (tx) => tx`insert into public.vendors ${tx({ name: newMark('Vendor'), ...values })} returning id`,
  );

describe('a vendor', () => {
  test.each(['27AAPFU0939F1ZV', '27AAPFU0939F1ZW', '72AAPFU0939F1ZV', '29AAGCB7383J1Z4', ''])(
    'has a GSTIN that adds up, as the form says: "%s"',
    async (gstin) => {
      const attempt = insertTyped({ gstin });
      if (gstin === '' || gstinProblem(gstin) === null) await attempt;
      else await expect(attempt).rejects.toMatchObject({ code: 'PT422', detail: 'gstin' });
    },
  );

  test('of the same name is refused, unless the other is archived', async () => {
    const name = newMark('Gokul');
    const [first] = await insertTyped({ name });
    await expect(insertTyped({ name: ` ${name.toUpperCase()}` })).rejects.toMatchObject({
      code: 'PT422',
      detail: 'name',
    });
    await as(sql, administrator, (tx) => tx`update public.vendors set archived_at = now() where id = ${first?.id}`);
    await insertTyped({ name });
    const back = as(
      sql,
      administrator,
      (tx) => tx`update public.vendors set archived_at = null where id = ${first?.id}`,
    );
    await expect(back).rejects.toMatchObject({ detail: 'name' });
  });

  test('with an open order is not archived', async () => {
    const id = await insertVendor(sql);
    const purchase = await order(ask, id, [{}]);
    const archive = () =>
      as(sql, administrator, (tx) => tx`update public.vendors set archived_at = now() where id = ${id}`);
    await expect(archive()).rejects.toMatchObject({ code: 'PT422', message: expect.stringContaining('still open') });
    await move(purchase, 'Closed');
    await archive();
    await expect(save([typedLine({})], { vendor_id: id })).rejects.toMatchObject({ detail: 'vendor_id' });
  });
});

describe('a draft', () => {
  test('is written, changed and thrown away', async () => {
    const laddu = await insertProduct(sql, { name: newMark('Laddu'), hasSize: true });
    const { id } = await save([
      typedLine({ name: '  Cow ghee ' }),
      typedLine({ productId: laddu, unit: 'g', quantity: 2500 }),
    ]);
    const draft = await read(ask, id);
    expect(draft).toMatchObject({
      status: 'Draft',
      lines: [
        { item_name: 'Cow ghee', unit: 'kg', quantity: 10, unit_cost_paise: 50_000, gst_percent: 5, product: null },
        { unit: 'g', quantity: 2500, product: { id: laddu, has_size: true, unit_cost_paise: null } },
      ],
    });
    const [ghee] = draft.lines;
    await save([{ ...typedLine({ name: 'Cow ghee', quantity: '7.125' }), id: ghee.id }, typedLine({ name: 'Khoya' })], {
      purchase_id: id,
      seen: draft.updated_at,
      notes: 'before six',
      expected_on: '2026-11-20',
    });
    const changed = await read(ask, id);
    expect(changed).toMatchObject({ notes: 'before six', expected_on: '2026-11-20' });
    expect(
      changed.lines.map((line: { id: number; item_name: string; quantity: number }) => [
        line.id === ghee.id,
        line.item_name,
        line.quantity,
      ]),
    ).toEqual([
      [true, 'Cow ghee', 7.125],
      [false, 'Khoya', 10],
    ]);
    await ask('admin_delete_purchase', { purchase_id: id, seen: changed.updated_at });
    expect(await read(ask, id)).toBeNull();
  });

  test('that is sent again because no answer came is one draft, as it was sent last', async () => {
    const again = { entry_id: crypto.randomUUID() };
    const first = await save([typedLine({ name: 'Cow ghee' })], again);
    const second = await save([typedLine({ name: 'Khoya' })], again);
    expect(second.id).toBe(first.id);
    expect((await read(ask, first.id)).lines).toMatchObject([{ item_name: 'Khoya' }]);
    await move(second, 'Ordered');
    await expect(save([typedLine({ name: 'Sugar' })], again)).rejects.toMatchObject({ code: 'PT409' });
    expect((await read(ask, first.id)).lines).toMatchObject([{ item_name: 'Khoya' }]);
  });

  test('that another administrator changed in the meantime is not overwritten', async () => {
    const draft = await order(ask, vendor, [{}], { draft: true });
    const mine = { purchase_id: draft.id, seen: draft.updated_at };
    await save([typedLine({ name: 'Khoya' })], mine);
    for (const late of [
      () => save([typedLine({ name: 'Sugar' })], mine),
      () => move(draft, 'Ordered'),
      () => ask('admin_delete_purchase', mine),
      () => ask('admin_save_purchase_note', { ...mine, expected_on: null, notes: 'x' }),
    ])
      await expect(late()).rejects.toMatchObject({ code: 'PT409', detail: 'stale' });
    expect((await read(ask, draft.id)).lines).toMatchObject([{ item_name: 'Khoya' }]);
  });

  const sized = () => insertProduct(sql, { hasSize: true });
  test.each<[string, () => object | Promise<object>, string]>([
    ['a quantity of nothing', () => typedLine({ quantity: 0 }), 'quantity'],
    ['a quantity below nothing', () => typedLine({ quantity: -1 }), 'quantity'],
    ['four decimals', () => typedLine({ quantity: '1.0001' }), 'quantity'],
    ['words for a quantity', () => typedLine({ quantity: 'much' }), 'quantity'],
    ['more than a lakh', () => typedLine({ quantity: 100_001 }), 'quantity'],
    ['no name', () => typedLine({ name: '  ' }), 'item_name'],
    ['a name without end', () => typedLine({ name: 'x'.repeat(121) }), 'item_name'],
    ['a unit of fantasy', () => typedLine({ unit: 'tola' }), 'unit'],
    ['no unit', () => ({ ...typedLine({}), unit: null }), 'unit'],
    ['no cost', () => ({ ...typedLine({}), unit_cost_paise: null }), 'unit_cost'],
    ['a cost below nothing', () => typedLine({ costPaise: -1 }), 'unit_cost'],
    ['half a paisa', () => typedLine({ costPaise: 0.5 }), 'unit_cost'],
    ['too much GST', () => typedLine({ gst: 41 }), 'gst_percent'],
    ['an unknown product', () => typedLine({ productId: 99_999_999 }), 'item_name'],
    [
      'half a gram to the shelf',
      async () => typedLine({ productId: await sized(), unit: 'g', quantity: '0.5' }),
      'quantity',
    ],
  ])('is refused for %s, at the line and field', async (_what, line, field) => {
    const before = await sql`select count(*) from public.purchase_orders`;
    const attempt = save([typedLine({}), await line()]);
    await expect(attempt).rejects.toMatchObject({ code: 'PT422', detail: `lines.1.${field}` });
    expect(await sql`select count(*) from public.purchase_orders`).toEqual(before);
  });

  test('buys resold products in the unit they are sold in, as the form offers', async () => {
    for (const hasSize of [true, false]) {
      const productId = await insertProduct(sql, { hasSize });
      for (const unit of purchaseUnits) {
        const attempt = save([typedLine({ productId, unit })]);
        if (unitsFor({ hasSize }).includes(unit)) await attempt;
        else await expect(attempt, unit).rejects.toMatchObject({ detail: 'lines.0.unit' });
      }
    }
  });

  test('without lines is not kept, and not sent', async () => {
    const drafts = () => sql`select id from public.purchase_orders`;
    const before = await drafts();
    await expect(save([])).rejects.toMatchObject({ code: 'PT422', detail: 'lines' });
    expect(await drafts()).toEqual(before);
    const emptied = await save([typedLine({})]);
    await sql`delete from public.purchase_order_items where purchase_order_id = ${emptied.id}`;
    await expect(move(emptied, 'Ordered')).rejects.toMatchObject({ code: 'PT422', detail: 'lines' });
  });
});

describe('the moves of a purchase order', () => {
  test('are the same in the database as in domain/purchases/status.ts', async () => {
    const edges = await sql`select from_status as from, to_status as to, through from private.purchase_status_edges`;
    const sorted = (moves: readonly object[]) =>
      moves.map((one) => JSON.stringify(one, ['from', 'to', 'through'])).sort();
    expect(sorted(edges)).toEqual(sorted(purchaseMoves));
  });

  async function purchaseThatIs(status: PurchaseStatus) {
    const purchase = await order(ask, vendor, [{}], { draft: status === 'Draft' });
    if (status === 'Received') await receive(ask, purchase, { quantities: [1] });
    if (status === 'Closed') await move(purchase, 'Closed');
    return read(ask, purchase.id);
  }

  test.each(purchaseStatuses)('from %s go only where a person may take it', async (from) => {
    for (const to of purchaseStatuses) {
      const purchase = await purchaseThatIs(from);
      expect(purchase.status).toBe(from);
      const attempt = move(purchase, to);
      if (nextPurchaseStatuses(from).includes(to)) expect(await attempt).toMatchObject({ status: to });
      else await expect(attempt, `${from} to ${to}`).rejects.toMatchObject({ code: 'PT409' });
    }
  });

  test.each(purchaseStatuses)('from %s are guarded for every role', async (from) => {
    for (const to of purchaseStatuses.filter((status) => status !== from)) {
      const { id } = await purchaseThatIs(from);
      const attempt = sql`update public.purchase_orders set status = ${to} where id = ${id}`.execute();
      if (purchaseMoves.some((edge) => edge.from === from && edge.to === to)) await attempt;
      else await expect(attempt, `${from} to ${to}`).rejects.toMatchObject({ code: 'PT409' });
    }
  });

  test('leave notes and the expected day open, and the lines shut', async () => {
    const purchase = await order(ask, vendor, [{}]);
    const seen = { purchase_id: purchase.id, seen: purchase.updated_at };
    await expect(save([typedLine({ quantity: 99 })], seen)).rejects.toMatchObject({ code: 'PT409' });
    await expect(ask('admin_delete_purchase', seen)).rejects.toMatchObject({ code: 'PT409' });
    await ask('admin_save_purchase_note', { ...seen, expected_on: '2026-12-01', notes: 'called: comes later' });
    expect(await read(ask, purchase.id)).toMatchObject({
      status: 'Ordered',
      expected_on: '2026-12-01',
      notes: 'called: comes later',
      lines: [{ quantity: 10 }],
    });
  });
});

test('the list is filtered, searched and read page by page', async () => {
  const own = await insertVendor(sql, { name: newMark('Sahyadri') });
  const things = newMark('Jaggery');
  for (let count = 0; count < 51; count++)
    await order(ask, own, [{ name: count === 7 ? things : 'Sugar' }], { draft: count >= 50 });
  const list = (filter: object, after: unknown = null) =>
    ask('admin_list_purchases', { filter: { vendor_id: own, ...filter }, after });
  const first = await list({});
  expect(first).toMatchObject({ count: 51, count_is_capped: false });
  expect(first.rows).toHaveLength(50);
  const second = await list({}, first.next);
  expect(second.rows).toHaveLength(1);
  expect(second.next).toBeNull();
  const ids = [...first.rows, ...second.rows].map(({ id }) => id);
  expect(new Set(ids).size).toBe(51);
  expect(ids).toEqual([...ids].sort((a, b) => b - a));
  expect(first.rows[0]).toMatchObject({
    status: 'Draft',
    lines: 1,
    things: 'Sugar',
    total_paise: 525_000,
    is_short: true,
    has_come: false,
  });
  expect((await list({ status: 'Draft' })).count).toBe(1);
  expect((await list({ status: 'open' })).count).toBe(50);
  expect((await list({ search: things.toUpperCase() })).rows).toHaveLength(1);
  expect((await list({ search: String(ids[3]) })).rows).toMatchObject([{ id: ids[3] }]);
  expect((await list({ search: '%' })).count).toBe(0);
  expect((await ask('admin_list_purchases', { filter: { search: 'sahyadri' } })).count).toBe(51);
});

test('prices are remembered by the name of the item, in upper or lower case', async () => {
  const name = newMark('Saffron');
  const [one, two] = [await insertVendor(sql), await insertVendor(sql)];
  await order(ask, one, [{ name, unit: 'g', quantity: 50, costPaise: 26_500 }]);
  await order(ask, two, [{ name: name.toUpperCase(), unit: 'kg', quantity: '0.05', costPaise: 27_200_000 }]);
  await order(ask, two, [{ name, unit: 'g', costPaise: 1 }], { draft: true });
  const { rows } = await ask('admin_read_item_prices', { item_name: name.toLowerCase() });
  expect(rows).toMatchObject([
    { unit: 'kg', unit_cost_paise: 27_200_000, compared_unit: 'kg', compared_paise: 27_200_000, vendor_id: two },
    { unit: 'g', unit_cost_paise: 26_500, compared_unit: 'kg', compared_paise: 26_500_000, vendor_id: one },
  ]);
  const { rows: bought } = await ask('admin_list_bought_items', { search: name });
  expect(bought).toMatchObject([
    { item_name: name.toUpperCase(), unit: 'kg', times: 2, last_paise: 27_200_000, before_paise: 26_500_000 },
  ]);
  expect((await ask('admin_list_bought_items', { vendor_id: one, search: name })).rows).toMatchObject([
    { times: 1, before_paise: null },
  ]);
  const found = await ask('admin_find_items', { search: name.slice(3).toUpperCase(), vendor_id: one });
  expect(found).toMatchObject([{ product_id: null, last_price: { unit: 'kg', unit_cost_paise: 27_200_000 } }]);
});

test('a thing that we sell is found as a product, once', async () => {
  const name = newMark('Kulfi');
  const productId = await insertProduct(sql, { name });
  await order(ask, vendor, [{ productId, unit: 'piece', quantity: 24, costPaise: 3450 }]);
  expect(await ask('admin_find_items', { search: name.toLowerCase() })).toMatchObject([
    { name, product_id: productId, has_size: false, last_price: { unit: 'piece', unit_cost_paise: 3450 } },
  ]);
});

test('every change is in the log, with who did it', async () => {
  const purchase = await order(ask, vendor, [{}]);
  await receive(ask, purchase, { quantities: [4] });
  const [{ actors } = { actors: [] }] = await sql<{ actors: string[] }[]>`
    select array_agg(distinct table_name || ' ' || action order by table_name || ' ' || action) as actors from public.audit_log
    where actor_id = ${administrator.userId} and (row_id = ${String(purchase.id)} and table_name = 'purchase_orders'
      or table_name in ('purchase_receipts', 'vendor_bills') or table_name = 'purchase_order_items' and row_id = ${String(purchase.lines[0].id)})`;
  expect(actors).toEqual([
    'purchase_order_items insert',
    'purchase_order_items update',
    'purchase_orders insert',
    'purchase_orders update',
    'purchase_receipts insert',
    'vendor_bills insert',
  ]);
});
