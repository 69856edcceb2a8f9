// The console with a hundred times the data: every list, search and figure, and the export of all orders.
import { readFileSync } from 'node:fs';
import type { Sql } from 'postgres';
import { mintToken } from '../tests/support/buyers.ts';
import { fillOrders } from '../tests/support/many-rows.ts';
import { as, connectToShop, insertUser } from '../tests/support/rows.ts';
import { newDataDir, type RunningShop, removeDataDir, startShop } from '../tests/support/shop.ts';

const small = { orders: 2_000, customers: 500, products: 20 };
const large = { orders: 200_000, customers: 50_000, products: 2_000 };

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
  vendors: 'admin_list_vendors()',
};

export type Timing = { what: string; smallMs: number; largeMs: number };
export type Export = { lines: number; seconds: number; growthMegabytes: number };
export type ConsoleFigures = { timings: Timing[]; exported: Export };

/** Both shops stand at once and are asked in turn: what else the machine does falls on both. */
export async function consoleFigures(): Promise<ConsoleFigures> {
  await using few = await openShop(small);
  await using many = await openShop(large);
  const timings: Timing[] = [];
  for (const [what, call] of Object.entries(requests)) timings.push({ what, ...(await compare(few, many, call)) });
  return { timings, exported: await exportOrders(many) };
}

type Filled = AsyncDisposable & { shop: RunningShop; sql: Sql; owner: string };

/** A shop that is no demo, so that nothing is in it but what is filled in. */
async function openShop(size: typeof small): Promise<Filled> {
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

/** The medians of a request's time in the database, in milliseconds. */
async function compare(few: Filled, many: Filled, call: string): Promise<Omit<Timing, 'what'>> {
  const times: Record<'few' | 'many', number[]> = { few: [], many: [] };
  for (let round = 0; round < 22; round += 1) {
    times.few.push(await timeOf(few, call));
    times.many.push(await timeOf(many, call));
  }
  return { smallMs: median(times.few.slice(2)), largeMs: median(times.many.slice(2)) };
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
    const half = lines < large.orders / 2 ? 'firstHalf' : 'secondHalf';
    most[half] = Math.max(most[half], residentMegabytes(shop));
  }
  return {
    lines,
    seconds: (performance.now() - started) / 1000,
    growthMegabytes: Math.max(0, Math.round(most.secondHalf - most.firstHalf)),
  };
}

/** Linux tells; elsewhere nothing seems to grow. */
function residentMegabytes({ process }: RunningShop): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return 0;
  }
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
