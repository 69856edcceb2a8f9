// The console with a hundred times the data: every list, search and figure, and the export of all orders.
import type { Sql } from 'postgres';
import { mintToken } from '../tests/support/buyers.ts';
import { fillOrders, type ManyRows } from '../tests/support/many-rows.ts';
import { as, connectToShop, insertUser } from '../tests/support/rows.ts';
import { newDataDir, type RunningShop, removeDataDir, startShop } from '../tests/support/shop.ts';
import { median, residentMegabytes } from './measure.ts';
import { type Row, row } from './report.ts';

type Export = { lines: number; seconds: number; growthMegabytes: number };

const allOrders = 200_000;

/** Rows that both shops have, for what is asked about one. */
type Known = { order: string; customer: string; product: number; vendor: number; year: number };

/** What is asked, with words that every shop knows. */
const requests: Record<string, string | ((known: Known) => string)> = {
  'dashboard, today': `admin_read_dashboard('today')`,
  'dashboard, 30 days': `admin_read_dashboard('month')`,
  'dashboard, financial year': `admin_read_dashboard('year')`,
  'to-do tiles': 'admin_read_todo()',
  'orders, newest first': 'admin_list_orders()',
  'orders, by total': `admin_list_orders(sort => '-total')`,
  'orders that are Delivered': `admin_list_orders('{"status": ["Delivered"]}')`,
  'orders not paid yet': `admin_list_orders('{"payment": ["unpaid"]}')`,
  'orders of a pincode': `admin_list_orders('{"pincode": "4000"}')`,
  'orders of a customer': `admin_list_orders('{"customer": "meena"}')`,
  'orders with a product': `admin_list_orders('{"product": "kesar"}')`,
  'orders found by name': `admin_list_orders('{"search": "meena"}')`,
  'orders found by phone': `admin_list_orders('{"search": "98200"}')`,
  'orders found by number': `admin_list_orders('{"search": "1500"}')`,
  'orders found by sweet': `admin_list_orders('{"search": "kesar"}')`,
  'one order': ({ order }) => `admin_read_order('${order}')`,
  'documents of an order': ({ order }) => `admin_read_documents('${order}')`,
  'sweets for a phone order': `admin_find_sweets('kesar')`,
  'callers for a phone order': `admin_find_callers('98200')`,
  'customers, last order first': 'admin_list_customers()',
  'customers, by value': `admin_list_customers(sort => 'value')`,
  'customers, by name': `admin_list_customers(sort => 'name', descending => false)`,
  'customers of a city': `admin_list_customers(city => 'Mumbai', sort => 'value')`,
  'customers who ordered': `admin_list_customers(has_ordered => true, sort => 'orders')`,
  'customers found by name and phone': `admin_list_customers('meena 98200')`,
  'customers found by e-mail': `admin_list_customers('many-77@')`,
  'customers found by phone': `admin_list_customers('98200')`,
  'cities and tags of customers': 'admin_list_customer_choices()',
  'one customer': ({ customer }) => `admin_read_customer('${customer}')`,
  'orders of one customer': ({ customer }) => `admin_list_customer_orders('${customer}')`,
  'reviews, newest first': 'admin_list_reviews()',
  'change log': 'admin_read_log()',
  'choices of the change log': 'admin_list_log_choices()',
  // The small shop has twenty products: twenty a page in both, or the larger would be asked for more.
  'products, by name': 'admin_list_products(page_size => 20)',
  'products, by margin': `admin_list_products(sort => 'margin', page_size => 20)`,
  'products found by name': `admin_list_products('{"search": "kesar"}', page_size => 20)`,
  'one product': ({ product }) => `admin_read_product(${product})`,
  'stock, what runs out first': 'admin_list_stock(page_size => 20)',
  'stock of one product': ({ product }) => `admin_read_stock(${product})`,
  'stock at the moment of counting': ({ product }) => `admin_read_count_moment(${product})`,
  'stock in few figures': 'admin_read_stock_summary()',
  'stock movements': 'admin_list_movements()',
  expenses: 'admin_list_expenses()',
  'expenses that are due': 'admin_list_due_expenses()',
  'profit and loss of the year': ({ year }) => `admin_read_profit(${year})`,
  'GST of the year': ({ year }) => `admin_read_gst(${year})`,
  vendors: 'admin_list_vendors()',
  'one vendor': ({ vendor }) => `admin_read_vendor(${vendor})`,
  'account of a vendor': ({ vendor }) => `admin_list_vendor_account(${vendor})`,
  'what is owed': 'admin_list_payables()',
  purchases: 'admin_list_purchases()',
  'items bought before': 'admin_list_bought_items()',
  'settings of the shop': 'admin_read_shop()',
  'settings of delivery': 'admin_read_delivery()',
  'search words': 'admin_list_search_words()',
};

/** Every product or every open order is in their answer: they grow with what they list, and have to be quick all the same. */
const wholeSheets: Record<string, string> = {
  'kitchen sheet': 'admin_read_kitchen()',
  'sheet for counting everything': 'admin_read_count_sheet()',
  'value of all stock': 'admin_read_stock_value()',
};

/** Ask about a purchase that the filled shops do not have, or about few rows of one. */
const leftOut = ['admin_read_purchase', 'admin_find_items', 'admin_read_item_prices'];

/** Milliseconds with 1, 10 and 100 times the data. */
export type Timing = { what: string; ms: readonly number[] };

/** All shops stand at once and are asked in turn: what else the machine does falls on all. */
export async function consoleFigures(): Promise<{ rows: Row[]; timings: Timing[] }> {
  await using few = await openShop({ orders: 2_000, customers: 500, products: 20 });
  await using more = await openShop({ orders: 20_000, customers: 5_000, products: 200 });
  await using many = await openShop({ orders: allOrders, customers: 50_000, products: 2_000 });
  await nothingIsForgotten(few.sql);
  const shops = [few, more, many];
  const timings = await timeAll(shops, requests);
  const sheets = await timeAll(shops, wholeSheets);
  const rows = [...timings.map(timingRow), ...sheets.map(sheetRow), exportRow(await exportOrders(many))];
  return { rows, timings };
}

async function timeAll(shops: Filled[], asked: typeof requests): Promise<Timing[]> {
  const timings: Timing[] = [];
  for (const [what, call] of Object.entries(asked)) timings.push({ what, ms: await medians(shops, call) });
  return timings;
}

/** A new request of the console is measured, or said to be left out. */
async function nothingIsForgotten(sql: Sql): Promise<void> {
  const asked = [...Object.values(requests), ...Object.values(wholeSheets)].map(String).join(' ');
  const names = await sql<{ name: string }[]>`
    select distinct proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and proname ~ '^admin_(list|read|find)_'`;
  const forgotten = names.filter(({ name }) => !asked.includes(`${name}(`) && !leftOut.includes(name));
  if (forgotten.length > 0) throw new Error(`not measured: ${forgotten.map(({ name }) => name).join(', ')}`);
}

function sheetRow({ what, ms }: Timing): Row {
  const large = ms.at(-1) ?? Number.NaN;
  return row(`100 times the data, all in one answer: ${what}`, `${large.toFixed(1)} ms`, '< 300 ms', large < 300);
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

type Filled = AsyncDisposable & { shop: RunningShop; sql: Sql; owner: string; known: Known };

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
    known: await knownRows(sql),
    async [Symbol.asyncDispose]() {
      await sql.end();
      await shop.stop();
      await removeDataDir(dataDir);
    },
  };
}

async function knownRows(sql: Sql): Promise<Known> {
  const [known] = await sql<Known[]>`
    with vendor as (insert into public.vendors (name) values ('Gokul Dairy Supplies') returning id)
    select (select id from public.orders where status = 'Delivered' order by number desc limit 1) as order,
           (select user_id from private.customer_figures order by orders desc, user_id limit 1) as customer,
           (select min("Id")::int from public."Products") as product, (select id::int from vendor) as vendor,
           extract(year from now() - interval '3 months')::int as year`;
  if (!known) throw new Error('the shop is empty');
  return known;
}

/** The median of a request's time in the database of each shop, in milliseconds. */
async function medians(shops: readonly Filled[], call: (typeof requests)[string]): Promise<number[]> {
  const times = shops.map((): number[] => []);
  for (let round = 0; round < 22; round += 1)
    for (const [place, shop] of shops.entries()) times[place]?.push(await timeOf(shop, call));
  return times.map((ofShop) => median(ofShop.slice(2)));
}

async function timeOf({ sql, owner, known }: Filled, call: (typeof requests)[string]): Promise<number> {
  const question = typeof call === 'string' ? call : call(known);
  const started = performance.now();
  await as(sql, { userId: owner }, (transaction) => transaction.unsafe(`select public.${question}`));
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
