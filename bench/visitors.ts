// What visitors of a shop do, in the shares of an ordinary day; one call of `visit` is one thing one of them does.
import { Agent, request } from 'node:http';
import type { Sql } from 'postgres';
import { type Buyer, mintToken, newBuyers, type Post } from '../tests/support/buyers.ts';
import { seededRandom } from '../tests/support/random.ts';
import { insertProduct, insertUser } from '../tests/support/rows.ts';
import type { RunningShop } from '../tests/support/shop.ts';
import { publicEnvironment } from '../tests/support/visitor.ts';
import { customerAddress } from './light-client.ts';

export type Kind = 'browsing' | 'cart' | 'buying' | 'console';
/** The result: fine, an expected rejection (sold out), or an error. */
export type Outcome = { kind: Kind; ms: number; result: 'fine' | 'sold out' | 'error'; what: string };
export type Visitors = { visit(): Promise<Outcome>; end(): void };

export const shares: Record<Kind, number> = { browsing: 90, cart: 7, buying: 2, console: 1 };

type Answer = { status: number; text: string };
type Send = (method: string, path: string, headers: Record<string, string>, body?: string) => Promise<Answer>;

const consoleRequests: [name: string, args: object][] = [
  ['admin_read_dashboard', { period: 'today' }],
  ['admin_read_todo', {}],
  ['admin_list_orders', {}],
  ['admin_list_orders', { filter: { search: 'meena' } }],
  ['admin_list_products', {}],
  ['admin_list_customers', {}],
  ['admin_list_stock', {}],
];

export async function createVisitors(sql: Sql, shop: RunningShop): Promise<Visitors> {
  const agents = Array.from(
    { length: 256 },
    (_, n) => new Agent({ keepAlive: true, maxSockets: 1, localAddress: customerAddress(n) } as never),
  );
  const send = sender(shop.url.replace('localhost', '127.0.0.1'), agents);
  const post: Post = (path, body, headers) => send('POST', path, headers, body);
  const buyers = await newBuyers(sql, shop, 4_000, post);
  const plenty = await Promise.all(
    Array.from({ length: 20 }, () => insertProduct(sql, { price: 240, hasSize: true, stock: 1_000_000_000 })),
  );
  const scarce = await insertProduct(sql, { price: 240, stock: 200 });
  const listed = await sql<{ id: number }[]>`select "Id"::int as id from public."Products" where is_listed`;
  const { key } = await publicEnvironment(shop.url);
  const owner = await mintToken(shop.dataDir, await insertUser(sql, { administrator: true }));
  const asOwner = { apikey: key, authorization: `Bearer ${owner}`, 'content-type': 'application/json' };
  const { pick: oneOf, number: below } = seededRandom(7);
  let rounds = 0;
  const nextBuyer = () => buyers[rounds++ % buyers.length] as Buyer;
  const lines = () => [{ productId: oneOf(plenty), quantity: 1 + below(3), size: 500 as const }];

  const words = ['laddu', 'kesar', 'halva', 'kaju katli', 'choclate', 'gift'];
  const pages: (() => string)[] = [
    () => '/',
    () => '/shop',
    () => `/shop?tab=${oneOf(['gifts', 'takeaway'])}`,
    () => `/shop?category=${oneOf(['Laddu', 'Halwa', 'Chocolate'])}&sort=l-h`,
    () => `/product/${oneOf(listed).id}`,
    () => `/product/${oneOf(listed).id}`,
    () => `/shop?q=${encodeURIComponent(oneOf(words))}`,
    () => '/terms',
  ];
  const doing: Record<Kind, () => Promise<[what: string, result: Outcome['result']]>> = {
    async browsing() {
      const path = oneOf(pages)();
      const { status } = await send('GET', path, { 'accept-encoding': 'gzip' });
      return [`${path} ${status}`, status === 200 ? 'fine' : 'error'];
    },
    async cart() {
      const { status } = await nextBuyer().quote(lines());
      return [`quote ${status}`, status === 200 ? 'fine' : 'error'];
    },
    async buying() {
      const isScarce = below(10) === 0;
      const { outcome } = await nextBuyer().buy(isScarce ? [{ productId: scarce, quantity: 1, size: 500 }] : lines());
      const isLegal = isScarce && ['not-enough-stock', 'sold-out'].includes(outcome);
      return [outcome, outcome === 'ordered' ? 'fine' : isLegal ? 'sold out' : 'error'];
    },
    async console() {
      const [name, args] = oneOf(consoleRequests);
      const { status, text } = await send('POST', `/rest/v1/rpc/${name}`, asOwner, JSON.stringify(args));
      return [`${name} ${status} ${status === 200 ? '' : text}`, status === 200 ? 'fine' : 'error'];
    },
  };
  const kinds = Object.entries(shares).flatMap(([kind, share]) => Array<Kind>(share).fill(kind as Kind));

  return {
    async visit() {
      const kind = oneOf(kinds);
      const started = performance.now();
      const [what, result] = await doing[kind]().catch((error: Error) => [error.message, 'error'] as const);
      return { kind, ms: performance.now() - started, result, what };
    },
    end() {
      for (const agent of agents) agent.destroy();
    },
  };
}

/** Round robin over visitors, each with its own address. */
function sender(url: string, agents: readonly Agent[]): Send {
  let turn = 0;
  return (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const agent = agents[turn++ % agents.length] as Agent;
      const sent = request(url + path, { agent, method, headers }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString('utf8') }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
}
