import { Agent, request } from 'node:http';
import { type Buyer, newBuyers } from '../tests/support/buyers.ts';
import { connectToShop, insertProduct } from '../tests/support/rows.ts';
import type { RunningShop } from '../tests/support/shop.ts';

export type OrderRate = { perSecond: number; p50: number; p99: number; orders: number; violations: number };

const atOnce = 24;

/**
 * Whole orders over HTTP: quote, createOrder, the test provider's payment, placeOrder; one customer each. The client
 * shares the cores, and its paying is part of what is counted.
 */
export async function ordersPerSecond(shop: RunningShop, milliseconds: number): Promise<OrderRate> {
  const sql = await connectToShop(shop.dataDir);
  try {
    const products = await Promise.all(
      Array.from({ length: 20 }, () => insertProduct(sql, { price: 240, hasSize: true, stock: 2_000_000_000 })),
    );
    const buyers = await newBuyers(sql, shop, Math.ceil((milliseconds / 1000) * 900) + 500, keptAlive(shop.url));
    const lines = (n: number) => [
      { productId: products[n % 20] as number, quantity: 1, size: 500 as const },
      { productId: products[(n * 7 + 1) % 20] as number, quantity: 2, size: 1000 as const },
    ];
    let next = 0;
    const run = async (end: number): Promise<number[]> => {
      const times: number[] = [];
      const worker = async () => {
        while (performance.now() < end) {
          const n = next++;
          const buyer = buyers[n] as Buyer;
          const started = performance.now();
          const { outcome } = await buyer.buy(lines(n), { webhook: 'never' });
          if (outcome !== 'ordered') throw new Error(`an order ended as ${outcome}`);
          times.push(performance.now() - started);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      return times;
    };
    await run(performance.now() + 2000);
    const started = performance.now();
    const times = (await run(started + milliseconds)).sort((a, b) => a - b);
    const perSecond = (times.length / (performance.now() - started)) * 1000;
    const [row] = await sql<
      { violations: number }[]
    >`select count(*)::int as violations from public.check_invariants()`;
    const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
    return { perSecond, p50: at(0.5), p99: at(0.99), orders: times.length, violations: row?.violations ?? -1 };
  } finally {
    await sql.end();
  }
}

/** node:http is a lighter client than fetch, and the client's work is subtracted from nobody's. */
function keptAlive(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  return (path: string, body: string, headers: Record<string, string>) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = request(url + path, { agent, method: 'POST', headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
}
