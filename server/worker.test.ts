import { expect, test } from 'vitest';
import type { WorkerContext } from '../supabase/functions/_shared/context.ts';
import { startWorker } from './worker.ts';

const mail = { id: 7, kind: 'mail', key: 'k', mail: { problem: 'none' }, refund: null };

const shopWith = (rpc: (name: string) => Promise<unknown>) =>
  ({
    siteUrl: 'http://localhost',
    payments: null,
    mailer: null,
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
    if (name === 'claim_jobs') return { lapsed: 0, checkouts: [], refunds: [], outbox: [mail] };
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
  expect(asked).toEqual(['claim_jobs', 'finish_job', 'finished', 'stopped']);
});

/** How many rounds a worker does in half a second, beside a crowd of so many. */
async function roundsBeside(crowdSize: number): Promise<number> {
  let rounds = 0;
  const shop = shopWith(async (name) => {
    if (name !== 'claim_jobs') return null;
    rounds += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { lapsed: 1, checkouts: [], refunds: [], outbox: [] };
  });
  const worker = startWorker(shop, () => crowdSize);
  worker.wake();
  await new Promise((resolve) => setTimeout(resolve, 500));
  await worker.stop();
  return rounds;
}

test('a worker rests the longer, the more shoppers there are, and not at all at quiet hours', async () => {
  const [quiet, busy, rush] = await Promise.all([0, 3, 20].map(roundsBeside));
  expect(quiet).toBeGreaterThan(10);
  expect(busy).toBeGreaterThan(1);
  expect(busy).toBeLessThan(5); // 155 ms each
  expect(rush).toBe(1);
});
