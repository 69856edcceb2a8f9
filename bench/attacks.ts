// What everybody else notices while one address attacks. `node bench/attacks.ts` runs it alone; both ways it writes the table
// of docs/security.md.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mintToken, newBuyers, type Post } from '../tests/support/buyers.ts';
import { connectToShop, insertProduct, insertUser } from '../tests/support/rows.ts';
import { nodeFlags, type RunningShop } from '../tests/support/shop.ts';
import { publicEnvironment } from '../tests/support/visitor.ts';
import { type AttackName, type AttackOrder, type AttackReport, attackNames } from './attacks/attacker.ts';
import { measuredCommit, printed, type Row, row } from './report.ts';
import { withDemoShop } from './start.ts';

const attackMs = 8_000;
const settleMs = 1_500;
const visitorEveryMs = 10;
const limitMs = 150;
const page = join(import.meta.dirname, '../docs/security.md');

type Felt = { p50: number; p99: number; pages: number; orders: number; refused: string[] };
type Measured = { what: string; felt: Felt; attacker: AttackReport | null };

export async function attackRows(shop: RunningShop): Promise<Row[]> {
  const sql = await connectToShop(shop.dataDir);
  const productId = await insertProduct(sql, { price: 240, hasSize: true, stock: 2_000_000_000 });
  const { key } = await publicEnvironment(shop.url);
  const token = await mintToken(shop.dataDir, await insertUser(sql));
  const buyers = await newBuyers(sql, shop, 4_000, postFrom(shop.url, '127.0.0.3'));
  await sql.end();

  async function measure(attack: AttackName | null): Promise<Measured> {
    const attacking = attack && startAttack({ attack, url: shop.url, key, token, milliseconds: attackMs });
    await sleep(settleMs);
    const felt = await everybodyElse(shop.url, attackMs - 2 * settleMs, async () => {
      const { outcome } = await (buyers.pop() as (typeof buyers)[number]).buy([{ productId, quantity: 1, size: 500 }]);
      return outcome;
    });
    const attacker = await attacking;
    await sleep(settleMs);
    return { what: attack ?? 'nobody attacks', felt, attacker };
  }

  await measure(null); // a shop that has just begun is slower
  const measured: Measured[] = [];
  for (const attack of [null, ...attackNames]) {
    measured.push(await measure(attack));
    process.stdout.write(`  ${line(measured.at(-1) as Measured)}\n`);
  }
  writeTable(measured);
  const attacked = measured.slice(1);
  const worst = attacked.reduce((a, b) => (b.felt.p99 > a.felt.p99 ? b : a));
  const refused = attacked.filter(({ felt }) => felt.refused.length > 0 || felt.orders === 0);
  return [
    row(
      `one address attacks in ${attacked.length} ways: what everybody else notices (docs/security.md)`,
      `home page p99 at most ${worst.felt.p99.toFixed(0)} ms (${worst.what}); checkouts ${refused.length === 0 ? 'went on in all' : `failed during ${refused.map(({ what }) => what).join('; ')}`}`,
      `p99 < ${limitMs} ms, checkouts go on`,
      worst.felt.p99 < limitMs && refused.length === 0,
    ),
  ];
}

async function startAttack(order: AttackOrder): Promise<AttackReport> {
  const child = fork(join(import.meta.dirname, 'attacks/attacker.ts'), { execArgv: nodeFlags });
  child.send(order);
  const [report] = (await once(child, 'message')) as [AttackReport];
  return report;
}

/** A visitor every few milliseconds, whether those before have their page or not, and one customer after the other. */
async function everybodyElse(url: string, milliseconds: number, buy: () => Promise<string>): Promise<Felt> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64, localAddress: '127.0.0.2' } as never);
  const end = performance.now() + milliseconds;
  const times: number[] = [];
  const refused: string[] = [];
  const visits: Promise<void>[] = [];
  let orders = 0;
  const buying = (async () => {
    while (performance.now() < end) {
      const outcome = await buy().catch((error: Error) => error.message);
      if (outcome === 'ordered') orders += 1;
      else refused.push(outcome);
    }
  })();
  while (performance.now() < end) {
    const started = performance.now();
    visits.push(
      send(url, '/', { agent, method: 'GET' }).then(({ status }) => {
        if (status !== 200) refused.push(`home page ${status}`);
        times.push(performance.now() - started);
      }),
    );
    await sleep(visitorEveryMs);
  }
  await Promise.all([...visits, buying]);
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), pages: times.length, orders, refused };
}

type Sent = { status: number; text: string };

function send(
  url: string,
  path: string,
  options: { agent: Agent; method: string; headers?: Record<string, string> },
  body?: string,
): Promise<Sent> {
  const address = url.replace('localhost', '127.0.0.1') + path;
  return new Promise((resolve, reject) => {
    const sent = request(address, options, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString() }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function postFrom(url: string, localAddress: string): Post {
  const agent = new Agent({ keepAlive: true, localAddress } as never);
  const host = new URL(url).host;
  return (path, body, headers) => send(url, path, { agent, method: 'POST', headers: { host, ...headers } }, body);
}

const answersOf = ({ statuses }: AttackReport) =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ');

function line({ what, felt, attacker }: Measured): string {
  const orders =
    felt.refused.length > 0 ? `${felt.orders}, refused: ${[...new Set(felt.refused)].join(', ')}` : felt.orders;
  const attack = attacker ? `${answersOf(attacker)} | ${(attacker.cpuMs / 1000).toFixed(1)} s` : '– | –';
  return `| ${what} | ${felt.p50.toFixed(1)} ms | ${felt.p99.toFixed(1)} ms | ${orders} | ${attack} |`;
}

function writeTable(measured: readonly Measured[]): void {
  const text = readFileSync(page, 'utf8');
  const [begin, end] = ['<!-- attacks: written by bench/attacks.ts -->', '<!-- end of attacks -->'];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for the table`);
  const table = [
    `Measured ${new Date().toISOString().slice(0, 10)} for ${attackMs / 1000} s each, ${measuredCommit()}, two cores shared by the shop, its database, the attacker and everybody else.`,
    '',
    '| one address sends | others: home page p50 | p99 | their orders | answers to the attacker | attacker’s processor time |',
    '|---|---|---|---|---|---|',
    ...measured.map(line),
  ].join('\n');
  writeFileSync(page, `${before}${begin}\n${table}\n${end}${after}`);
}

if (import.meta.main)
  await withDemoShop(async (shop) => {
    for (const each of await attackRows(shop)) process.stdout.write(printed(each));
  });
