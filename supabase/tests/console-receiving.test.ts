import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { paise } from '../../domain/money.ts';
import { lineAmount } from '../../domain/purchases/amounts.ts';
import { type PurchaseUnit, productCostPaise, stockUnits } from '../../domain/purchases/units.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';
import {
  type Answer,
  type Ask,
  asking,
  brokenPurchases,
  type Came,
  insertVendor,
  order,
  read,
  receive,
} from '../../tests/support/stock-room.ts';

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
  expect(await brokenPurchases(sql)).toEqual([]);
});
afterAll(() => database.drop());

const onHand = async (productId: number) =>
  (await sql`select on_hand from public.stock_levels where product_id = ${productId}`)[0]?.on_hand;
const movementsOf = (productId: number) =>
  sql`select quantity, reason, undoes is not null as undoes from public.stock_movements where product_id = ${productId} order by id`;
const costOf = async (productId: number) =>
  (await sql`select private.unit_cost_at(${productId}, now()) as cost`)[0]?.cost;
const owedTo = async (vendorId: number) => (await ask('admin_read_vendor', { vendor_id: vendorId })).owed_paise;

describe('goods that came', () => {
  test('are in stock, in the received quantities and in the payables, part by part', async () => {
    const vendor = await insertVendor(sql, { terms: 15 });
    const laddu = await insertProduct(sql, { hasSize: true });
    const purchase = await order(ask, vendor, [
      { productId: laddu, quantity: '12.5', costPaise: 58_501, gst: 5 },
      { name: 'Boxes', unit: 'piece', quantity: 300, costPaise: 4100, gst: 18 },
    ]);
    await receive(ask, purchase, {
      quantities: ['4.125', null],
      at: new Date('2026-11-10T06:00:00Z'),
      bill_number: ' GO/17 ',
    });
    const part = await read(ask, purchase.id);
    expect(part).toMatchObject({ status: 'Received', lines: [{ received_quantity: 4.125 }, { received_quantity: 0 }] });
    expect(await onHand(laddu)).toBe(4125);
    const bill = lineAmount({ thousandths: 4125, unitCostPaise: paise(58_501), gstPercent: 5 });
    expect(part.receipts).toMatchObject([
      {
        by: 'Asha Rao',
        bill: { bill_number: 'GO/17', billed_on: '2026-11-10', due_on: '2026-11-25', amount_paise: bill.totalPaise },
        lines: [{ item_id: purchase.lines[0].id, quantity: 4.125 }],
      },
    ]);
    await receive(ask, part, { quantities: ['8.375', 300], at: new Date('2026-11-12T06:00:00Z') });
    const whole = await read(ask, purchase.id);
    expect(whole).toMatchObject({
      status: 'Received',
      lines: [{ received_quantity: 12.5 }, { received_quantity: 300 }],
    });
    expect(await onHand(laddu)).toBe(12_500);
    expect(await owedTo(vendor)).toBe(
      bill.totalPaise +
        lineAmount({ thousandths: 8375, unitCostPaise: paise(58_501), gstPercent: 5 }).totalPaise +
        lineAmount({ thousandths: 300_000, unitCostPaise: paise(4100), gstPercent: 18 }).totalPaise,
    );
  });

  test('email customers with a back-in-stock request, once', async () => {
    const kulfi = await insertProduct(sql);
    await sql`insert into public.notify_subscriptions (product_id, user_id) values (${kulfi}, ${customer})`;
    const purchase = await order(ask, await insertVendor(sql), [{ productId: kulfi, unit: 'piece', quantity: 24 }]);
    await receive(ask, purchase, { quantities: [12] });
    await receive(ask, await read(ask, purchase.id), { quantities: [12] });
    const emails = await sql`select payload from private.outbox where payload ->> 'product_id' = ${String(kulfi)}`;
    expect(emails).toMatchObject([{ payload: { template: 'back-in-stock', user_id: customer } }]);
    expect(await sql`select from public.notify_subscriptions where product_id = ${kulfi}`).toHaveLength(0);
  });

  test.each<[PurchaseUnit, string, number]>([
    ['kg', '0.001', 100],
    ['kg', '1.005', 58_501],
    ['g', '250', 265],
    ['piece', '24', 3450],
  ])('come to the shelf exactly, and may say what the product costs: %s', async (unit, quantity, costPaise) => {
    const productId = await insertProduct(sql, { hasSize: unit !== 'piece' });
    const purchase = await order(ask, await insertVendor(sql), [{ productId, unit, quantity, costPaise }]);
    await receive(ask, purchase, { quantities: [quantity], setsCost: true });
    expect(await onHand(productId)).toBe(stockUnits(Math.round(Number(quantity) * 1000), unit));
    expect(Number(await costOf(productId)) * 100).toBeCloseTo(productCostPaise(paise(costPaise), unit), 6);
  });

  test('leave the cost unchanged unless requested', async () => {
    const productId = await insertProduct(sql);
    await sql`insert into private.product_costs (product_id, unit_cost, valid_from) values (${productId}, 30, now() - interval '1 day')`;
    const purchase = await order(ask, await insertVendor(sql), [{ productId, unit: 'piece', costPaise: 3450 }]);
    await receive(ask, purchase, { quantities: [5], setsCost: false });
    expect(await costOf(productId)).toBe('30.00');
    await receive(ask, await read(ask, purchase.id), { quantities: [5], setsCost: true });
    expect(await costOf(productId)).toBe('34.50');
  });

  test('beyond the ordered quantity are refused, unless confirmed', async () => {
    const purchase = await order(ask, await insertVendor(sql), [{ quantity: 10 }]);
    await receive(ask, purchase, { quantities: [8] });
    const seen = await read(ask, purchase.id);
    await expect(receive(ask, seen, { quantities: [3] })).rejects.toMatchObject({
      code: 'PT422',
      detail: 'lines.0.quantity',
      message: expect.stringContaining('More than the 10 kg ordered (8 kg already received)'),
    });
    await receive(ask, seen, { quantities: [3], allow_more: true });
    expect((await read(ask, purchase.id)).lines).toMatchObject([{ received_quantity: 11 }]);
  });

  test('include the other items of the bill, and are never negative', async () => {
    const vendor = await insertVendor(sql);
    const purchase = await order(ask, vendor, [{ quantity: 1, costPaise: 10_037, gst: 0 }]);
    await expect(receive(ask, purchase, { quantities: [1], adjustment_paise: -10_038 })).rejects.toMatchObject({
      detail: 'adjustment',
    });
    await receive(ask, purchase, { quantities: [1], adjustment_paise: -37 });
    expect(await owedTo(vendor)).toBe(10_000);
  });

  test('that cost nothing make no bill', async () => {
    const vendor = await insertVendor(sql);
    const purchase = await order(ask, vendor, [{ costPaise: 0 }]);
    await receive(ask, purchase, { quantities: [10] });
    expect((await read(ask, purchase.id)).receipts).toMatchObject([{ bill: null }]);
    expect(await owedTo(vendor)).toBe(0);
  });

  test.each<[string, Came, string]>([
    ['nothing', { quantities: [null] }, 'lines'],
    ['a quantity of nothing', { quantities: [0] }, 'lines.0.quantity'],
    ['a part of a gram', { quantities: ['0.0001'] }, 'lines.0.quantity'],
    ['tomorrow’s bill', { quantities: [1], billed_on: '2999-01-01' }, 'billed_on'],
    ['a line that is wrong after one that is right', { quantities: [1, -1] }, 'lines.1.quantity'],
  ])('are refused for %s, and nothing is half-written', async (_what, came, field) => {
    const product = await insertProduct(sql, { hasSize: true });
    const purchase = await order(ask, await insertVendor(sql), [{ productId: product }, {}]);
    await expect(receive(ask, purchase, came)).rejects.toMatchObject({ code: 'PT422', detail: field });
    expect(await read(ask, purchase.id)).toEqual(purchase);
    expect(await onHand(product)).toBe(0);
  });

  test('are refused for a line of another order', async () => {
    const vendor = await insertVendor(sql);
    const [purchase, other] = [await order(ask, vendor, [{}]), await order(ask, vendor, [{}])];
    const attempt = receive(ask, { ...purchase, lines: other.lines }, { quantities: [1] });
    await expect(attempt).rejects.toMatchObject({ code: 'PT422', detail: 'lines.0.quantity' });
  });

  test('are not booked on a draft or a closed order', async () => {
    const draft = await order(ask, await insertVendor(sql), [{}], { draft: true });
    await expect(receive(ask, draft, { quantities: [1] })).rejects.toMatchObject({ code: 'PT409' });
    const purchase = await order(ask, await insertVendor(sql), [{}]);
    await ask('admin_move_purchase', { purchase_id: purchase.id, seen: purchase.updated_at, to_status: 'Closed' });
    await expect(receive(ask, await read(ask, purchase.id), { quantities: [1] })).rejects.toMatchObject({
      code: 'PT409',
    });
  });

  test('of a product that is now sold another way are refused', async () => {
    const productId = await insertProduct(sql, { hasSize: true });
    const purchase = await order(ask, await insertVendor(sql), [{ productId }]);
    await sql`update public."Products" set "hasSize" = false where "Id" = ${productId}`;
    await expect(receive(ask, purchase, { quantities: [1] })).rejects.toMatchObject({
      message: expect.stringContaining('by the piece'),
    });
  });
});

describe('sent twice', () => {
  test('the same receipt is booked once, also when both come at the same moment', async () => {
    const vendor = await insertVendor(sql);
    const product = await insertProduct(sql, { hasSize: true });
    const purchase = await order(ask, vendor, [{ productId: product, quantity: 5 }]);
    const receiptId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => receive(ask, purchase, { receiptId, quantities: [2] })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await onHand(product)).toBe(2000);
    expect(await owedTo(vendor)).toBe(105_000);
    expect((await read(ask, purchase.id)).receipts).toHaveLength(1);
  });

  test('two administrators at the same moment: the second gets a conflict, and nothing is received twice', async () => {
    const product = await insertProduct(sql);
    const purchase = await order(ask, await insertVendor(sql), [{ productId: product, unit: 'piece', quantity: 20 }]);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 3 }, () => receive(ask, purchase, { quantities: [10] })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes.filter((one) => one.status === 'rejected'))
      expect(outcome.reason).toMatchObject({ code: 'PT409', detail: 'stale' });
    expect(await onHand(product)).toBe(10);
  });

  test('an id cannot be used for another order', async () => {
    const vendor = await insertVendor(sql);
    const [one, two] = [await order(ask, vendor, [{}]), await order(ask, vendor, [{}])];
    const receiptId = randomUUID();
    await receive(ask, one, { receiptId, quantities: [1] });
    await expect(receive(ask, two, { receiptId, quantities: [1] })).rejects.toMatchObject({ code: '23505' });
  });
});

test('receiving while customers buy loses neither', async () => {
  const [kulfi, laddu] = [
    await insertProduct(sql, { stock: 200 }),
    await insertProduct(sql, { hasSize: true, stock: 200_000 }),
  ];
  const purchase = await order(ask, await insertVendor(sql), [
    { productId: laddu, quantity: 50 },
    { productId: kulfi, unit: 'piece', quantity: 50 },
  ]);
  const buy = (productId: number) => insertPaidOrder(sql, { userId: customer, productId, quantity: 2 });
  const receiveAll = async () => {
    let seen = purchase;
    for (let part = 0; part < 10; part++) {
      await receive(ask, seen, { quantities: [5, 5] });
      seen = await read(ask, purchase.id);
    }
  };
  await Promise.all([receiveAll(), ...Array.from({ length: 40 }, (_, turn) => buy(turn % 2 ? kulfi : laddu))]);
  expect(await onHand(kulfi)).toBe(200 + 50 - 40);
  expect(await onHand(laddu)).toBe(200_000 + 50_000 - 20_000);
});

describe('a receipt that was wrong', () => {
  const undo = (purchase: Answer, receipt: { id: string }) =>
    ask('admin_undo_receipt', { receipt_id: receipt.id, seen: purchase.updated_at });

  test('is undone completely: stock, order, bill and cost', async () => {
    const vendor = await insertVendor(sql);
    const product = await insertProduct(sql, { hasSize: true, stock: 500 });
    await sql`insert into private.product_costs (product_id, unit_cost, valid_from) values (${product}, 200, now() - interval '1 day')`;
    const purchase = await order(ask, vendor, [{ productId: product }]);
    await receive(ask, purchase, { quantities: [2], setsCost: true });
    const seen = await read(ask, purchase.id);
    await undo(seen, seen.receipts[0]);
    const back = await read(ask, purchase.id);
    expect(back).toMatchObject({ status: 'Ordered', received_at: null, lines: [{ received_quantity: 0 }] });
    expect(back.receipts[0].undone_at).not.toBeNull();
    expect(await owedTo(vendor)).toBe(0);
    expect(await costOf(product)).toBe('200.00');
    expect(await movementsOf(product)).toMatchObject([
      { quantity: 500 },
      { quantity: 2000, reason: 'purchase', undoes: false },
      { quantity: -2000, reason: 'purchase', undoes: true },
    ]);
    await expect(undo(back, back.receipts[0])).rejects.toMatchObject({ code: 'PT409' });
  });

  test('of two leaves the other as it is', async () => {
    const purchase = await order(ask, await insertVendor(sql), [{}]);
    await receive(ask, purchase, { quantities: [2] });
    await receive(ask, await read(ask, purchase.id), { quantities: [3] });
    const seen = await read(ask, purchase.id);
    await undo(seen, seen.receipts[0]);
    expect(await read(ask, purchase.id)).toMatchObject({ status: 'Received', lines: [{ received_quantity: 3 }] });
  });

  test('keeps a cost that another receipt says too, and forgets it with the last', async () => {
    const productId = await insertProduct(sql);
    await sql`insert into private.product_costs (product_id, unit_cost, valid_from) values (${productId}, 40, now() - interval '1 day')`;
    const vendor = await insertVendor(sql);
    const line = { productId, unit: 'piece', costPaise: 5000 };
    const [first, second] = [await order(ask, vendor, [line]), await order(ask, vendor, [line])];
    await receive(ask, first, { quantities: [5], setsCost: true });
    await receive(ask, second, { quantities: [2], setsCost: true });
    await receive(ask, await read(ask, second.id), { quantities: [3], setsCost: true });
    const takeBack = async (purchaseId: number) => {
      const seen = await read(ask, purchaseId);
      await undo(
        seen,
        seen.receipts.find((receipt: Answer) => receipt.undone_at === null),
      );
      return costOf(productId);
    };
    expect(await takeBack(first.id)).toBe('50.00');
    expect(await takeBack(second.id)).toBe('50.00');
    expect(await takeBack(second.id)).toBe('40.00');
  });

  test('keeps a cost that was set manually afterwards', async () => {
    const productId = await insertProduct(sql);
    const line = { productId, unit: 'piece', costPaise: 5000 };
    const purchase = await order(ask, await insertVendor(sql), [line]);
    await receive(ask, purchase, { quantities: [5], setsCost: true });
    await sql`insert into private.product_costs (product_id, unit_cost, valid_from) values (${productId}, 60, now())`;
    await receive(ask, await read(ask, purchase.id), { quantities: [5], setsCost: false });
    const seen = await read(ask, purchase.id);
    for (const receipt of seen.receipts) await undo(await read(ask, purchase.id), receipt);
    expect(await costOf(productId)).toBe('60.00');
  });

  test('stays when its goods are sold or held back, with the reason', async () => {
    const product = await insertProduct(sql, { name: 'Kaju Katli', hasSize: true });
    const purchase = await order(ask, await insertVendor(sql), [{ productId: product }]);
    await receive(ask, purchase, { quantities: [2] });
    await insertPaidOrder(sql, { userId: customer, productId: product, quantity: 1 });
    await sql`update public.stock_levels set reserved = 1000 where product_id = ${product}`;
    const seen = await read(ask, purchase.id);
    await expect(undo(seen, seen.receipts[0])).rejects.toMatchObject({
      code: 'PT422',
      message: '2 kg of Kaju Katli came, and only 0.5 kg of it is left unsold.',
    });
    expect(await onHand(product)).toBe(1500);
    await sql`update public.stock_levels set reserved = 0 where product_id = ${product}`;
  });
});
