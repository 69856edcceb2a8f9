// How many nodes and database cores shops of three sizes need, calculated from bench/results.md: npx node bench/capacity.ts
// Writes the tables of docs/scale.md. With --disk it also measures what rows take on the disk.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureDiskUsage } from './capacity/disk-usage.ts';
import { costsFrom, readMeasured } from './capacity/measured.ts';
import { planFor } from './capacity/plan.ts';
import { diskUsage, measuredTable, planTable, withBlock } from './capacity/tables.ts';

const root = join(import.meta.dirname, '..');
const pageFile = join(root, 'docs/scale.md');
const measured = readMeasured(readFileSync(join(root, 'bench/results.md'), 'utf8'));
const costs = costsFrom(measured);
const rows = 20_000;

let page = readFileSync(pageFile, 'utf8');
page = withBlock(page, 'measured', measuredTable(measured, costs));
page = withBlock(page, 'plan', planTable([1_000, 100_000, 10_000_000].map((customers) => planFor(customers, costs))));
if (process.argv.includes('--disk')) page = withBlock(page, 'disk', diskUsage(rows, await measureDiskUsage(rows)));
writeFileSync(pageFile, page);
