// A day's mix of visitors at full load, part of `npm run test:soak`: as many visitors as the machine can serve, for five minutes
// (LOAD_SECONDS: for another time). Writes docs/load.md; exits non-zero after an unexpected response.
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillOrders } from '../tests/support/many-rows.ts';
import { connectToShop } from '../tests/support/rows.ts';
import { newDataDir, type RunningShop, removeDataDir, startShop } from '../tests/support/shop.ts';
import { residentMegabytes, watchMemory } from './measure.ts';
import { measuredCommit } from './report.ts';
import { createVisitors, type Kind, type Outcome, shares, type Visitors } from './visitors.ts';

const seconds = Number(process.env.LOAD_SECONDS ?? 300);
const filled = { orders: 20_000, customers: 5_000, products: 500 };
/** RSS may grow this much for caches that fill; more is a leak. */
const flat = { share: 1.1, megabytes: 25 };

const maxMegabytes = 400;
/** `most`: maximum RSS. `held`: RSS after a forced garbage collection, after each fifth of the time. */
type Memory = { most: number; held: number[] };
type Measured = { outcomes: Outcome[]; memory: Memory; seconds: number };

const busyBefore = loadavg()[0] ?? 0;
const dataDir = await newDataDir();
const collecting = join(import.meta.dirname, '../tests/support/collect-on-signal.cjs');
const shop = await startShop({ dataDir, env: { NODE_OPTIONS: `--require ${collecting}` } });
const sql = await connectToShop(dataDir);
let isHeld = false;
try {
  await fillOrders(sql, filled);
  while ((await sql`select public.refresh_figures() as more`)[0]?.more);
  const visitors = await createVisitors(sql, shop);
  const { count, steps } = await findSaturation(visitors);
  say(`${count} visitors at once for ${seconds} s`);
  const measured = await run(visitors, count, seconds, shop);
  visitors.end();
  const [books] = await sql<{ violations: number }[]>`
    select count(*)::int as violations from public.check_invariants()`;
  const memory = growth(measured);
  const errors = measured.outcomes.filter(({ result }) => result === 'error');
  isHeld = errors.length === 0 && memory.isFlat && memory.most <= maxMegabytes && books?.violations === 0;
  for (const what of new Set(errors.map((error) => `${error.kind}: ${error.what}`)))
    say(`error: ${what.slice(0, 200)}`);
  const report = write({ measured, count, steps, memory, violations: books?.violations ?? -1 });
  writeFileSync(join(import.meta.dirname, '../docs/load.md'), report);
  say(report);
} finally {
  await sql.end();
  await shop.stop();
  await removeDataDir(dataDir);
}
process.exitCode = isHeld ? 0 : 1;

/** Closed loop: each visitor sends the next request after its response. */
async function run(visitors: Visitors, count: number, forSeconds: number, watched?: RunningShop): Promise<Measured> {
  const started = performance.now();
  const end = started + forSeconds * 1000;
  const outcomes: Outcome[] = [];
  const held: number[] = [];
  const memory = watched && watchMemory(watched.process.pid);
  const looks = [0.2, 0.4, 0.6, 0.8, 0.97].map(async (share) => {
    await sleep(share * forSeconds * 1000);
    if (!watched) return;
    watched.process.kill('SIGUSR2');
    await sleep(1000);
    held.push(residentMegabytes(watched.process.pid));
  });
  const visitor = async () => {
    while (performance.now() < end) outcomes.push(await visitors.visit());
  };
  await Promise.all([...Array.from({ length: count }, visitor), ...looks]);
  return { outcomes, memory: { most: memory?.most() ?? 0, held }, seconds: (performance.now() - started) / 1000 };
}

/** Doubles the visitors until throughput no longer grows: then the cores are saturated. */
async function findSaturation(visitors: Visitors): Promise<{ count: number; steps: string[] }> {
  await run(visitors, 8, 3);
  const steps: string[] = [];
  let best = { count: 0, rate: 0 };
  for (let count = 4; count <= 512; count *= 2) {
    const { outcomes, seconds: taken } = await run(visitors, count, 5);
    const rate = outcomes.length / taken;
    steps.push(`${count}: ${rate.toFixed(0)}/s`);
    if (rate < best.rate * 1.05) break;
    best = { count, rate };
  }
  return { count: best.count, steps };
}

function growth({ memory }: Measured) {
  const early = memory.held[1] ?? 0;
  const late = memory.held.at(-1) ?? 0;
  return { ...memory, isFlat: late <= Math.max(early * flat.share, early + flat.megabytes) };
}

function write(parts: {
  measured: Measured;
  count: number;
  steps: string[];
  memory: ReturnType<typeof growth>;
  violations: number;
}): string {
  const { outcomes, seconds: taken } = parts.measured;
  const rows = (Object.keys(shares) as Kind[]).map((kind) => {
    const own = outcomes.filter((outcome) => outcome.kind === kind);
    const times = own.map(({ ms }) => ms).sort((a, b) => a - b);
    const at = (share: number) => (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(0);
    const how = (result: Outcome['result']) => own.filter((outcome) => outcome.result === result).length;
    return `| ${kind} (${shares[kind]} %) | ${own.length} | ${(own.length / taken).toFixed(1)} | ${at(0.5)} | ${at(0.99)} | ${how('sold out')} | ${how('error')} |`;
  });
  const { held, most } = parts.memory;
  return `# Load

Written by \`bench/load.ts\` (part of \`npm run test:soak\`) on ${new Date().toISOString().slice(0, 10)}, ${measuredCommit()}.

Machine: ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), shared with the client that makes the load and with the
database. Load average before the run ${busyBefore.toFixed(1)}, after it ${(loadavg()[0] ?? 0).toFixed(1)}: what is above ${availableParallelism()} before the run was other work.

The shop is a demo shop filled with ${filled.orders} orders, ${filled.customers} customers and ${filled.products} products. ${parts.count} visitors send the next request after ${taken.toFixed(0)} seconds; the last number that brought a twentieth more (${parts.steps.join(', ')}).
A whole purchase (price, checkout, test payment, order) counts as one thing done.

| what | done | per second | p50 ms | p99 ms | sold out | errors |
|---|---|---|---|---|---|---|
${rows.join('\n')}

- All together: ${(outcomes.length / taken).toFixed(0)} per second, ${outcomes.filter(({ result }) => result === 'error').length} errors.
- Memory of the web process: ${most} MB at most (${maxMegabytes} may be); with its garbage collected after each fifth of the time ${held.join(', ')} MB.
- \`check_invariants()\` afterwards: ${parts.violations} violations.
`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
