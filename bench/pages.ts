// Public pages: cached, rendered, and what a first visit loads.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { nodeFlags, type RunningShop } from '../tests/support/shop.ts';
import { firstLoadKib } from './first-load.ts';
import { customerAddress } from './light-client.ts';
import { median, type Rate, rateOf, watchMemory } from './measure.ts';
import { type Row, row } from './report.ts';

const atOnce = 16;
// In turns, so that the later one does not gain from a client that has warmed up.
const turns = 3;
// A shop that has just started compiles what renders pages while it renders them.
const longWarmUpMs = 6_000;

export async function pageRows({ url, process: web }: RunningShop): Promise<Row[]> {
  const rows: Row[] = [];
  const memory = watchMemory(web.pid);
  for (const path of ['/', '/shop']) rows.push(await cachedRow(url + path, path));
  // A page with a code in its address is never cached: every customer comes back from signing in with their own.
  const rendered = await rate(`${url}/?code=bench`, { warmUpMs: longWarmUpMs, watched: web.pid });
  const compressed = await rate(`${url}/?code=bench`, { headers: asBrowsersAsk });
  rows.push(
    row(
      'home page, rendered each time',
      `${described(rendered)}, ${rendered.cpuMs.toFixed(1)} ms of a core in the web process for each, after ${longWarmUpMs / 1000} s of warm-up; compressed for each browser besides, ${described(compressed)}`,
      '≥ 150/s',
      rendered.perSecond >= 150,
      'One process renders on one core, which client and database share here. Measured apart with the data at hand (docs/decisions/0019), React took two thirds of a page of 1,100 elements. Visitors get cached pages; this is what one of them waits for after a change.',
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

/** A cached page as browsers ask for it, beside a bare server that sends the same compressed bytes. */
async function cachedRow(url: string, path: string): Promise<Row> {
  const page = await fetchOnce(url.replace('localhost', '127.0.0.1'), new Agent(), asBrowsersAsk);
  await using bare = await bareServer(page);
  const plains: Rate[] = [];
  const cached: Rate[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    plains.push(await rate(bare.url, { headers: asBrowsersAsk }));
    cached.push(await rate(url, { headers: asBrowsersAsk }));
  }
  const [plain, shop] = [usual(plains), usual(cached)];
  const share = shop.perSecond / plain.perSecond;
  return row(
    `cached page, brotli: ${path}`,
    `${described(shop)}, ${share.toFixed(2)} × bare node:http sending the same ${(page.length / 1024).toFixed(1)} KiB (${described(plain)}), in ${turns} turns`,
    '≥ 0.7 ×',
    share >= 0.7,
  );
}

const asBrowsersAsk = { 'accept-encoding': 'gzip, deflate, br, zstd' };

const described = ({ perSecond, p50, p99 }: Rate) =>
  `${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;

/** The turn in the middle. */
function usual(rates: readonly Rate[]): Rate {
  const middle = median(rates.map(({ perSecond }) => perSecond));
  return rates.find(({ perSecond }) => perSecond === middle) as Rate;
}

/**
 * Visitors have addresses of their own: what one address may have rendered is limited, and while the process is busy each gets
 * 100 cached pages a second without waiting.
 */
const visitors = 256;

type Asked = { headers?: Record<string, string>; warmUpMs?: number; watched?: number | undefined };

async function rate(url: string, { headers = {}, warmUpMs = 1_000, watched }: Asked): Promise<Rate> {
  const address = url.replace('localhost', '127.0.0.1');
  const agents = Array.from(
    { length: visitors },
    (_, n) => new Agent({ keepAlive: true, maxSockets: 1, localAddress: customerAddress(n) }),
  );
  const measured = await rateOf((n) => fetchOnce(address, agents[n % visitors] as Agent, headers).then(() => {}), {
    atOnce,
    warmUpMs,
    milliseconds: 4_000,
    watched,
  });
  for (const agent of agents) agent.destroy();
  return measured;
}

function fetchOnce(url: string, agent: Agent, headers: Record<string, string>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`the response was ${response.statusCode}`));
      buffer(response).then(resolve, reject);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The shop ends connections that are idle for some seconds, and may do so while a request is on its way: browsers send
      // it again over another one, in the same time of waiting.
      if (request.reusedSocket && error.code === 'ECONNRESET') resolve(fetchOnce(url, agent, headers));
      else reject(error);
    });
  });
}

async function bareServer(body: Buffer): Promise<AsyncDisposable & { url: string }> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), { execArgv: nodeFlags });
  child.send({ body: body.toString('base64'), headers: { 'content-type': 'text/html', 'content-encoding': 'br' } });
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
