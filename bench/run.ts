// `npm run bench`: the budgets that can be measured so far, in one run, on this machine. Exits non-zero when one is missed.
import { readFileSync } from 'node:fs';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newDataDir, removeDataDir, startShop } from '../tests/support/shop.ts';
import { consoleFigures } from './console.ts';
import { firstLoadKib } from './first-load.ts';
import { ordersPerSecond } from './orders.ts';
import { searchFigures } from './search.ts';

type Row = { what: string; measured: string; budget: string; held: boolean };
const rows: Row[] = [];
const dataDir = await newDataDir();

try {
  const first = await startShop({ dataDir });
  const page = await (await fetch(first.url)).text();
  const bare = await bareServer(page);
  const plain = await requestsPerSecond(bare.url);
  const kept = await requestsPerSecond(first.url);
  bare.close();
  rows.push({
    what: 'home page, kept',
    measured: `${kept.toFixed(0)}/s (${(kept / plain).toFixed(2)} × bare node:http sending the same bytes)`,
    budget: '≥ 0.7 ×',
    held: kept >= 0.7 * plain,
  });
  // With a code in its address nothing is kept: everybody comes back from signing in with their own.
  const rendered = await requestsPerSecond(`${first.url}/?code=bench`);
  rows.push({
    what: 'home page, rendered each time',
    measured: `${rendered.toFixed(0)}/s`,
    budget: '≥ 300/s',
    held: rendered >= 300,
  });
  for (const path of ['/', '/shop', '/product/1']) {
    const kib = await firstLoadKib(await (await fetch(first.url + path)).text());
    rows.push({
      what: `first-load JavaScript of ${path}`,
      measured: `${kib.toFixed(1)} KiB brotli`,
      budget: '≤ 103 KiB',
      held: kib <= 103,
    });
  }
  const orders = await ordersPerSecond(first, 8000);
  rows.push({
    what: 'whole orders over HTTP: quote, createOrder, test payment, placeOrder',
    measured: `${orders.perSecond.toFixed(0)}/s, p50 ${orders.p50.toFixed(0)} ms, p99 ${orders.p99.toFixed(0)} ms, ${orders.orders} orders, ${orders.violations} invariants broken`,
    budget: '≥ 400/s, p99 < 200 ms, invariants clean',
    held: orders.perSecond >= 400 && orders.p99 < 200 && orders.violations === 0,
  });
  await first.stop();

  const seconds: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const started = performance.now();
    const shop = await startShop({ dataDir });
    const health = await fetch(`${shop.url}/healthz`);
    if (health.status !== 200) throw new Error(`/healthz answered ${health.status}`);
    seconds.push((performance.now() - started) / 1000);
    if (round === 2) {
      const megabytes = residentMegabytes(shop.process.pid);
      if (megabytes)
        rows.push({
          what: 'memory of the web process, idle',
          measured: `${megabytes} MB`,
          budget: '≤ 250 MB',
          held: megabytes <= 250,
        });
    }
    await shop.stop();
  }
  const median = seconds.sort((a, b) => a - b)[1] ?? Number.NaN;
  rows.push({
    what: 'second start to /healthz',
    measured: `${median.toFixed(1)} s (median of 3)`,
    budget: '≤ 5 s',
    held: median <= 5,
  });
} finally {
  await removeDataDir(dataDir);
}

const search = await searchFigures();
rows.push({
  what: `search among ${search.products.toLocaleString('en-IN')} products, time in the database`,
  measured: `${search.medianMs.toFixed(1)} ms, slowest “${search.slowest}” ${search.slowestMs.toFixed(1)} ms`,
  budget: '< 20 ms',
  held: search.slowestMs < 20 && search.products === 2_000,
});
rows.push({
  what: 'search for what nobody means, the slowest of them',
  measured: `${search.hostileMs.toFixed(1)} ms`,
  budget: '< 100 ms',
  held: search.hostileMs < 100,
});

const { timings, exported } = await consoleFigures();
for (const { what, smallMs, largeMs } of timings)
  rows.push({
    what: `console with 100 times the data: ${what}`,
    measured: `${largeMs.toFixed(1)} ms against ${smallMs.toFixed(1)} ms (${(largeMs / smallMs).toFixed(2)} ×)`,
    budget: '≤ 1.5 ×, < 300 ms',
    held: largeMs <= 1.5 * smallMs && largeMs < 300,
  });
rows.push({
  what: 'export of 200,000 orders as CSV',
  measured: `${exported.lines - 1} orders in ${exported.seconds.toFixed(1)} s, memory of the web process + ${exported.growthMegabytes} MB while the second half came`,
  budget: 'every order, memory flat (≤ 25 MB)',
  held: exported.lines === 200_001 && exported.growthMegabytes <= 25,
});

for (const { what, measured, budget, held } of rows)
  process.stdout.write(`${held ? 'held  ' : 'MISSED'}  ${what}: ${measured}, budget ${budget}\n`);
process.exitCode = rows.every((row) => row.held) ? 0 : 1;

/** Closed loop of 16 connections for four seconds, after one to warm up; the client shares the cores. */
async function requestsPerSecond(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const run = async (milliseconds: number) => {
    const end = performance.now() + milliseconds;
    let done = 0;
    const worker = async () => {
      while (performance.now() < end) {
        await fetchOnce(url, agent);
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    return (done / milliseconds) * 1000;
  };
  await run(1000);
  const rate = await run(4000);
  agent.destroy();
  return rate;
}

function fetchOnce(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
      response.on('end', resolve).resume();
    }).on('error', reject);
  });
}

async function bareServer(body: string) {
  const bytes = Buffer.from(body);
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': bytes.length }).end(bytes);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

/** Linux tells; elsewhere the row is left out. */
function residentMegabytes(pid: number | undefined): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
  } catch {
    return null;
  }
}
