import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createDemoPayments } from '../../server/demo/demo-payments.ts';
import { connectService } from '../../server/functions/functions.ts';
import { doDueWork } from '../../supabase/functions/_shared/run-jobs.ts';
import { type Buyer, newBuyers } from '../support/buyers.ts';
import { copyFilledShop } from '../support/filled-shop.ts';
import { card, recipient } from '../support/groups.ts';
import { instanceKeys } from '../support/instance-keys.ts';
import { treeOf } from '../support/process-tree.ts';
import { connectToShop, insertPaidOrder, insertProduct } from '../support/rows.ts';
import { type RunningShop, removeDataDir, startShop } from '../support/shop.ts';

vi.setConfig({ testTimeout: 600_000 });

const recipients = 500;
let dataDir: string;
let shop: RunningShop;
let sweet: number;

beforeAll(async () => {
  dataDir = await copyFilledShop();
  shop = await startShop({ dataDir });
  sweet = await withShop((sql) => insertProduct(sql, { price: 120, stock: 10_000_000 }));
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

/** What the customer was told before the shop was killed. */
type Told = { isPaid: boolean; isOrdered: boolean };

async function buyForMany(buyer: Buyer, told: Told, onPaid: () => void): Promise<void> {
  try {
    const rows = Array.from({ length: recipients }, (_, place) =>
      recipient(place + 1, [{ productId: sweet, quantity: 1, size: 500 }]),
    );
    const quote = await buyer.call('quoteGroup', { recipients: rows, card });
    const created = await buyer.call('createGroupOrder', { recipients: rows, card, key: quote.body.key });
    const paid = await buyer.pay(created, { webhook: 'never' });
    told.isPaid = Boolean(paid.razorpay_payment_id);
    onPaid();
    told.isOrdered = (await buyer.place(paid)).status === 201;
  } catch {
    onPaid(); // The shop was killed while it answered.
  }
}

async function killAfter(strike: (paid: Promise<void>) => Promise<void>, wholeTree: boolean) {
  const told: Told = { isPaid: false, isOrdered: false };
  const buyer = await withShop(async (sql) => {
    const [one] = (await newBuyers(sql, { url: shop.url, dataDir }, 1)) as [Buyer];
    // Who has ordered before may hold as much as they need.
    await insertPaidOrder(sql, { userId: one.id, productId: sweet });
    return one;
  });
  const paid = Promise.withResolvers<void>();
  const buying = buyForMany(buyer, told, paid.resolve);
  await strike(paid.promise);
  const gone = once(shop.process, 'exit');
  for (const pid of wholeTree ? treeOf(shop.process.pid ?? 0) : [shop.process.pid ?? 0]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Already gone with its parent.
    }
  }
  await gone;
  await buying;
  shop = await startShop({ dataDir });
  return { told, buyer };
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

async function expectAllOrNone({ told, buyer }: Awaited<ReturnType<typeof killAfter>>): Promise<void> {
  await twoMinutesLater();
  await withShop(async (sql) => {
    expect(await sql`select * from public.check_invariants()`).toEqual([]);
    const captured = await sql`
      select p.id from demo.provider_payments p join private.group_orders g on g.provider_order_id = p.order_id
      where g.user_id = ${buyer.id} and p.status = 'captured'`;
    const orders = await sql`select id from public.orders where user_id = ${buyer.id} and group_id is not null`;
    expect(orders).toHaveLength(captured.length > 0 ? recipients : 0);
    if (told.isPaid || told.isOrdered) expect(captured).toHaveLength(1);
  });
}

const kills = process.env.SOAK ? 30 : 3;
test(`kill -9 at ${kills} random moments around the payment of a group: all orders or none, and none paid for is missing`, async () => {
  for (let n = 0; n < kills; n += 1) {
    const killed = await killAfter(
      async (paid) => {
        if (n % 3 === 0) return sleep(50 + Math.random() * 900).then(() => {});
        await paid;
        await sleep(Math.random() * 900);
      },
      n % 2 === 1,
    );
    await expectAllOrNone(killed);
  }
});
