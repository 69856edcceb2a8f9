import { type FunctionAnswer, newBuyers } from '../tests/support/buyers.ts';
import { card, recipient } from '../tests/support/groups.ts';
import { connectToShop, insertPaidOrder, insertProduct } from '../tests/support/rows.ts';
import type { RunningShop } from '../tests/support/shop.ts';
import { watchMemory } from './measure.ts';
import { type Row, row } from './report.ts';

const count = 500;
const turns = 3;

/** Five hundred recipients and one payment: from the payment to the orders, and how long another visitor waits meanwhile. */
export async function groupRows(shop: RunningShop): Promise<Row[]> {
  const sql = await connectToShop(shop.dataDir);
  try {
    const productId = await insertProduct(sql, { price: 240, stock: 1_000_000 });
    const other = await insertProduct(sql, { price: 240 });
    const recipients = Array.from({ length: count }, (_, place) =>
      recipient(place + 1, [{ productId, quantity: 1, size: 500 }]),
    );
    const memory = watchMemory(shop.process.pid);
    const checking: number[] = [];
    const placing: number[] = [];
    const pages: number[] = [];
    for (const buyer of await newBuyers(sql, shop, turns)) {
      // Who has ordered before may hold as much as they need.
      await insertPaidOrder(sql, { userId: buyer.id, productId: other });
      const [quote, checkedIn] = await timed(() => buyer.call('quoteGroup', { recipients, card }));
      const created = await buyer.call('createGroupOrder', { recipients, card, key: quote.body.key });
      const paid = await buyer.pay(created, { webhook: 'never' });
      let isPlaced = false;
      const visiting = visit(shop.url, () => isPlaced, pages);
      const [placed, placedIn] = await timed(() => buyer.place(paid));
      isPlaced = true;
      await visiting;
      expectOk(placed, 201);
      checking.push(checkedIn);
      placing.push(placedIn);
    }
    const [{ orders } = { orders: 0 }] = await sql<{ orders: number }[]>`
      select count(*)::int as orders from public.orders o join public.order_items i on i.order_id = o.id
      where i.product_id = ${productId}`;
    const broken = (await sql`select * from public.check_invariants()`).length;
    const slowest = Math.max(...placing) / 1000;
    const megabytes = memory.most();
    return [
      row(
        `one payment for ${count} recipients, from the payment to ${count} orders (slowest of ${turns})`,
        `${slowest.toFixed(1)} s, ${orders} orders, ${broken} invariants broken; the dry run ${(Math.max(...checking) / 1000).toFixed(1)} s; pages meanwhile ${Math.max(...pages).toFixed(0)} ms at most; memory ${megabytes} MB at most`,
        '≤ 5 s, every order, invariants clean, ≤ 400 MB',
        slowest <= 5 && orders === count * turns && broken === 0 && megabytes <= 400,
      ),
    ];
  } finally {
    await sql.end();
  }
}

async function timed(call: () => Promise<FunctionAnswer>): Promise<[FunctionAnswer, number]> {
  const started = performance.now();
  const answer = await call();
  return [answer, performance.now() - started];
}

/** Another visitor, who reads a page again and again. */
async function visit(url: string, isOver: () => boolean, times: number[]): Promise<void> {
  do {
    const started = performance.now();
    const response = await fetch(`${url}/shop`);
    await response.text();
    times.push(performance.now() - started);
  } while (!isOver());
}

function expectOk({ status, body }: FunctionAnswer, wanted: number): void {
  if (status !== wanted) throw new Error(`a group ended as ${JSON.stringify(body)}`);
}
