import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { createSimulator } from '../adapters/payments/simulator.ts';
import { testProviderKeys } from '../server/demo/demo-payments.ts';
import { createSimulatorStore } from '../server/demo/simulator-store.ts';
import { connectService } from '../server/functions/functions.ts';
import { type Buyer, type BuyerLine, newBuyers, type Paid } from '../tests/support/buyers.ts';
import { instanceKeys } from '../tests/support/instance-keys.ts';
import { connectToShop, insertProduct, socketOf } from '../tests/support/rows.ts';
import type { RunningShop } from '../tests/support/shop.ts';
import { lightClient } from './light-client.ts';
import { type Rate, rateOf, watchMemory } from './measure.ts';
import { type Row, row } from './report.ts';

/**
 * Customers in the closed loop, and callers of plain SQL: the same number, so that the two rows compare. More of them add
 * waiting and hardly an order: the table in docs/decisions/0022.
 */
const atOnce = 32;
const pace = { atOnce, warmUpMs: 2_000, milliseconds: 8_000 };
/** V8 optimizes hot code in the first seconds; after that the figures are stable. */
const longWarmUpMs = 12_000;

/** Whole orders over HTTP compared with plain SQL for the same order, and a flash sale: 1,000 buyers for 100 pieces. */
export async function orderRows(shop: RunningShop): Promise<Row[]> {
  const sql = await connectToShop(shop.dataDir);
  try {
    await waitForFigures(sql);
    const products = await Promise.all(
      Array.from({ length: 20 }, () => insertProduct(sql, { price: 240, hasSize: true, stock: 2_000_000_000 })),
    );
    const lines = (n: number): BuyerLine[] => [
      { productId: products[n % 20] as number, quantity: 1, size: 500 },
      { productId: products[(n * 7 + 1) % 20] as number, quantity: 2, size: 1000 },
    ];
    const client = lightClient(shop.url, atOnce);
    // As many as fit into one statement.
    const buyers: Buyer[] = [];
    for (let time = 0; time < 3; time += 1) buyers.push(...(await newBuyers(sql, shop, 8_000, client.post)));
    const next = () => buyers.pop() as Buyer;
    const { order, close } = await plainOrders(shop, next, lines);
    const plain = await rateOf(order, pace);
    await close();
    await waitForEmails(sql);
    const pay = createPayer(sql, shop);
    const memory = watchMemory(shop.process.pid);
    const whole = await rateOf(
      async (n) => {
        const buyer = next();
        const quote = await buyer.quote(lines(n));
        const created = await buyer.create(quote);
        const placed = await buyer.place(await pay(String(created.body.id)));
        if (placed.status !== 201) throw new Error(`an order ended as ${JSON.stringify(placed.body)}`);
      },
      { ...pace, warmUpMs: longWarmUpMs, watched: shop.process.pid },
    );
    const emails = await pendingEmails(sql);
    const derivedSeconds = await secondsUntilDerived(sql);
    await waitForEmails(sql);
    const withPaying = await rateOf(async (n) => {
      const { outcome } = await next().buy(lines(n), { webhook: 'never' });
      if (outcome !== 'ordered') throw new Error(`an order ended as ${outcome}`);
    }, pace);
    client.close();
    const megabytes = memory.most();
    const broken = await violations(sql);
    const sale = await flashSale(sql, shop);
    await waitForEmails(sql);
    return [
      row(
        'whole orders over HTTP: quote, createOrder, placeOrder; paid at the test provider',
        `${formatRate(whole)}, ${whole.cpuMs.toFixed(1)} ms of a core in the web process for each, ${atOnce} at once, ${broken} invariants broken, ${emails}, figures of customers caught up ${derivedSeconds.toFixed(1)} s later; ${(whole.perSecond / plain.perSecond).toFixed(2)} × plain SQL for the same order (${formatRate(plain)}, as many at once, each alone). Where the payment is a request to the shop, too, as in the test payment dialog: ${formatRate(withPaying)}`,
        '≥ 300/s, p99 < 200 ms, invariants clean, figures caught up within 30 s',
        whole.perSecond >= 300 && whole.p99 < 200 && broken === 0 && derivedSeconds <= 30,
        `In a closed loop of ${atOnce} customers, ${atOnce} divided by the rate is the mean time of an order: a machine that does fewer a second because of other work makes each wait longer as well. In a rush calls are batched and emails wait (docs/decisions/0022).`,
      ),
      row(
        'memory of the web process, loaded (at most, during these orders)',
        `${megabytes} MB`,
        '≤ 400 MB',
        megabytes <= 400,
      ),
      sale,
    ];
  } finally {
    await sql.end();
  }
}

/** Seconds until the worker has derived emails and customer figures. */
async function secondsUntilDerived(sql: Sql): Promise<number> {
  const started = performance.now();
  while ((await sql`select from private.order_changes limit 1`).length > 0) await sleep(100);
  return (performance.now() - started) / 1000;
}

function formatRate({ perSecond, p50, p99 }: Rate): string {
  return `${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;
}

/**
 * The customer's side of the test provider, which has its tables in the shop's database, but not its requests: as with a
 * real provider, the shop learns of the payment only through placeOrder.
 */
function createPayer(sql: Sql, shop: RunningShop): (orderId: string) => Promise<Paid> {
  const simulator = createSimulator({
    ...testProviderKeys(instanceKeys(shop.dataDir).jwtSecret),
    store: createSimulatorStore(sql),
    now: Date.now,
    deliver: () => Promise.reject(new Error('no email was expected')),
  });
  return async (orderId) => {
    const paid = await simulator.pay(orderId, { outcome: 'pay', webhook: 'never' });
    if ('error' in paid) throw new Error(`the payment ended as ${paid.error.reason}`);
    return paid;
  };
}

async function flashSale(sql: Sql, shop: RunningShop): Promise<Row> {
  const wanted = 1_000;
  const stock = 100;
  const productId = await insertProduct(sql, { price: 240, hasSize: false, stock });
  const client = lightClient(shop.url, wanted);
  const buyers = await newBuyers(sql, shop, wanted, client.post);
  const outcomes = await Promise.all(buyers.map((buyer) => buyer.buy([{ productId, quantity: 1, size: 500 }])));
  client.close();
  const sold = outcomes.filter(({ outcome }) => outcome === 'ordered').length;
  const lost = outcomes.filter(({ outcome, paymentId }) => paymentId && outcome !== 'ordered').length;
  const broken = await violations(sql);
  return row(
    'flash sale: 1,000 buyers, 100 pieces',
    `${sold} sold, ${lost} paid without an order, ${broken} invariants broken`,
    'exactly 100 sold, no payment lost',
    sold === stock && lost === 0 && broken === 0,
  );
}

/** Only the SQL statements of an order: one order at a time, no HTTP, no provider, no email. */
async function plainOrders(shop: RunningShop, next: () => Buyer, lines: (n: number) => BuyerLine[]) {
  const { unbatched: db, close } = connectService(await socketOf(shop.dataDir));
  const order = async (n: number) => {
    const at = new Date().toISOString();
    const { id } = next();
    const quote = (await db.rpc('quote_order', {
      customer_id: id,
      lines: lines(n).map(({ productId, quantity, size }) => ({ product_id: productId, quantity, size })),
      pincode: '400001',
      source: 'cart',
      fulfilment: 'delivery',
      at,
    })) as { total_paise: number; quote_id: string };
    const { total_paise: amount_paise, quote_id } = quote;
    const opened = await db.rpc('open_checkout', { customer_id: id, amount_paise, quote_id, at });
    const { checkout_id } = opened as { checkout_id: string };
    const provider_order_id = `order_${randomUUID()}`;
    await db.rpc('attach_provider_order', { checkout_id, provider_order_id });
    const settled = await db.rpc('settle_payment', {
      provider_order_id,
      payment_id: `pay_${randomUUID()}`,
      amount_paise,
      currency: 'INR',
      method: 'upi',
      fee_paise: 0,
      is_refunded_by_provider: false,
      at,
    });
    if ((settled as { outcome: string }).outcome !== 'ordered') throw new Error('an order in plain SQL failed');
  };
  return { order, close };
}

/** A shop that was just filled calculates its months first. */
async function waitForFigures(sql: Sql): Promise<void> {
  while ((await sql`select public.refresh_figures() as more`)[0]?.more);
}

async function pendingEmails(sql: Sql): Promise<string> {
  const [found] = await sql<{ waiting: number }[]>`
    select count(*)::int as waiting from private.outbox where done_at is null`;
  return `${found?.waiting ?? '?'} of their emails not sent yet`;
}

/** Emails of one measurement must not be sent during the next. */
async function waitForEmails(sql: Sql): Promise<void> {
  const end = performance.now() + 180_000;
  while ((await sql`select from private.outbox where done_at is null limit 1`).length > 0) {
    if (performance.now() > end) throw new Error('emails of the previous orders were not sent');
    await sleep(250);
  }
}

async function violations(sql: Sql): Promise<number> {
  const [found] = await sql<{ count: number }[]>`select count(*)::int as count from public.check_invariants()`;
  return found?.count ?? -1;
}
