import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { copyFilledShop } from '../support/filled-shop.ts';
import { instanceKeys } from '../support/instance-keys.ts';
import { turnOffFsync } from '../support/no-fsync.ts';
import { fuzzSeed } from '../support/properties.ts';
import { connectToShop } from '../support/rows.ts';
import { type RunningShop, removeDataDir, startShop } from '../support/shop.ts';
import { floodSize, sendBursts, sendFloods } from './fuzz/bursts.ts';
import { type Crowd, fillShelves, newCrowd, outsidersOf } from './fuzz/crowd.ts';
import { frame } from './fuzz/frames.ts';
import { functionRequests, jobsSecret } from './fuzz/function-requests.ts';
import { likelyValues } from './fuzz/likely-values.ts';
import { authRequests, demoRequests, pageRequests, paymentRequests, storageRequests } from './fuzz/other-requests.ts';
import { laneCount, newTally, runLanes, type Tally } from './fuzz/run-lanes.ts';
import { sqlRequests } from './fuzz/sql-requests.ts';
import { type Purchase, percentile, type SteadyBuyer, steadyBuyer } from './fuzz/steady-buyer.ts';
import { tableRequests } from './fuzz/table-requests.ts';
import { readTargets, type Targets } from './fuzz/targets.ts';

// Rounds of visitors and customers, beside a buyer who must not notice; then rounds of all roles, administrators included,
// who may close and delete by right.
const rounds = Number(process.env.FUZZ_ROUNDS ?? (process.env.SOAK ? 50 : 1));
const allRolesRounds = Math.ceil(rounds / 3);
// Of each kind in a round: 2000 in the soak run. In `npm test` a quarter of them, always the same by their seed.
const soakRound = { tables: 500, 'SQL functions': 600, functions: 320, auth: 120, storage: 120, demo: 120, pages: 220 };
const quickRound = { tables: 125, 'SQL functions': 150, functions: 80, auth: 30, storage: 30, demo: 30, pages: 55 };
const perRound = process.env.SOAK || process.env.FUZZ_ROUNDS ? soakRound : quickRound;
type Kind = keyof typeof soakRound;
const kinds = Object.keys(perRound) as Kind[];
/** Less than this done, and the requests have lost touch with what the shop expects. */
const leastDone: Record<Kind, number> = {
  tables: 0.25,
  'SQL functions': 0.35,
  functions: 0.25,
  auth: 0.3,
  storage: 0.25,
  demo: 0.15,
  pages: 0.6,
};
/** The web process may hold so much more at the end than after a fifth of the rounds. */
const mostGrowth = 1.25;
/** How much slower a purchase may be beside the generated requests than alone. */
const mostSlowdown = { median: 10, p99InSoak: 3 };
const quietPurchases = process.env.SOAK ? 200 : 20;
const purchasesBefore = 8;

const prototypeReport = join(tmpdir(), `fuzz-prototypes-${process.pid}.json`);
let shop: RunningShop;
let sql: Sql;
let crowd: Crowd;
let targets: Targets;
let buyer: SteadyBuyer;
let alone: Purchase[];
const beside: Purchase[] = [];
/** So much of the log. */
let read = 0;
const newTallies = () => Object.fromEntries(kinds.map((kind) => [kind, newTally()])) as Record<Kind, Tally>;
const tallies = { outsiders: newTallies(), allRoles: newTallies() };
const floods = { sent: 0, limited: 0, beside: [] as Purchase[] };
const residentMb: number[] = [];

// A shop of its own: administrators delete, archive and close in it at random. Its limits are those of every shop, so each
// lane sends from an address of its own.
beforeAll(async () => {
  console.log(`fuzz: seed ${fuzzSeed}, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`);
  const preloads = ['collect-on-signal.cjs', 'watch-prototypes.cjs'];
  const NODE_OPTIONS = preloads.map((file) => `--require ${join(import.meta.dirname, '../support', file)}`).join(' ');
  shop = await startShop({
    dataDir: await copyFilledShop(),
    env: { JOBS_SECRET: jobsSecret, NODE_OPTIONS, PROTOTYPE_REPORT: prototypeReport },
  });
  sql = await connectToShop(shop.dataDir);
  await turnOffFsync(sql);
  buyer = await steadyBuyer(sql, shop);
  await buyer.buyTimes(20); // warm
  alone = await buyer.buyTimes(quietPurchases);
});
afterAll(async () => {
  await sql?.end();
  await shop?.stop();
  rmSync(prototypeReport, { force: true });
  if (shop) await removeDataDir(shop.dataDir);
});
afterEach(async () => {
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
  // Not all that is wrong is answered with 5xx: a mistake inside a function of the database is a 400, as Supabase has it.
  const logged = shop.output().slice(read);
  read += logged.length;
  expect(logged.split('\n').filter((line) => /"event":"[a-z]+-failed"/.test(line))).toEqual([]);
});

describe.each(Array.from({ length: rounds }, (_, round) => round))('round %i beside a buyer', (round) => {
  beforeAll(prepareRound);
  afterAll(() => finishRound(round));

  test.each(kinds)('%s: nothing fails or hangs, and the buyer is served', { timeout: 600_000 }, async (kind) => {
    const before = await buyer.buyTimes(purchasesBefore);
    const bought = await buyer.buyDuring(() => runKind(outsidersOf(crowd), kind, round, tallies.outsiders));
    expectServed(bought, before);
  });

  test('bursts of the same request: nothing fails or hangs, and the buyer is served', {
    timeout: 600_000,
  }, async () => {
    const before = await buyer.buyTimes(purchasesBefore);
    const bought = await buyer.buyDuring(() => sendBursts(shop.url, instanceKeys(shop.dataDir).publishableKey));
    expectServed(bought, before);
  });

  if (round % 5 === 0)
    test('floods from three addresses: some are refused, and the buyer is served', {
      timeout: 600_000,
    }, async () => {
      let limited = 0;
      const bought = await buyer.buyDuring(async () => {
        limited = await sendFloods(shop.url, instanceKeys(shop.dataDir).publishableKey);
      });
      floods.sent += floodSize;
      floods.limited += limited;
      floods.beside.push(...bought);
      expect(limited).toBeGreaterThan(0);
      expect(bought.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'ordered')).toEqual([]);
    });
});

describe.each(Array.from({ length: allRolesRounds }, (_, round) => rounds + round))(
  'round %i of all roles',
  (round) => {
    beforeAll(prepareRound);
    afterAll(() => finishRound(round));

    test.each(kinds)('%s: nothing fails or hangs, and the books balance', { timeout: 600_000 }, async (kind) => {
      await runKind(crowd, kind, round, tallies.allRoles);
    });
  },
);

async function prepareRound(): Promise<void> {
  await fillShelves(sql);
  crowd = await newCrowd(sql, shop, laneCount);
  targets = await readTargets(sql);
}

async function finishRound(round: number): Promise<void> {
  residentMb.push(await collectedResidentMb());
  if (process.env.SOAK && round % 5 === 4) report();
}

/** Collects garbage in the shop, and holds that nothing was added to the language's own objects. */
async function collectedResidentMb(): Promise<number> {
  rmSync(prototypeReport, { force: true });
  shop.process.kill('SIGUSR2');
  const report = () => JSON.parse(readFileSync(prototypeReport, 'utf8')) as { changes: string[]; inherited: string[] };
  await vi.waitFor(() => expect(report()).toMatchObject({ changes: [], inherited: [] }), { timeout: 20_000 });
  await sleep(1_000);
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(shop.process.pid)])) / 1024;
}

function runKind(who: Crowd, kind: Kind, round: number, tally: Record<Kind, Tally>): Promise<void> {
  return runLanes(who, requestsFor(kind), {
    requests: perRound[kind],
    seed: fuzzSeed + round * kinds.length + kinds.indexOf(kind),
    tally: tally[kind],
  });
}

/** Compared with purchases of the moment before: other work on the machine slows both down. */
function expectServed(bought: Purchase[], before: Purchase[]): void {
  beside.push(...bought);
  expect(bought.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'ordered')).toEqual([]);
  const slowdown = percentile(bought, 0.5) / percentile(before, 0.5);
  expect(slowdown, 'how much slower the buyer was served').toBeLessThan(mostSlowdown.median);
}

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
  const lines = Object.entries(tallies).flatMap(([who, tally]) =>
    kinds.map((kind) => {
      const { sent, done, redirected, refused, rateLimited, slowestMs } = tally[kind];
      return `${who}, ${kind}: ${sent} sent, ${done} done (${share(done, sent)}), ${redirected} redirected, ${refused} refused, ${rateLimited} rate limited, slowest ${Math.round(slowestMs)} ms`;
    }),
  );
  const times = (bought: Purchase[]) =>
    `${bought.length} purchases, p50 ${Math.round(percentile(bought, 0.5))} ms, p99 ${Math.round(percentile(bought, 0.99))} ms`;
  const buyers = [`the buyer alone: ${times(alone)}`, `the buyer beside: ${times(beside)}`];
  const flooded = `floods: ${floods.sent} sent, ${floods.limited} rate limited; the buyer beside: ${times(floods.beside)}`;
  const memory = `resident MB after each round: ${residentMb.map(Math.round).join(' ')}`;
  console.log([`fuzz: seed ${fuzzSeed}`, ...lines, ...buyers, flooded, memory].join('\n'));
}

test('the promised number of requests was sent, and enough of them were valid to get past the first check', () => {
  report();
  const sent = (tally: Record<Kind, Tally>) => kinds.map((kind) => [kind, tally[kind].sent]);
  const promised = (count: number) => kinds.map((kind) => [kind, count * perRound[kind]]);
  expect(sent(tallies.outsiders)).toEqual(promised(rounds));
  expect(sent(tallies.allRoles)).toEqual(promised(allRolesRounds));
  const shares = kinds.map((kind) => {
    const { done, sent: all } = tallies.allRoles[kind];
    return [kind, done / Math.max(all, 1)] as const;
  });
  expect(shares.filter(([kind, share]) => share < leastDone[kind])).toEqual([]);
});

test('no connection is left in a transaction', async () => {
  const open = () => sql`select pid, state, query from pg_stat_activity
    where state like 'idle in transaction%' and state_change < now() - interval '2 seconds'`;
  await expect.poll(open).toEqual([]);
});

if (process.env.SOAK)
  test('the buyer’s p99 is within three times that of a quiet shop', () => {
    expect(percentile(beside, 0.99) / percentile(alone, 0.99)).toBeLessThan(mostSlowdown.p99InSoak);
  });

if (rounds >= 10)
  test('the memory of the web process does not grow', () => {
    const warm = Math.max(...residentMb.slice(0, Math.ceil(rounds / 5)));
    expect(residentMb.at(-1)).toBeLessThan(warm * mostGrowth);
  });

test('invalid websocket frames end the connection or get a response', async () => {
  const { publishableKey } = instanceKeys(shop.dataDir);
  const address = `${shop.url.replace('http', 'ws').replace('localhost', '127.0.0.1')}/realtime/v1/websocket?apikey=${publishableKey}&vsn=2.0.0`;
  let sockets = 0;
  // Ten unreadable frames end a connection, so a handful at a time; then it either answers still or has closed.
  const handful = fc.array(frame, { minLength: 1, maxLength: 6, size: 'max' });
  await fc.assert(
    fc.asyncProperty(handful, async (frames) => {
      sockets += 1;
      const localAddress = `127.4.0.${1 + (sockets % 250)}`; // one address may not open so many
      const socket = new WebSocket(address, { localAddress } as ClientOptions);
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
