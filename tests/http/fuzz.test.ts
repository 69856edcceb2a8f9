import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { neverWaitForTheDisk } from '../support/careless-database.ts';
import { instanceKeys } from '../support/instance-keys.ts';
import { fuzzSeed } from '../support/properties.ts';
import { connectToShop } from '../support/rows.ts';
import { newDataDir, type RunningShop, removeDataDir, startShop } from '../support/shop.ts';
import { type Crowd, fillShelves, newCrowd } from './fuzz/crowd.ts';
import { frame } from './fuzz/frames.ts';
import { functionRequests, jobsSecret } from './fuzz/function-requests.ts';
import { likelyValues } from './fuzz/likely-values.ts';
import { authRequests, demoRequests, pageRequests, paymentRequests, storageRequests } from './fuzz/other-requests.ts';
import { laneCount, newTally, runLanes, type Tally } from './fuzz/run-lanes.ts';
import { sqlRequests } from './fuzz/sql-requests.ts';
import { tableRequests } from './fuzz/table-requests.ts';
import { readTargets, type Targets } from './fuzz/targets.ts';

const rounds = Number(process.env.FUZZ_ROUNDS ?? (process.env.SOAK ? 50 : 1));
// Of each kind in a round: 2000 in all.
const perRound = { tables: 500, 'SQL functions': 600, functions: 320, auth: 120, storage: 120, demo: 120, pages: 220 };
type Kind = keyof typeof perRound;
const kinds = Object.keys(perRound) as Kind[];
/** Less than this done, and the requests have lost touch with what the shop expects. */
const leastDone: Record<Kind, number> = {
  tables: 0.25,
  'SQL functions': 0.35,
  functions: 0.25,
  auth: 0.3,
  storage: 0.25,
  demo: 0.25,
  pages: 0.6,
};
/** The web process may hold so much more at the end than after a fifth of the rounds. */
const mostGrowth = 1.25;

let shop: RunningShop;
let sql: Sql;
let crowd: Crowd;
let targets: Targets;
/** So much of the log. */
let read = 0;
const tallies = Object.fromEntries(kinds.map((kind) => [kind, newTally()])) as Record<Kind, Tally>;
const residentMb: number[] = [];

// A shop of its own: administrators delete, archive and close in it at random.
beforeAll(async () => {
  console.log(`fuzz: seed ${fuzzSeed}, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`);
  const NODE_OPTIONS = `--require ${join(import.meta.dirname, '../support/collect-on-signal.cjs')}`;
  shop = await startShop({
    dataDir: await newDataDir(),
    env: { JOBS_SECRET: jobsSecret, CLIENT_LIMIT: '100', NODE_OPTIONS },
  });
  sql = await connectToShop(shop.dataDir);
  await neverWaitForTheDisk(sql);
});
afterAll(async () => {
  await sql?.end();
  await shop?.stop();
  if (shop) await removeDataDir(shop.dataDir);
});
afterEach(async () => {
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
  // Not all that is wrong is answered with 5xx: a mistake inside a function of the database is a 400, as Supabase has it.
  const logged = shop.output().slice(read);
  read += logged.length;
  expect(logged.split('\n').filter((line) => /"event":"[a-z]+-failed"/.test(line))).toEqual([]);
});

describe.each(Array.from({ length: rounds }, (_, round) => round))('round %i', (round) => {
  beforeAll(async () => {
    await fillShelves(sql);
    crowd = await newCrowd(sql, shop, laneCount);
    targets = await readTargets(sql);
  });
  afterAll(async () => {
    shop.process.kill('SIGUSR2');
    await sleep(1_000);
    residentMb.push(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(shop.process.pid)])) / 1024);
    if (process.env.SOAK && round % 5 === 4) report();
  });

  test.each(kinds)('%s: nothing breaks, nothing hangs, the books stay in order', { timeout: 600_000 }, async (kind) => {
    await runLanes(crowd, requestsFor(kind), {
      requests: perRound[kind],
      seed: fuzzSeed + round * kinds.length + kinds.indexOf(kind),
      tally: tallies[kind],
    });
  });
});

function requestsFor(kind: Kind) {
  const likely = likelyValues(targets);
  const webhookSecret = createHmac('sha256', instanceKeys(shop.dataDir).jwtSecret)
    .update('test payment webhooks')
    .digest('hex');
  const functions = () =>
    fc.oneof(
      { weight: 5, arbitrary: functionRequests(targets, likely, webhookSecret) },
      { weight: 1, arbitrary: paymentRequests(shop.url) },
    );
  return {
    tables: () => tableRequests(targets, likely),
    'SQL functions': () => sqlRequests(targets, likely),
    functions,
    auth: () => authRequests(shop.url),
    storage: storageRequests,
    demo: () => demoRequests(shop.url),
    pages: () => pageRequests(targets, likely),
  }[kind]();
}

function report(): void {
  const share = (count: number, of: number) => `${((100 * count) / Math.max(of, 1)).toFixed(1)} %`;
  const lines = kinds.map((kind) => {
    const { sent, done, redirected, refused, slowestMs } = tallies[kind];
    return `${kind}: ${sent} sent, ${done} done (${share(done, sent)}), ${redirected} redirected, ${refused} refused, slowest ${Math.round(slowestMs)} ms`;
  });
  console.log(
    [`fuzz: seed ${fuzzSeed}`, ...lines, `resident MB after each round: ${residentMb.map(Math.round).join(' ')}`].join(
      '\n',
    ),
  );
}

test('as many were sent as are promised, and enough of them right to reach what lies behind the first check', () => {
  report();
  expect(kinds.map((kind) => [kind, tallies[kind].sent])).toEqual(kinds.map((kind) => [kind, rounds * perRound[kind]]));
  const shares = kinds.map((kind) => [kind, tallies[kind].done / Math.max(tallies[kind].sent, 1)] as const);
  expect(shares.filter(([kind, share]) => share < leastDone[kind])).toEqual([]);
});

if (rounds >= 10)
  test('the memory of the web process does not grow', () => {
    const warm = Math.max(...residentMb.slice(0, Math.ceil(rounds / 5)));
    expect(residentMb.at(-1)).toBeLessThan(warm * mostGrowth);
  });

test('websocket frames that are none end a connection or are answered', async () => {
  const { publishableKey } = instanceKeys(shop.dataDir);
  const address = `${shop.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${publishableKey}&vsn=2.0.0`;
  // Ten unreadable frames end a connection, so a handful at a time; then it either answers still or has closed.
  const handful = fc.array(frame, { minLength: 1, maxLength: 6, size: 'max' });
  await fc.assert(
    fc.asyncProperty(handful, async (frames) => {
      const socket = new WebSocket(address);
      const ended = new Promise((resolve) => socket.once('close', resolve).once('error', resolve));
      await new Promise((open) => socket.once('open', open));
      const answered = new Promise((resolve) =>
        socket.on('message', (data) => String(data).startsWith('[null,"last"') && resolve('answered')),
      );
      for (const one of frames) socket.send(one);
      socket.send('[null,"last","phoenix","heartbeat",{}]');
      expect(await Promise.race([answered, ended])).toBeDefined();
      socket.terminate();
    }),
    { seed: fuzzSeed, numRuns: process.env.SOAK ? 1000 : 60 },
  );
  const health = await fetch(`${shop.url}/healthz`);
  expect(health.status).toBe(200);
});
