// A Diwali evening for shops of three sizes, simulated from what bench/results.md measured, in a minute or two: npx node bench/diwali-rush.ts
// Writes the tables of docs/scale.md and docs/diwali-rush.svg. With --room it also measures what rows take on the disk.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rushChart } from './rush/chart.ts';
import { costsFrom, readMeasured } from './rush/measured.ts';
import { planFor } from './rush/plan.ts';
import { measureRoom } from './rush/room.ts';
import { simulateDay } from './rush/simulate.ts';
import { arithmeticTable, measuredTable, type Outcome, rushTable, withBlock } from './rush/tables.ts';

const root = join(import.meta.dirname, '..');
const pageFile = join(root, 'docs/scale.md');
const measured = readMeasured(readFileSync(join(root, 'bench/results.md'), 'utf8'));
const costs = costsFrom(measured);
/** How often something that shows changes: sold out, back again, a price. Assumed. */
const plans = [planFor(1_000, costs, 4), planFor(100_000, costs, 30), planFor(10_000_000, costs, 120)];
const ROWS = 20_000;

const outcomes: Outcome[] = plans.map((plan) => {
  const started = performance.now();
  const simulated = simulateDay(plan.day);
  const title = plan.customers.toLocaleString('en-US');
  process.stdout.write(`${title} customers simulated in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  return { title, plan, simulated };
});
const [, middle] = outcomes;
if (!middle) throw new Error('no plan');
const beyond = [10, 40].map((times): Outcome => {
  const plan = { ...middle.plan, day: { ...middle.plan.day, visits: middle.plan.visits * times } };
  return { title: `${middle.title}, and ${times} times the visits`, plan, simulated: simulateDay(plan.day) };
});

let page = readFileSync(pageFile, 'utf8');
page = withBlock(page, 'measured', measuredTable(measured, costs));
page = withBlock(page, 'arithmetic', arithmeticTable(plans));
page = withBlock(page, 'rush', rushTable([...outcomes, ...beyond]));
if (process.argv.includes('--room')) {
  const { bytesPerOrder, bytesPerCustomer } = await measureRoom(ROWS);
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  page = withBlock(
    page,
    'room',
    `Measured with ${ROWS.toLocaleString('en-US')} of each: an order takes ${kilobytes(bytesPerOrder)} on the disk, with its lines, events, payment,
stock movements and indexes; a customer ${kilobytes(bytesPerCustomer)}. A million orders are ${(bytesPerOrder / 1000).toFixed(1)} GB, ten
million customers ${(bytesPerCustomer / 100).toFixed(0)} GB.`,
  );
}
writeFileSync(pageFile, page);
writeFileSync(
  join(root, 'docs/diwali-rush.svg'),
  rushChart(
    outcomes.map(({ title, plan, simulated }) => ({
      title: `${title} customers`,
      nodes: plan.nodes,
      databaseCores: plan.databaseCores,
      simulated,
    })),
  ),
);
