import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectService } from '../../server/functions/functions.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { fillOrders } from '../../tests/support/many-rows.ts';
import { as, insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';
import type { DatabasePort, FunctionContext } from '../functions/_shared/context.ts';
import { datasets } from '../functions/exportCsv/datasets.ts';
import { exportCsv } from '../functions/exportCsv/handler.ts';

const manyOrders = 3400;
let database: TestDatabase;
let sql: Sql;
let service: ReturnType<typeof connectService>;
let owner: string;
let productId: number;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  service = connectService(database.connection);
  owner = await insertUser(sql, { administrator: true });
  await fillOrders(sql, { orders: manyOrders, customers: 300, products: 30, days: 60 });
  productId = await insertProduct(sql, { name: 'Export, "quoted" Laddu', price: 99.5, stock: 500_000, hasSize: true });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

async function ask(filter: object, db: DatabasePort = service.db, who: string | null = owner): Promise<Response> {
  const query = new URLSearchParams({ what: 'orders', filter: JSON.stringify(filter) });
  const context = { db, customer: who ? { id: who, email: null } : null, now: () => new Date() };
  return exportCsv(
    new Request(`http://shop.test/functions/v1/exportCsv?${query}`),
    context as unknown as FunctionContext,
  );
}

/** The file as a spreadsheet reads it. */
function cellsOf(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') lines.push([]);
  }
  return lines.filter((cells) => cells.length > 1);
}

const numbersIn = (lines: string[][]) => lines.slice(1).map(([number]) => Number(number));
const column = (lines: string[][], title: string) => {
  const place = lines[0]?.indexOf(title) ?? -1;
  return lines.slice(1).map((cells) => cells[place]);
};

test('every order is in the file once, also when others are placed and moved while it is written', async () => {
  const before = (await sql<{ number: number }[]>`select number::int from public.orders order by created_at, id`).map(
    ({ number }) => number,
  );
  let page = 0;
  const response = await ask(
    {},
    {
      ...service.db,
      rpc: (async (name: never, args: never) => {
        if (name === 'export_orders') {
          page += 1;
          for (let n = 0; n < 5; n += 1) await insertPaidOrder(sql, { userId: null, productId, quantity: 1 });
          await sql`update public.orders set status = 'Confirmed' where id in (
          select id from public.orders where status = 'Pending' order by created_at limit 2)`;
        }
        return service.db.rpc(name, args);
      }) as never,
    },
  );
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const numbers = numbersIn(cellsOf(await response.text()));
  expect(page).toBe(Math.ceil(before.length / 1000));
  // Of those placed in the same moment as the first page some may be in it, after all others.
  expect(numbers.slice(0, before.length)).toEqual(before);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('no more rows are read than the client takes', async () => {
  let pages = 0;
  const response = await ask(
    {},
    {
      ...service.db,
      rpc: ((name: never, args: never) => {
        if (name === 'export_orders') pages += 1;
        return service.db.rpc(name, args);
      }) as never,
    },
  );
  const reader = response.body?.getReader();
  await reader?.read();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(pages).toBeLessThanOrEqual(2);
  await reader?.cancel();
});

test('a line has what an accountant needs, in rupees and in Indian time', async () => {
  const { id } = await insertPaidOrder(sql, { userId: null, productId, quantity: 3, deliveryName: 'Export Person' });
  await sql`alter table public.orders disable trigger user`;
  await sql`update public.orders set created_at = '2026-01-31T19:00:00Z', status_since = '2026-02-01T01:30:00Z',
    delivery_phone = '+91 9000000001' where id = ${id}`;
  await sql`alter table public.orders enable trigger user`;
  const [order] = await sql`select number::int, payment_id from public.orders where id = ${id}`;
  const lines = cellsOf((await (await ask({ ids: [id] })).text()).replace('\uFEFF', ''));
  expect(lines[0]).toEqual(datasets.orders?.heading);
  expect(Object.fromEntries((lines[0] ?? []).map((title, place) => [title, lines[1]?.[place]]))).toEqual({
    Number: String(order?.number),
    'Placed (India)': '2026-02-01 00:30',
    Customer: 'Export Person',
    Phone: '90000 00001',
    Building: '',
    Street: '',
    City: '',
    State: '',
    Pincode: '400001',
    Items: 'Export, "quoted" Laddu 500 g × 3',
    Subtotal: '298.50',
    Tax: '14.93',
    Shipping: '40.00',
    Total: '353.43',
    Refunded: '0.00',
    Payment: 'Paid',
    'Payment ID': order?.payment_id,
    Status: 'Pending',
    'Status since (India)': '2026-02-01 07:00',
    Source: 'Cart',
    'Delivery or pick-up': 'Delivery',
    Courier: '',
    'Tracking number': '',
    'Reason for cancelling': '',
    Discount: '0.00',
    Offers: '',
  });
});

test('customers’ names are never run as a formula', async () => {
  const names = ['=HYPERLINK("http://evil","x")', '+SUM(A1)', '-2+3', '@now', '\t=1+1', '|cmd'];
  const orders = await Promise.all(
    names.map((deliveryName) => insertPaidOrder(sql, { userId: null, productId, quantity: 1, deliveryName })),
  );
  const lines = cellsOf(await (await ask({ ids: orders.map(({ id }) => id) })).text());
  expect(column(lines, 'Customer').toSorted()).toEqual(names.map((name) => `'${name}`).sort());
});

test('the file has what the list shows, including refunds', async () => {
  const lines = cellsOf(await (await ask({ status: ['canceled', 'Refunded'], source: 'cart' })).text());
  const rows = await sql<{ number: number; paise: string }[]>`
    select o.number::int, coalesce(sum(r.amount_paise) filter (where r.status = 'processed'), 0) as paise
    from public.orders o left join private.refunds r on r.order_id = o.id
    where o.status in ('canceled', 'Refunded') and o.source = 'cart' group by o.id order by o.created_at, o.id`;
  expect(rows.length).toBeGreaterThan(20);
  expect(numbersIn(lines)).toEqual(rows.map(({ number }) => number));
  expect(column(lines, 'Refunded')).toEqual(rows.map(({ paise }) => (Number(paise) / 100).toFixed(2)));
});

test('a search that finds more than a thousand says so, and does not count them all', async () => {
  const [naive] = await sql<{ found: number }[]>`
    select count(*)::int as found from public.orders o
    where ' ' || lower(o.delivery_name) like '% k%'
       or exists (select from public.order_items i where i.order_id = o.id and ' ' || lower(i.product_name) like '% k%')`;
  expect(naive?.found).toBeGreaterThan(1000);
  const [row] = await as(
    sql,
    { userId: owner },
    (tx) => tx`select public.admin_list_orders('{"search": "k"}') as answer`,
  );
  expect(row?.answer).toMatchObject({ count: 1000, count_is_capped: true });
});

test('a filter that cannot be read, a customer and a visitor get no file', async () => {
  expect((await ask({ pincode: 'x' })).status).toBe(400);
  expect((await ask({ number: 'x' })).status).toBe(400);
  expect((await ask({}, service.db, await insertUser(sql))).status).toBe(403);
  expect((await ask({}, service.db, null)).status).toBe(401);
});

test('the books are in order, those made by the thousand included', async () => {
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
});
