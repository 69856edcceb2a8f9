// The console with a hundred times the data: every list, search and figure, and the export of all orders.
import type { Sql } from 'postgres';
import { mintToken } from '../tests/support/buyers.ts';
import {
  forgottenQuestions,
  type Known,
  knownRows,
  type Question,
  questions,
  wholeSheets,
} from '../tests/support/console-requests.ts';
import { fillOrders, type ManyRows } from '../tests/support/many-rows.ts';
import { as, connectToShop, insertUser } from '../tests/support/rows.ts';
import { newDataDir, type RunningShop, removeDataDir, startShop } from '../tests/support/shop.ts';
import { median, residentMegabytes } from './measure.ts';
import { type Row, row } from './report.ts';

type Export = { lines: number; seconds: number; growthMegabytes: number };

const allOrders = 200_000;

/** Milliseconds with 1, 10 and 100 times the data. */
export type Timing = { what: string; ms: readonly number[] };

/** All shops stand at once and are asked in turn: what else the machine does falls on all. */
export async function consoleFigures(): Promise<{ rows: Row[]; timings: Timing[] }> {
  await using few = await openShop({ orders: 2_000, customers: 500, products: 20 });
  await using more = await openShop({ orders: 20_000, customers: 5_000, products: 200 });
  await using many = await openShop({ orders: allOrders, customers: 50_000, products: 2_000 });
  const forgotten = await forgottenQuestions(few.sql);
  if (forgotten.length > 0) throw new Error(`not measured: ${forgotten.join(', ')}`);
  const shops = [few, more, many];
  const timings = await timeAll(shops, questions);
  const sheets = await timeAll(shops, wholeSheets);
  const rows = [...timings.map(timingRow), ...sheets.map(sheetRow), exportRow(await exportOrders(many))];
  return { rows, timings };
}

async function timeAll(shops: Filled[], asked: Record<string, Question>): Promise<Timing[]> {
  const timings: Timing[] = [];
  for (const [what, call] of Object.entries(asked)) timings.push({ what, ms: await medians(shops, call) });
  return timings;
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
  while ((await sql`select public.refresh_figures() as more`)[0]?.more);
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

/** The median of a request's time in the database of each shop, in milliseconds. */
async function medians(shops: readonly Filled[], call: Question): Promise<number[]> {
  const times = shops.map((): number[] => []);
  for (let round = 0; round < 22; round += 1)
    for (const [place, shop] of shops.entries()) times[place]?.push(await timeOf(shop, call));
  return times.map((ofShop) => median(ofShop.slice(2)));
}

async function timeOf({ sql, owner, known }: Filled, call: Question): Promise<number> {
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
    most[half] = Math.max(most[half], residentMegabytes(shop.process.pid));
  }
  return {
    lines,
    seconds: (performance.now() - started) / 1000,
    growthMegabytes: Math.max(0, Math.round(most.secondHalf - most.firstHalf)),
  };
}
