// `npm run bench`: every budget in one go, each beside its baseline. Writes results.md and exits non-zero when one is missed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attackRows } from './attacks.ts';
import { consoleFigures } from './console.ts';
import { groupRows } from './groups.ts';
import { growthChart } from './growth.ts';
import { interactionRows } from './interactions.ts';
import { lighthouseRows } from './lighthouse.ts';
import { orderRows } from './orders.ts';
import { pageRows } from './pages.ts';
import { printed, type Row, resultsPage } from './report.ts';
import { searchRows } from './search.ts';
import { withDemoShop } from './start.ts';

const daily = [
  'dashboard, 30 days',
  'orders, newest first',
  'orders found by name',
  'customers found by phone',
  'stock, what runs out first',
];
const rows: Row[] = [];

// First what this process asks as fast as it can: after 200,000 orders it is itself a third slower.
await withDemoShop(async (shop) => {
  add(await orderRows(shop));
  add(await groupRows(shop));
});
await withDemoShop(async (shop) => add(await attackRows(shop)));
await withDemoShop(async (shop) => {
  add(await pageRows(shop));
  add(await lighthouseRows(shop.url));
  add(await interactionRows(shop.url));
}, add);
add(await searchRows());
const { rows: consoleRows, timings } = await consoleFigures();
writeFileSync(join(import.meta.dirname, 'growth.svg'), growthChart(timings.filter(({ what }) => daily.includes(what))));
add(consoleRows);
write(true);
process.exitCode = rows.every((row) => row.held) ? 0 : 1;

function add(more: readonly Row[]): void {
  rows.push(...more);
  for (const each of more) process.stdout.write(printed(each));
  write(false);
}

function write(isWhole: boolean): void {
  writeFileSync(join(import.meta.dirname, 'results.md'), resultsPage(rows, new Date(), isWhole));
}
