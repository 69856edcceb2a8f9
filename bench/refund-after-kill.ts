// How long a refund takes when the shop is killed around the payment that it belongs to: node bench/refund-after-kill.ts
// A customer pays for the last sweet after another has bought it, the web process is killed (every second time with its
// database), started again at once, and the clock stops when the provider has the refund. The figures are in docs/faults.md.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Buyer, newBuyers } from '../tests/support/buyers.ts';
import { treeOf } from '../tests/support/process-tree.ts';
import { connectToShop, insertProduct } from '../tests/support/rows.ts';
import { newDataDir, type RunningShop, removeDataDir, startShop } from '../tests/support/shop.ts';

const rounds = Number(process.argv[2] ?? 12);
const maxWaitMs = 300_000;

/** When the process dies, counted from the request to pay. */
const moments = [
  { name: 'while paying, webhook lost', webhook: 'never', places: false, maxDelayMs: 30 },
  { name: 'after paying, webhook on its way', webhook: 'normal', places: false, maxDelayMs: 120 },
  { name: 'while the payment is settled', webhook: 'never', places: true, maxDelayMs: 120 },
] as const;

const dataDir = await newDataDir();
let shop: RunningShop = await startShop({ dataDir });
const measured = new Map<string, { refundMs: number; openMs: number }[]>();
try {
  for (let round = 0; round < rounds; round += 1) {
    const moment = moments[round % moments.length] as (typeof moments)[number];
    const times = await measure(moment, Math.floor(round / moments.length) % 2 === 1);
    console.log(moment.name, times ?? 'the payment was not made before the kill');
    if (times) measured.set(moment.name, [...(measured.get(moment.name) ?? []), times]);
  }
} finally {
  await shop.stop();
  await removeDataDir(dataDir);
}

console.log('\n| killed | times | open again after | refund at the provider after |\n|---|---:|---:|---:|');
for (const [name, times] of measured) {
  const span = (values: number[]) =>
    `${(Math.min(...values) / 1000).toFixed(1)} to ${(Math.max(...values) / 1000).toFixed(1)} s`;
  const [open, refund] = [times.map(({ openMs }) => openMs), times.map(({ refundMs }) => refundMs)];
  console.log(`| ${name} | ${times.length} | ${span(open)} | ${span(refund)} |`);
}

async function measure({ webhook, places, maxDelayMs }: (typeof moments)[number], isWholeTree: boolean) {
  const { buyer, created } = await checkoutSoldToAnother();
  const paying = buyer.pay(created, { webhook });
  if (places) void paying.then((paid) => buyer.place(paid)).catch(() => {});
  else paying.catch(() => {});
  if (webhook !== 'never' || places) await paying;
  await sleep(Math.random() * maxDelayMs);

  const gone = once(shop.process, 'exit');
  const pid = shop.process.pid ?? 0;
  const killedAt = performance.now();
  for (const each of isWholeTree ? treeOf(pid) : [pid]) kill(each);
  await gone;
  await paying.catch(() => {});
  shop = await startShop({ dataDir });
  const openMs = performance.now() - killedAt;

  const sql = await connectToShop(dataDir);
  try {
    const provider = String(created.body.id);
    const [payment] = await sql`select id from demo.provider_payments where order_id = ${provider}`;
    if (!payment) return null;
    while (performance.now() - killedAt < maxWaitMs) {
      const [refund] = await sql`select from demo.provider_refunds where payment_id = ${payment.id}`;
      if (refund) return { openMs, refundMs: performance.now() - killedAt };
      await sleep(100);
    }
    throw new Error(`payment ${payment.id} was not refunded in ${maxWaitMs / 1000} s`);
  } finally {
    await sql.end();
  }
}

/** A checkout of something that another customer has bought since: its payment is refunded. */
async function checkoutSoldToAnother() {
  const sql = await connectToShop(dataDir);
  try {
    const [buyer, quicker] = (await newBuyers(sql, { url: shop.url, dataDir }, 2)) as [Buyer, Buyer];
    const open = async (stock: number) => {
      const productId = await insertProduct(sql, { price: 120, stock });
      const lines = [{ productId, quantity: 1, size: 500 as const }];
      return { lines, created: await buyer.create(await buyer.quote(lines)) };
    };
    // After two unpaid holds an account holds nothing, so the third can be sold to another customer.
    for (let n = 0; n < 2; n += 1) await open(10);
    const last = await open(1);
    const { outcome } = await quicker.buy(last.lines);
    if (outcome !== 'ordered') throw new Error(`the quicker customer got ${outcome}`);
    return { buyer, created: last.created };
  } finally {
    await sql.end();
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone with its parent.
  }
}
