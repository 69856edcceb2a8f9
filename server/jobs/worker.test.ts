import { expect, test } from 'vitest';
import type { WorkerContext } from '../../supabase/functions/_shared/context.ts';
import { startWorker } from './worker.ts';

const mail = { id: 7, kind: 'mail', key: 'k', mail: { problem: 'none' }, refund: null };

const shopWith = (rpc: (name: string) => Promise<unknown>) =>
  ({
    siteUrl: 'http://localhost',
    payments: null,
    mailer: null,
    messenger: null,
    now: () => new Date(0),
    report: () => {},
    db: { rpc },
  }) as unknown as WorkerContext;

/** A database with more to do whenever it is asked, and a moment at which the first job is under way. */
function busyShop() {
  const asked: string[] = [];
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let begun = () => {};
  const isUnderWay = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const context = shopWith(async (name) => {
    asked.push(name);
    if (name === 'claim_jobs') return { lapsed: 0, derived: 0, checkouts: [], refunds: [], outbox: [mail] };
    if (name === 'finish_job') {
      begun();
      await held;
      asked.push('finished');
    }
    return null;
  });
  return { context, asked, isUnderWay, letGo };
}

test('a worker that is stopped finishes the job it is at, and begins no other', async () => {
  const { context, asked, isUnderWay, letGo } = busyShop();
  const worker = startWorker(context);
  worker.wake();
  await isUnderWay;
  const stopped = worker.stop().then(() => asked.push('stopped'));
  worker.wake();
  letGo();
  await stopped;
  expect(asked).toEqual(['correct_due_times', 'claim_jobs', 'finish_job', 'finished', 'stopped']);
});

/** How many emails a worker sends in half a second beside batches of this size, and how many of them at once. */
async function emailsBeside(customerPeak: number): Promise<{ sent: number; atOnce: number }> {
  let sent = 0;
  let underWay = 0;
  let atOnce = 0;
  const shop = shopWith(async (name) => {
    if (name === 'claim_jobs')
      return { lapsed: 0, derived: 0, checkouts: [], refunds: [], outbox: Array(20).fill(mail) };
    if (name !== 'finish_job') return null;
    underWay += 1;
    atOnce = Math.max(atOnce, underWay);
    await new Promise((resolve) => setTimeout(resolve, 5));
    underWay -= 1;
    sent += 1;
    return null;
  });
  const worker = startWorker(shop, () => customerPeak);
  worker.wake();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const found = { sent, atOnce };
  await worker.stop();
  return found;
}

test('a worker pauses longer, the more customers there are, and not at all at quiet hours', async () => {
  const [quiet, busy, rush] = await Promise.all([0, 8, 20].map(emailsBeside));
  expect(quiet?.atOnce).toBe(20);
  expect(busy?.sent).toBeLessThanOrEqual(25); // 20 ms each
  expect(rush?.sent).toBeLessThanOrEqual(10); // 50 ms each
  expect(rush?.sent).toBeGreaterThan(0);
  expect(rush?.atOnce).toBeLessThan(5); // one, were it not for a machine that stops for a moment
  for (const peak of [busy, rush]) expect(quiet?.sent).toBeGreaterThan(peak?.sent ?? 0);
});

test('expired holds are released with pauses, too', async () => {
  let rounds = 0;
  const shop = shopWith(async () => {
    rounds += 1;
    return { lapsed: 20, checkouts: [], refunds: [], outbox: [] };
  });
  const worker = startWorker(shop, () => 20);
  worker.wake();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await worker.stop();
  expect(rounds).toBeLessThanOrEqual(7);
});
