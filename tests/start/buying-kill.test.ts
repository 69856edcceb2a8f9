import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createDemoPayments } from '../../server/demo/demo-payments.ts';
import { connectService } from '../../server/functions/functions.ts';
import { doDueWork } from '../../supabase/functions/_shared/run-jobs.ts';
import { type Buyer, newBuyers, type Paid } from '../support/buyers.ts';
import { copyFilledShop } from '../support/filled-shop.ts';
import { instanceKeys } from '../support/instance-keys.ts';
import { treeOf } from '../support/process-tree.ts';
import { connectToShop, insertProduct } from '../support/rows.ts';
import { type RunningShop, removeDataDir, startShop } from '../support/shop.ts';

vi.setConfig({ testTimeout: 300_000 });

let dataDir: string;
let shop: RunningShop;
let sweet: number;

beforeAll(async () => {
  dataDir = await copyFilledShop();
  shop = await startShop({ dataDir });
  sweet = await withShop((sql) => insertProduct(sql, { price: 120, stock: 100_000 }));
});
afterAll(async () => {
  await shop?.stop();
  await removeDataDir(dataDir);
});

async function withShop<T>(use: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = await connectToShop(dataDir);
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}

/** What the shop had confirmed to the buyers before it was killed. */
type Told = { orders: Set<string>; payments: Set<string> };

/** Buys again and again until the shop is gone; each has five checkouts a minute. */
async function buyUntilTheEnd(buyer: Buyer, told: Told): Promise<void> {
  try {
    for (let n = 0; n < 5; n += 1) {
      const created = await buyer.create(await buyer.quote([{ productId: sweet, quantity: 1 + n, size: 500 }]));
      const paid = await buyer.pay(created);
      if (paid.razorpay_payment_id) told.payments.add(paid.razorpay_payment_id);
      const placed = await buyer.place(paid);
      if (placed.status === 201) told.orders.add(String(placed.body.order_id));
    }
  } catch {
    // The shop was killed while it answered.
  }
}

/** `strike` decides when. Either the web process alone dies, or the database with it. */
async function killWhileBuying(strike: (told: Told) => Promise<void>, wholeTree: boolean): Promise<Told> {
  const told: Told = { orders: new Set(), payments: new Set() };
  const buyers = await withShop((sql) => newBuyers(sql, { url: shop.url, dataDir }, 6));
  const buying = buyers.map((buyer) => buyUntilTheEnd(buyer, told));
  await strike(told);
  const gone = once(shop.process, 'exit');
  const pids = wholeTree ? treeOf(shop.process.pid ?? 0) : [shop.process.pid ?? 0];
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Already gone with its parent.
    }
  }
  await gone;
  await Promise.all(buying);
  shop = await startShop({ dataDir });
  return told;
}

/** A worker two minutes from now: by then it has asked the provider about payments the shop did not hear of. */
async function twoMinutesLater(): Promise<void> {
  await withShop(async (sql) => {
    const connection = { path: sql.options.path, user: 'postgres', database: 'postgres' } as never;
    const pool = postgres({ ...(connection as object), max: 4, onnotice: () => {} });
    const service = connectService(connection);
    const { provider, simulator } = await createDemoPayments({
      sql: pool,
      secret: instanceKeys(dataDir).jwtSecret,
      apiUrl: shop.url,
      webhook: async () => new Response(null, { status: 200 }),
    });
    await doDueWork({
      db: service.db,
      payments: provider,
      mailer: null,
      messenger: null,
      siteUrl: shop.url,
      now: () => new Date(Date.now() + 120_000),
      report: () => {},
    });
    simulator.stop();
    await service.close();
    await pool.end();
  });
}

async function expectNothingLostOrDoubled({ orders, payments }: Told): Promise<void> {
  await twoMinutesLater();
  await withShop(async (sql) => {
    expect(await sql`select * from public.check_invariants()`).toEqual([]);
    const lost = await sql`
      select p.id from demo.provider_payments p
      where p.status = 'captured' and not exists (
        select from private.payments k where k.payment_id = p.id and (
          k.order_id is not null or k.group_id is not null or exists (select from private.refunds r where r.payment_id = k.payment_id)))`;
    expect(lost).toEqual([]);
    const doubled =
      await sql`select payment_id from public.orders where payment_id is not null group by payment_id, group_place having count(*) > 1`;
    expect(doubled).toEqual([]);
    const kept = await sql<{ id: string }[]>`select id from public.orders where id = any (${[...orders]})`;
    expect(kept).toHaveLength(orders.size);
    const known =
      await sql`select id from demo.provider_payments where id = any (${[...payments]}) and status = 'captured'`;
    expect(known).toHaveLength(payments.size);
    const [unbalanced] = await sql`
      select count(*)::int as rows from public.stock_levels s where s.reserved <> (
        select coalesce(sum(u.units), 0)
        from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, c.held) as u (product_id, units)
        where u.product_id = s.product_id)`;
    expect(unbalanced?.rows).toBe(0);
  });
}

const kills = process.env.SOAK ? 30 : 3;
test(`kill -9 at ${kills} random moments while customers buy loses no payment and creates no order twice`, async () => {
  for (let n = 0; n < kills; n += 1) {
    const told = await killWhileBuying(() => sleep(40 + Math.random() * 700), n % 2 === 1);
    await expectNothingLostOrDoubled(told);
  }
});

test.each(['createOrder', 'paying', 'placeOrder'])('kill -9 in the middle of %s', async (step) => {
  const [buyer] = (await withShop((sql) => newBuyers(sql, { url: shop.url, dataDir }, 1))) as [Buyer];
  const quote = await buyer.quote([{ productId: sweet, quantity: 2, size: 500 }]);
  const told = await killWhileBuying(async (heard) => {
    const creating = buyer.create(quote);
    creating.catch(() => {});
    if (step !== 'createOrder') {
      const paying = buyer.pay(await creating);
      paying.catch(() => {});
      if (step === 'placeOrder') {
        const paid: Paid = await paying;
        heard.payments.add(paid.razorpay_payment_id);
        buyer.place(paid).catch(() => {});
      }
    }
    await sleep(Math.random() * 25);
  }, false);
  await expectNothingLostOrDoubled(told);
});
