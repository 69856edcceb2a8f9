import { expect, test } from 'vitest';
import { waitingSignal, withinRequest } from '../host/request-scope.ts';
import { poolHealth } from './health.ts';
import { watchWrites } from './watch-writes.ts';

const answers = async () => {};
const hangs = () => new Promise<never>(() => {});
const fails = () => Promise.reject(new Error('away'));
const quick = { withinMs: 20, freshMs: 0, isReadOnly: () => false };

test('every pool is asked, and one that hangs is named', async () => {
  expect(await poolHealth({ ...quick, pools: { pages: answers, checkout: answers } })()).toEqual({ status: 'ok' });
  expect(await poolHealth({ ...quick, pools: { pages: answers, 'data-api': hangs, checkout: fails } })()).toEqual({
    status: 'pool-stuck',
    pools: ['data-api', 'checkout'],
  });
  expect(await poolHealth({ ...quick, pools: { pages: hangs, checkout: fails } })()).toEqual({
    status: 'database-away',
  });
  expect(await poolHealth({ ...quick, pools: { pages: answers }, isReadOnly: () => true })()).toEqual({
    status: 'read-only',
  });
});

test('however many ask at once, the pools are asked once', async () => {
  let asked = 0;
  const pages = async () => {
    asked += 1;
  };
  const health = poolHealth({ ...quick, freshMs: 60_000, pools: { pages } });
  await Promise.all([health(), health(), health()]);
  await health();
  expect(asked).toBe(1);
});

test('a check belongs to all who ask, not to the first of them', async () => {
  const signals: unknown[] = [];
  const health = poolHealth({ ...quick, pools: { pages: async () => signals.push(waitingSignal()) } });
  const left = { signal: AbortSignal.abort(), responded() {}, onDeadline() {} };
  expect(await withinRequest(left, health)).toEqual({ status: 'ok' });
  expect(signals).toEqual([undefined]);
});

test('a write that fails for want of room makes it read-only until a probe succeeds; other errors do not', async () => {
  const logged: string[] = [];
  let isFull = true;
  const writes = watchWrites({
    probe: async () => {
      if (isFull) throw Object.assign(new Error('no space'), { code: '53100' });
    },
    log: ({ event }) => logged.push(event),
    everyMs: 5,
  });
  writes.noteError(Object.assign(new Error('broken'), { code: '23505' }));
  writes.noteError(undefined);
  expect(writes.isReadOnly()).toBe(false);
  for (let n = 0; n < 3; n += 1) writes.noteError(Object.assign(new Error('no space'), { code: '53100' }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(writes.isReadOnly()).toBe(true);
  isFull = false;
  await expect.poll(writes.isReadOnly).toBe(false);
  expect(logged).toEqual(['read-only', 'writable-again']);
  writes.stop();
});
