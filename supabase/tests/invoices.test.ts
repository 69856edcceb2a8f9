import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { indianStates, unionTerritories } from '../../domain/indian-states.ts';
import { stateOfPincode } from '../../domain/orders/state-of-pincode.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { randomNumbers } from '../../tests/support/random.ts';
import { insertOrder, type OrderWish, randomLines } from '../../tests/support/random-orders.ts';
import { as, insertProduct, insertUser } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
let products: { sized: number; pieces: number };
let administrator: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  products = {
    sized: await insertProduct(sql, { hasSize: true, stock: 9_000_000 }),
    pieces: await insertProduct(sql, { stock: 900_000 }),
  };
  administrator = { userId: await insertUser(sql, { administrator: true }) };
});
afterAll(() => database.drop());
beforeEach(async () => {
  await sql`update public.shop_settings set legal_name = 'Mithaas Sweets Private Limited', state = 'Maharashtra',
    gstin = '27AAAAA0000A1Z5', address = 'Ranade Road, Mumbai 400028', fssai_number = '10000000000001'`;
});

const oneLine = (some = {}) => [
  {
    productId: products.sized,
    name: 'Besan Laddu',
    quantity: 2,
    size: 500 as const,
    hasSize: true,
    price: 100,
    gst: 5,
    hsn: '2106',
    ...some,
  },
];
const insertOne = (wish: Partial<OrderWish> = {}) => insertOrder(sql, { lines: oneLine(), ...wish });
const pack = (id: string, on = sql) => on`update public.orders set status = 'Packed' where id = ${id}`;

type Line = Record<'taxable_paise' | 'cgst_paise' | 'sgst_paise' | 'igst_paise' | 'gst_percent', number> & {
  description: string;
  hsn: string;
  quantity: number | null;
  unit: string | null;
  rate_paise: number | null;
};
type Invoice = {
  number: string;
  year: number;
  serial: number;
  tax_kind: string;
  place_code: string;
  lines: Line[];
  total_paise: string;
};
const invoiceOf = async (id: string) =>
  (await sql<Invoice[]>`select * from private.invoices where order_id = ${id}`)[0];
const booksAreClean = async () => expect(await sql`select * from public.check_invariants()`).toEqual([]);

test('fifty orders packed at the same time get fifty consecutive numbers', async () => {
  const orders = await Promise.all(Array.from({ length: 50 }, () => insertOne()));
  const [before] =
    await sql`select coalesce(max(last), 0) as last from private.document_numbers where series = 'invoice'`;
  const doors = orders.map(() => postgres({ ...database.connection, max: 1, onnotice: () => {} }));
  await Promise.all(orders.map(({ id }, n) => pack(id, doors[n] as Sql)));
  await Promise.all(doors.map((door) => door.end()));
  const rows = await sql<{ serial: number; number: string }[]>`
    select serial, number from private.invoices where order_id = any (${orders.map(({ id }) => id)}) order by serial`;
  expect(rows.map(({ serial }) => serial)).toEqual(Array.from({ length: 50 }, (_, n) => before?.last + n + 1));
  expect(new Set(rows.map(({ number }) => number)).size).toBe(50);
  expect(rows.every(({ number }) => /^MTH\/\d\d-\d\d\/\d{5}$/.test(number) && number.length <= 16)).toBe(true);
  await booksAreClean();
});

test('many administrators packing many orders at the same time leave neither gaps nor duplicates', async () => {
  const orders = await Promise.all(Array.from({ length: 60 }, () => insertOne()));
  const seen = new Map(
    (
      await sql<{ id: string; seen: string }[]>`select id, to_jsonb(updated_at) #>> '{}' as seen from public.orders
      where id = any (${orders.map(({ id }) => id)})`
    ).map((row) => [row.id, row.seen]),
  );
  const doors = Array.from({ length: 6 }, () => postgres({ ...database.connection, max: 1, onnotice: () => {} }));
  await Promise.all(
    doors.map((door, n) => {
      const mine = orders.slice(n * 8, n * 8 + 20).map(({ id }) => ({ id, seen: seen.get(id) }));
      if (n % 2) mine.reverse();
      return as(door, administrator, (tx) => tx`select public.admin_move_orders(${tx.json(mine as never)}, 'Packed')`);
    }),
  );
  await Promise.all(doors.map((door) => door.end()));
  expect(
    await sql`select count(*)::int as many from private.invoices where order_id = any (${orders.map(({ id }) => id)})`,
  ).toEqual([{ many: 60 }]);
  await booksAreClean();
});

test('a rolled back invoice releases its number', async () => {
  const [kept, lost, next] = [await insertOne(), await insertOne(), await insertOne()];
  await pack(kept.id);
  await expect(
    sql.begin(async (tx) => {
      await tx`update public.orders set status = 'Packed' where id = ${lost.id}`;
      expect(await tx`select number from private.invoices where order_id = ${lost.id}`).toHaveLength(1);
      throw new Error('the power went');
    }),
  ).rejects.toThrow('the power went');
  await pack(next.id);
  expect((await invoiceOf(next.id))?.serial).toBe(((await invoiceOf(kept.id))?.serial ?? 0) + 1);
  expect(await invoiceOf(lost.id)).toBeUndefined();
  await booksAreClean();
});

test('a number belongs to the financial year in which the order is packed, in India', async () => {
  const packedAt = async (moment: string) => {
    const { id } = await insertOne();
    await sql.begin(async (tx) => {
      await tx`select set_config('shop.event_at', ${moment}, true)`;
      await tx`update public.orders set status = 'Packed' where id = ${id}`;
    });
    return (await invoiceOf(id))?.number;
  };
  expect(await packedAt('2031-03-31 18:29:59+00')).toBe('MTH/30-31/00001');
  expect(await packedAt('2031-03-31 18:30:00+00')).toBe('MTH/31-32/00001');
  expect(await packedAt('2031-12-31 20:00:00+00')).toBe('MTH/31-32/00002');
  expect(await packedAt('2031-03-01 00:00:00+00')).toBe('MTH/30-31/00002');
  expect(await packedAt('2099-06-01 00:00:00+00')).toBe('MTH/99-00/00001');
  const [long] = await sql`select private.document_number('MTH', 2026::smallint, 999999) as number`;
  expect(long?.number).toHaveLength(16);
  await booksAreClean();
});

test('every invoice adds up to its order, whatever was ordered', async () => {
  const random = randomNumbers(20261116);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  for (let round = 0; round < 80; round += 1) {
    const fulfilment = pick(['delivery', 'delivery', 'pickup'] as const);
    const order = await insertOne({
      lines: [...randomLines(pick, products), ...oneLine()],
      shipping: fulfilment === 'pickup' ? 0 : pick([0, 40, 99.99, 130, 0.01]),
      fulfilment,
      state: pick(['Maharashtra', 'Karnataka', 'mh', 'nowhere', 'Tamil Nadu']),
      zip: pick(['400001', '560001', '110001']),
    });
    await pack(order.id);
    const invoice = (await invoiceOf(order.id)) as Invoice;
    const sum = (of: (line: Line) => number) => invoice.lines.reduce((total, line) => total + of(line), 0);
    const taxed = (line: Line) => line.cgst_paise + line.sgst_paise + line.igst_paise;
    expect(sum((line) => line.taxable_paise + taxed(line))).toBe(order.totalPaise);
    const goods = invoice.lines.filter(({ description }) => description !== 'Delivery');
    expect(goods.reduce((total, line) => total + line.taxable_paise + taxed(line), 0)).toBe(
      order.subTotalPaise + order.taxPaise,
    );
    for (const line of goods) {
      // The odd paisa of a tax that has no half.
      const odd = line.taxable_paise - Math.round((line.quantity ?? 0) * (line.rate_paise ?? 0));
      expect(invoice.tax_kind === 'intra' ? [0, 1] : [0]).toContain(odd);
    }
    for (const line of invoice.lines) {
      expect(Math.min(line.taxable_paise, line.cgst_paise, line.sgst_paise, line.igst_paise)).toBeGreaterThanOrEqual(0);
      expect(line.cgst_paise).toBe(line.sgst_paise);
      // Each tax is that of its rate, to the paisa of one rounding.
      const rate = line.gst_percent / (invoice.tax_kind === 'intra' ? 200 : 100);
      const tax = invoice.tax_kind === 'intra' ? line.cgst_paise : line.igst_paise;
      expect(Math.abs(tax - line.taxable_paise * rate)).toBeLessThanOrEqual(1);
    }
    const isLocal = invoice.place_code === '27';
    expect(invoice.tax_kind).toBe(isLocal ? 'intra' : 'inter');
    expect(sum((line) => (isLocal ? line.igst_paise : line.cgst_paise + line.sgst_paise))).toBe(0);
  }
  await booksAreClean();
});

test('an order whose pincode is in another state than the address is taxed by the pincode', async () => {
  const order = await insertOne({ state: 'Maharashtra', zip: '110001' });
  await pack(order.id);
  expect(await invoiceOf(order.id)).toMatchObject({ place_code: '07', tax_kind: 'inter' });
});

test('delivery takes the codes and rates of the goods, by their value', async () => {
  const order = await insertOne({
    lines: [
      ...oneLine({ price: 300, quantity: 1 }),
      ...oneLine({ price: 100, quantity: 1, gst: 18, hsn: '1806', name: 'Bark' }),
    ],
    shipping: 40,
  });
  await pack(order.id);
  const delivery = (await invoiceOf(order.id))?.lines.filter(({ description }) => description === 'Delivery');
  expect(delivery).toMatchObject([
    { hsn: '2106', gst_percent: 5, taxable_paise: 2858, cgst_paise: 71, sgst_paise: 71, quantity: null },
    { hsn: '1806', gst_percent: 18, taxable_paise: 848, cgst_paise: 76, sgst_paise: 76 },
  ]);
});

test('goods by weight are listed in kilograms, the rest in pieces', async () => {
  const order = await insertOne({
    lines: [
      ...oneLine({ quantity: 3, size: 1000 }),
      ...oneLine({ hasSize: false, productId: products.pieces, name: 'Hamper', quantity: 4, price: 250 }),
    ],
  });
  await pack(order.id);
  expect((await invoiceOf(order.id))?.lines).toMatchObject([
    { description: 'Besan Laddu, 3 × 1 kg', quantity: 3, unit: 'kg', rate_paise: 20_000, taxable_paise: 60_000 },
    { description: 'Hamper', quantity: 4, unit: 'nos', rate_paise: 25_000, taxable_paise: 100_000 },
    { description: 'Delivery' },
  ]);
});

test('a shop outside GST writes invoices without tax over what was paid', async () => {
  await sql.begin(async (tx) => {
    // As if it never had one: with taxed products the database keeps it.
    await tx`select set_config('session_replication_role', 'replica', true)`;
    await tx`update public.shop_settings set gstin = ''`;
  });
  const order = await insertOne();
  await pack(order.id);
  const invoice = await invoiceOf(order.id);
  expect(invoice).toMatchObject({ tax_kind: 'none', total_paise: String(order.totalPaise) });
  expect(
    invoice?.lines.every((line) => line.gst_percent === 0 && line.cgst_paise + line.sgst_paise + line.igst_paise === 0),
  ).toBe(true);
  await booksAreClean();
});

test('what an invoice says stays, whatever becomes of shop, product and order', async () => {
  const order = await insertOne({ name: 'First Name' });
  await pack(order.id);
  const read = async () =>
    (await sql`select private.invoice_document(i) as told from private.invoices i where order_id = ${order.id}`)[0]
      ?.told;
  const before = await read();
  await sql`update public.shop_settings set legal_name = 'Others', address = 'Elsewhere', gstin = '29AAAAA0000A1Z1', state = 'Karnataka'`;
  await sql`update public.orders set delivery_name = 'Second Name' where id = ${order.id}`;
  await sql`update public.orders set status = 'Shipped' where id = ${order.id}`;
  await sql`select private.issue_invoices(array[${order.id}]::uuid[], array[now()])`;
  expect(await read()).toEqual(before);
  for (const change of [
    sql`update private.invoices set total_paise = total_paise where order_id = ${order.id}`,
    sql`update private.invoices set recipient = '{}' where order_id = ${order.id}`,
    sql`delete from private.invoices where order_id = ${order.id}`,
    sql`truncate private.invoices cascade`,
    sql`delete from private.invoice_suppliers`,
    sql`update private.invoice_suppliers set facts = facts || '{"legal_name": "Another company"}'`,
  ])
    await expect(change).rejects.toMatchObject({ code: 'PT403' });
  await booksAreClean();
});

test('an order that comes in packed has its invoice at the end of the transaction', async () => {
  const order = await insertOne({ status: 'Delivered' });
  expect(await invoiceOf(order.id)).toBeDefined();
  expect(await invoiceOf((await insertOne({ status: 'Preparing' })).id)).toBeUndefined();
  await booksAreClean();
});

test('states are understood as people write them, and else by the pincode', async () => {
  const codeOf = async (written: string, pincode: string | null = null) =>
    (await sql`select private.state_code(${written}, ${pincode}) as code`)[0]?.code;
  const codes = await Promise.all([...indianStates, ...unionTerritories].map((name) => codeOf(name)));
  expect(codes.every((code) => /^\d\d$/.test(code))).toBe(true);
  expect(new Set(codes).size).toBe(36);
  for (const [written, code] of [
    ['maharashtra', '27'],
    [' MAHARASHTRA. ', '27'],
    ['MH', '27'],
    ['Maharastra', '27'],
    ['New Delhi', '07'],
    ['NCT of Delhi', '07'],
    ['Jammu & Kashmir', '01'],
    ['J&K', '01'],
    ['Orissa', '21'],
    ['Pondicherry', '34'],
    ['TamilNadu', '33'],
    ['Tamil-Nadu', '33'],
    ['Daman & Diu', '26'],
    ['Andaman & Nicobar', '35'],
    ['Uttaranchal', '05'],
    ['U.P.', '09'],
  ] as const)
    expect([written, await codeOf(written)]).toEqual([written, code]);
  expect(await codeOf('महाराष्ट्र', '560001')).toBe('29');
  expect(await codeOf('', '403001')).toBe('30');
  expect(await codeOf('Bombay presidency', '400001')).toBe('27');
  // The parcel goes where the pincode is; at the edges of states the word counts.
  expect(await codeOf('Maharashtra', '110001')).toBe('07');
  expect(await codeOf('Karnataka', '400001')).toBe('27');
  expect(await codeOf('Andhra Pradesh', '500001')).toBe('36');
  expect(await codeOf('Punjab', '160062')).toBe('03');
  expect(await codeOf('Chandigarh', '160062')).toBe('04');
  expect(await codeOf('Uttarakhand', '247001')).toBe('05');
  expect(await codeOf('Jharkhand', '813001')).toBe('20');
  expect(await codeOf('Puducherry', '609602')).toBe('34');
  expect(await codeOf('Puducherry (Mahe)', '673310')).toBe('34');
  expect(await codeOf('Maharashtra', '900001')).toBe('27');
  expect(await codeOf('', '999999')).toBeNull();
  expect(await codeOf('', null)).toBeNull();
});

test('pincodes lie where the rest of the shop takes them to lie', async () => {
  const random = randomNumbers(7);
  const pincodes = [
    ...(await sql<{ beginning: string }[]>`select beginning from private.pincode_states`).map(({ beginning }) =>
      beginning.padEnd(6, '1'),
    ),
    ...Array.from({ length: 1500 }, () => String(100_000 + Math.floor(random() * 900_000))),
  ];
  const rows = await sql<{ pincode: string; name: string | null }[]>`
    select p.pincode, s.name from unnest(${pincodes}::text[]) p (pincode)
    left join private.gst_states s on s.code = private.state_code('', p.pincode)`;
  expect(rows.filter(({ pincode, name }) => name !== stateOfPincode(pincode))).toEqual([]);
});

test.each([
  [
    'a number that is missing',
    9,
    `delete from private.invoices where id = (select id from private.invoices order by serial limit 1)`,
  ],
  [
    'a packed order without an invoice',
    10,
    `delete from private.invoices where id = (select id from private.invoices order by serial limit 1)`,
  ],
  [
    'an invoice over something else than its order',
    10,
    `update private.invoices set total_paise = total_paise + 1, taxable_paise = taxable_paise + 1`,
  ],
  ['an invoice whose lines do not add up', 10, `update private.invoices set lines = lines - 0`],
  ['a number that was never given', 9, `update private.document_numbers set last = last + 1`],
  ['sums that are not those of the invoices', 12, `update private.gst_months set igst_paise = igst_paise + 1`],
  ['a count that is not that of the invoices', 12, `update private.document_months set documents = documents + 1`],
  [
    'more credited than invoiced',
    11,
    `insert into private.credit_notes (invoice_id, year, serial, number, issued_at, lines, taxable_paise, cgst_paise, sgst_paise, igst_paise, total_paise)
     select id, 2026, 1, 'MTC/26-27/00001', now(), '[]', total_paise + 1, 0, 0, 0, total_paise + 1 from private.invoices limit 1`,
  ],
])('the check of the books sees %s', async (_what, invariant, damage) => {
  const undone = new Error('undone');
  await sql
    .begin(async (tx) => {
      await tx`select set_config('session_replication_role', 'replica', true)`;
      await tx.unsafe(damage);
      const found = await tx<{ invariant: number }[]>`select invariant from public.check_invariants()`;
      expect(found.map((row) => row.invariant)).toContain(invariant);
      throw undone;
    })
    .catch((error) => {
      if (error !== undone) throw error;
    });
  await booksAreClean();
});
