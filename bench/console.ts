// The console with a hundred times the data: every list, search and figure, and the export of all orders.
import type { Sql } from 'postgres';
import { mintToken } from '../tests/support/buyers.ts';
import { fillOrders, type ManyRows } from '../tests/support/many-rows.ts';
import { as, connectToShop, insertUser } from '../tests/support/rows.ts';
import { newDataDir, type RunningShop, removeDataDir, startShop } from '../tests/support/shop.ts';
import { residentMegabytes } from './orders.ts';
import { type Row, row } from './report.ts';

type Export = { lines: number; seconds: number; growthMegabytes: number };

const allOrders = 200_000;

/** What is asked, with words that both shops know. */
const requests: Record<string, string> = {
  'dashboard, today': `admin_read_dashboard('today')`,
  'dashboard, 30 days': `admin_read_dashboard('month')`,
  'dashboard, financial year': `admin_read_dashboard('year')`,
  'to-do tiles': 'admin_read_todo()',
  'orders, newest first': 'admin_list_orders()',
  'orders, by total': `admin_list_orders(sort => '-total')`,
  'orders that are Delivered': `admin_list_orders('{"status": ["Delivered"]}')`,
  'orders found by name': `admin_list_orders('{"search": "meena"}')`,
  'orders found by phone': `admin_list_orders('{"search": "98200"}')`,
  'orders found by number': `admin_list_orders('{"search": "1500"}')`,
  'orders found by sweet': `admin_list_orders('{"search": "kesar"}')`,
  'customers, last order first': 'admin_list_customers()',
  'customers, by value': `admin_list_customers(sort => 'value')`,
  'customers, by name': `admin_list_customers(sort => 'name', descending => false)`,
  'customers of a city': `admin_list_customers(city => 'Mumbai', sort => 'value')`,
  'customers who ordered': `admin_list_customers(has_ordered => true, sort => 'orders')`,
  'customers found by name and phone': `admin_list_customers('meena 98200')`,
  'customers found by e-mail': `admin_list_customers('many-77@')`,
  'customers found by phone': `admin_list_customers('98200')`,
  'reviews, newest first': 'admin_list_reviews()',
  'change log': 'admin_read_log()',
  // The small shop has twenty products: twenty a page in both, or the larger would be asked for more.
  'products, by name': 'admin_list_products(page_size => 20)',
  'products, by margin': `admin_list_products(sort => 'margin', page_size => 20)`,
  'products found by name': `admin_list_products('{"search": "kesar"}', page_size => 20)`,
  'stock, what runs out first': 'admin_list_stock(page_size => 20)',
  'stock movements': 'admin_list_movements()',
  expenses: 'admin_list_expenses()',
  'profit and loss of the year': `admin_read_profit(extract(year from now() - interval '3 months')::integer)`,
  'GST of the year': `admin_read_gst(extract(year from now() - interval '3 months')::integer)`,
  vendors: 'admin_list_vendors()',
};

/** Milliseconds with 1, 10 and 100 times the data. */
export type Timing = { what: string; ms: readonly number[] };

/** All shops stand at once and are asked in turn: what else the machine does falls on all. */
export async function consoleFigures(): Promise<{ rows: Row[]; timings: Timing[] }> {
  await using few = await openShop({ orders: 2_000, customers: 500, products: 20 });
  await using more = await openShop({ orders: 20_000, customers: 5_000, products: 200 });
  await using many = await openShop({ orders: allOrders, customers: 50_000, products: 2_000 });
  const timings: Timing[] = [];
  for (const [what, call] of Object.entries(requests))
    timings.push({ what, ms: await medians([few, more, many], call) });
  return { rows: [...timings.map(timingRow), exportRow(await exportOrders(many))], timings };
}

function timingRow({ what, ms: [small = Number.NaN, , large = Number.NaN] }: Timing): Row {
  return row(
    `100 times the data: ${what}`,
    `${large.toFixed(1)} ms against ${small.toFixed(1)} ms (${(large / small).toFixed(2)} ×)`,
    '≤ 1.5 ×, < 300 ms',
    large <= 1.5 * small && large < 300,
  );
}

function exportRow({ lines, seconds, growthMegabytes }: Export): Row {
  return row(
    'export of 200,000 orders as CSV',
    `${lines - 1} orders in ${seconds.toFixed(1)} s, memory of the web process + ${growthMegabytes} MB while the second half came`,
    'every order, memory flat (≤ 25 MB)',
    lines === allOrders + 1 && growthMegabytes <= 25,
  );
}

type Filled = AsyncDisposable & { shop: RunningShop; sql: Sql; owner: string };

/** A shop that is no demo, so that nothing is in it but what is filled in. */
async function openShop(size: ManyRows): Promise<Filled> {
  const dataDir = await newDataDir();
  const shop = await startShop({ dataDir, env: { MAIL_URL: 'smtp://localhost:1', MAIL_FROM: 'shop@example.com' } });
  const sql = await connectToShop(dataDir);
  await fillOrders(sql, size);
  // What the worker and the database's own cleaning have done by the time somebody looks.
  while ((await sql`select public.keep_figures() as more`)[0]?.more);
  await sql`vacuum (analyze)`;
  await sql`checkpoint`;
  return {
    shop,
    sql,
    owner: await insertUser(sql, { administrator: true }),
    async [Symbol.asyncDispose]() {
      await sql.end();
      await shop.stop();
      await removeDataDir(dataDir);
    },
  };
}

/** The median of a request's time in the database of each shop, in milliseconds. */
async function medians(shops: readonly Filled[], call: string): Promise<number[]> {
  const times = shops.map((): number[] => []);
  for (let round = 0; round < 22; round += 1)
    for (const [place, shop] of shops.entries()) times[place]?.push(await timeOf(shop, call));
  return times.map((ofShop) => median(ofShop.slice(2)));
}

async function timeOf({ sql, owner }: Filled, call: string): Promise<number> {
  const started = performance.now();
  await as(sql, { userId: owner }, (transaction) => transaction.unsafe(`select public.${call}`));
  return performance.now() - started;
}

/** All orders as CSV over HTTP, and how much the web process still grows once half of it has come. */
async function exportOrders({ shop, owner }: Filled): Promise<Export> {
  const headers = { authorization: `Bearer ${await mintToken(shop.dataDir, owner)}` };
  const started = performance.now();
  const response = await fetch(`${shop.url}/functions/v1/exportCsv?what=orders&filter={}`, { headers });
  if (!response.ok || !response.body) throw new Error(`the export answered ${response.status}`);
  let lines = 0;
  const most = { firstHalf: 0, secondHalf: 0 };
  for await (const piece of response.body) {
    for (const byte of piece) if (byte === 10) lines += 1;
    const half = lines < allOrders / 2 ? 'firstHalf' : 'secondHalf';
    most[half] = Math.max(most[half], residentMegabytes(shop.process.pid) ?? 0);
  }
  return {
    lines,
    seconds: (performance.now() - started) / 1000,
    growthMegabytes: Math.max(0, Math.round(most.secondHalf - most.firstHalf)),
  };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
