// Public pages: cached, rendered, and what a first visit loads.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { nodeFlags, type RunningShop } from '../tests/support/shop.ts';
import { firstLoadKib } from './first-load.ts';
import { customerAddress } from './light-client.ts';
import { median, type Rate, rateOf, watchMemory } from './measure.ts';
import { type Row, row } from './report.ts';

const atOnce = 16;
// In rounds, so that later measurements do not gain from a client that has warmed up.
const rounds = 3;
// V8 optimizes rendering during the first seconds.
const longWarmUpMs = 6_000;

export async function pageRows({ url, process: web }: RunningShop): Promise<Row[]> {
  const rows: Row[] = [];
  const memory = watchMemory(web.pid);
  const page = await (await fetch(url)).text();
  await using bare = await bareServer(page);
  const plains: Rate[] = [];
  const cachedRates: Rate[] = [];
  for (let turn = 0; turn < rounds; turn += 1) {
    plains.push(await rate(bare.url));
    cachedRates.push(await rate(url));
  }
  const [plain, cached] = [usual(plains), usual(cachedRates)];
  rows.push(
    row(
      'home page, cached',
      `${formatRate(cached)}, ${(cached.perSecond / plain.perSecond).toFixed(2)} × bare node:http sending the same bytes (${formatRate(plain)}), in ${rounds} rounds`,
      '≥ 0.7 ×',
      cached.perSecond >= 0.7 * plain.perSecond,
    ),
  );
  // An address with a sign-in code is never cached.
  const rendered = await rate(`${url}/?code=bench`, {}, longWarmUpMs);
  const packed = await rate(`${url}/?code=bench`, { 'accept-encoding': 'br' });
  rows.push(
    row(
      'home page, rendered each time',
      `${formatRate(rendered)}, after ${longWarmUpMs / 1000} s of it, with parts that are the same for all remembered and one read of the data for those who come together (docs/decisions/0020); packed for each browser besides, ${formatRate(packed)}`,
      '≥ 150/s',
      rendered.perSecond >= 150,
      'A page of some 900 elements takes about 3 ms of a core, spread over React, its data and the socket, and one process renders on one core. Visitors get cached pages; this is what one of them waits for after a change.',
    ),
  );
  for (const path of ['/', '/shop', '/product/1']) {
    const kib = await firstLoadKib(await (await fetch(url + path)).text());
    rows.push(row(`first-load JavaScript of ${path}`, `${kib.toFixed(1)} KiB brotli`, '≤ 110 KiB', kib <= 110));
  }
  const megabytes = memory.most();
  rows.push(
    row(
      'memory of the web process, loaded (at most, during these pages)',
      `${megabytes} MB`,
      '≤ 400 MB',
      megabytes <= 400,
    ),
  );
  return rows;
}

const formatRate = ({ perSecond, p50, p99 }: Rate) =>
  `${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;

/** The median round. */
function usual(rates: readonly Rate[]): Rate {
  const middle = median(rates.map(({ perSecond }) => perSecond));
  return rates.find(({ perSecond }) => perSecond === middle) as Rate;
}

/** Each visitor has its own address: rendering is rate limited per address. */
const visitors = 64;

async function rate(url: string, headers: Record<string, string> = {}, warmUpMs = 1_000): Promise<Rate> {
  const address = url.replace('localhost', '127.0.0.1');
  const agents = Array.from(
    { length: visitors },
    (_, n) => new Agent({ keepAlive: true, maxSockets: 1, localAddress: customerAddress(n) } as never),
  );
  const measured = await rateOf((n) => fetchOnce(address, agents[n % visitors] as Agent, headers), {
    atOnce,
    warmUpMs,
    milliseconds: 4_000,
  });
  for (const agent of agents) agent.destroy();
  return measured;
}

function fetchOnce(url: string, agent: Agent, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
      response.on('end', resolve).resume();
    }).on('error', reject);
  });
}

async function bareServer(body: string): Promise<AsyncDisposable & { url: string }> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), { execArgv: nodeFlags });
  child.send(body);
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
