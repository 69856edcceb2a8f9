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

test('a worker rests for longer than the database took to hand out its work', async () => {
  let rounds = 0;
  const roundMs = 20;
  const worker = startWorker(
    shopWith(async (name) => {
      if (name !== 'claim_jobs') return null;
      rounds += 1;
      await new Promise((resolve) => setTimeout(resolve, roundMs));
      return { lapsed: 1, checkouts: [], refunds: [], outbox: [] };
    }),
  );
  worker.wake();
  await new Promise((resolve) => setTimeout(resolve, 20 * roundMs));
  expect(rounds).toBeGreaterThan(0);
  expect(rounds).toBeLessThan(5); // twenty, if it never rested
  await worker.stop();
});
