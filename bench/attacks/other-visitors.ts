// The other clients: a visitor every few milliseconds, on a new connection from an address of its own, and one customer after
// the other who buys.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Post } from '../../tests/support/buyers.ts';
import { customerAddress } from '../light-client.ts';

const visitorEveryMs = 10;
const buyerAddress = '127.0.0.3';

export type VisitorImpact = { p50: number; p99: number; pages: number; orders: number; failures: string[] };

export async function measureOtherVisitors(
  url: string,
  milliseconds: number,
  buy: () => Promise<string>,
): Promise<VisitorImpact> {
  const end = performance.now() + milliseconds;
  const times: number[] = [];
  const failures: string[] = [];
  const visits: Promise<void>[] = [];
  let orders = 0;
  const buying = (async () => {
    while (performance.now() < end) {
      const outcome = await buy().catch((error: Error) => error.message);
      if (outcome === 'ordered') orders += 1;
      else failures.push(outcome);
    }
  })();
  // Open loop: a slow server does not get fewer visitors.
  for (let n = 0, due = performance.now(); due < end; n += 1, due += visitorEveryMs) {
    await sleep(Math.max(0, due - performance.now()));
    const started = performance.now();
    visits.push(
      send(url, '/', { agent: false, method: 'GET', localAddress: customerAddress(n) })
        .then(({ status }) => {
          if (status !== 200) failures.push(`home page ${status}`);
        })
        .catch((error: Error) => void failures.push(`home page: ${error.message}`))
        .then(() => void times.push(performance.now() - started)),
    );
  }
  await Promise.all([...visits, buying]);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), pages: times.length, orders, failures };
}

/** How buyers of the bench post: on kept-alive connections from an address that is not the attacker's. */
export function postAsBuyer(url: string): Post {
  const agent = new Agent({ keepAlive: true });
  const host = new URL(url).host;
  const options = { agent, method: 'POST', localAddress: buyerAddress };
  return (path, body, headers) => send(url, path, { ...options, headers: { host, ...headers } }, body);
}

type Options = { agent: Agent | false; method: string; localAddress: string; headers?: Record<string, string> };

function send(url: string, path: string, options: Options, body?: string): Promise<{ status: number; text: string }> {
  const address = url.replace('localhost', '127.0.0.1') + path;
  return new Promise((resolve, reject) => {
    const sent = request(address, options, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() }));
      response.on('error', reject);
    });
    sent.setTimeout(15_000, () => sent.destroy(new Error('no response within 15 s')));
    sent.on('error', reject);
    sent.end(body);
  });
}
