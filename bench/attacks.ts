// Latency for all other clients while one address attacks. `node bench/attacks.ts` runs it alone, with words behind it only
// the attacks that contain one of them. A whole run writes the table of docs/security.md.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Buyer, mintToken, newBuyers } from '../tests/support/buyers.ts';
import { connectToShop, insertProduct, insertUser } from '../tests/support/rows.ts';
import { nodeFlags, type RunningShop } from '../tests/support/shop.ts';
import { publicEnvironment } from '../tests/support/visitor.ts';
import type { AttackOrder } from './attacks/attacker.ts';
import { type AttackName, attackNames, isOfSockets } from './attacks/attacks.ts';
import type { EmptyServerOptions } from './attacks/empty-server.ts';
import type { AttackReport } from './attacks/load-generator.ts';
import { measureOtherVisitors, postAsBuyer, type VisitorImpact } from './attacks/other-visitors.ts';
import { isMissed, limitMs, line, type Measured, writeTable } from './attacks/table.ts';
import { printed, type Row, row } from './report.ts';
import { withDemoShop } from './start.ts';

const attackMs = 7_000;
const idleMs = 4_000;
/** Time for an attack to ramp up, and for the shop to become idle after it. */
const settleMs = 1_000;

export async function attackRows(shop: RunningShop, words: readonly string[] = []): Promise<Row[]> {
  const sql = await connectToShop(shop.dataDir);
  const productId = await insertProduct(sql, { price: 240, hasSize: true, stock: 2_000_000_000 });
  const { key: apikey } = await publicEnvironment(shop.url);
  const token = await mintToken(shop.dataDir, await insertUser(sql));
  const buyers = await newBuyers(sql, shop, 6_000, postAsBuyer(shop.url));
  await sql.end();
  const shopPort = Number(new URL(shop.url).port);

  const notice = (milliseconds: number) =>
    measureOtherVisitors(shop.url, milliseconds, async () => {
      const { outcome } = await (buyers.pop() as Buyer).buy([{ productId, quantity: 1, size: 500 }]);
      return outcome;
    });

  async function noticeDuring(order: AttackOrder): Promise<{ impact: VisitorImpact; report: AttackReport }> {
    const attacking = runAttack(order);
    await sleep(settleMs);
    const impact = await notice(order.milliseconds - 2 * settleMs);
    const report = await attacking;
    await sleep(settleMs);
    return { impact, report };
  }

  async function measure(attack: AttackName): Promise<Measured> {
    const target = { attack, apikey, token };
    const { impact, report } = await noticeDuring({ ...target, port: shopPort, milliseconds: attackMs });
    const perSecond = Math.max(1, (report.requests * 1000) / attackMs);
    const bytes = Math.round(report.bytes / Math.max(1, report.requests));
    const idle = await withEmptyServer({ bytes, closesAtOnce: isOfSockets(attack) }, (port) =>
      noticeDuring({ ...target, port, milliseconds: idleMs, perSecond }),
    );
    return { what: attack, impact, attack: { report, idle: idle.impact } };
  }

  await notice(3_000); // a shop that has just started is slower
  const measured: Measured[] = [];
  const add = (one: Measured) => {
    measured.push(one);
    process.stdout.write(`  ${line(one)}\n`);
  };
  add({ what: 'nothing', impact: await notice(attackMs - 2 * settleMs), attack: null });
  const chosen = attackNames.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
  for (const attack of chosen) add(await measure(attack));
  if (words.length === 0) writeTable(measured, attackMs / 1000);
  return [summaryOf(measured.slice(1))];
}

function summaryOf(attacked: readonly Measured[]): Row {
  const worst = attacked.reduce((a, b) => (b.impact.p99 > a.impact.p99 ? b : a));
  const failed = attacked.filter(({ impact }) => impact.failures.length > 0 || impact.orders === 0);
  const checkouts =
    failed.length === 0 ? 'went on in all' : `failed during ${failed.map(({ what }) => what).join('; ')}`;
  return row(
    `one address attacks in ${attacked.length} ways: latency for all other clients (docs/security.md)`,
    `home page p99 at most ${worst.impact.p99.toFixed(0)} ms (${worst.what}); checkouts ${checkouts}`,
    `p99 < ${limitMs} ms, checkouts go on`,
    !attacked.some(isMissed),
  );
}

function start(file: string, message: AttackOrder | EmptyServerOptions): ChildProcess {
  const child = fork(join(import.meta.dirname, 'attacks', file), { execArgv: nodeFlags });
  child.send(message);
  return child;
}

async function runAttack(order: AttackOrder): Promise<AttackReport> {
  const [report] = (await once(start('attacker.ts', order), 'message')) as [AttackReport];
  return report;
}

async function withEmptyServer<T>(options: EmptyServerOptions, use: (port: number) => Promise<T>): Promise<T> {
  const server = start('empty-server.ts', options);
  try {
    const [port] = (await once(server, 'message')) as [number];
    return await use(port);
  } finally {
    server.kill();
  }
}

if (import.meta.main)
  await withDemoShop(async (shop) => {
    for (const each of await attackRows(shop, process.argv.slice(2))) process.stdout.write(printed(each));
  });
