import { expect, test } from 'vitest';
import { withinRequest } from '../host/request-scope.ts';
import { batch, batchCalls, type Call, peakBatchSize } from './batch-calls.ts';

type Received = { name: string; args: Record<string, unknown> };

/** A database that settles a payment with its number, and blocks the first call until it is released. */
function blockedDatabase(settleMany: (calls: { n: number }[]) => unknown = (calls) => calls.map(({ n }) => n)) {
  const received: Received[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const call: Call = async (name, args) => {
    received.push({ name, args });
    if (received.length === 1) await released;
    if (name === 'settle_all') return settleMany(args.calls as { n: number }[]);
    if (args.n === 'bad') throw new Error('bad');
    return args.n;
  };
  return { rpc: batchCalls(call, { settle: 'settle_all' }), received, release };
}

const names = (received: Received[]) => received.map(({ name }) => name);

test('a single call runs alone, and so do calls of other functions', async () => {
  const { rpc, received, release } = blockedDatabase();
  release();
  expect(await rpc('settle', { n: 1 })).toBe(1);
  expect(await rpc('settle', { n: 2 })).toBe(2);
  expect(await Promise.all([rpc('other', { n: 3 }), rpc('other', { n: 4 })])).toEqual([3, 4]);
  expect(names(received)).toEqual(['settle', 'settle', 'other', 'other']);
});

test('calls that arrive while it runs are one batch, and each gets its own result', async () => {
  const { rpc, received, release } = blockedDatabase();
  const results = Promise.all([1, 2, 3, 4].map((n) => rpc('settle', { n })));
  release();
  expect(await results).toEqual([1, 2, 3, 4]);
  expect(received).toEqual([
    { name: 'settle', args: { n: 1 } },
    { name: 'settle_all', args: { calls: [{ n: 2 }, { n: 3 }, { n: 4 }] } },
  ]);
});

test('a call without a result in the batch is retried alone', async () => {
  const { rpc, received, release } = blockedDatabase((calls) => calls.map(({ n }) => (n === 3 ? null : n * 10)));
  const results = Promise.all([1, 2, 3, 4].map((n) => rpc('settle', { n })));
  release();
  expect(await results).toEqual([1, 20, 3, 40]);
  expect(names(received)).toEqual(['settle', 'settle_all', 'settle']);
});

test('when a batch fails, its calls run one by one, and only the faulty one fails', async () => {
  const { rpc, release } = blockedDatabase(() => {
    throw new Error('one of them was bad');
  });
  const results = Promise.allSettled([1, 2, 'bad', 4].map((n) => rpc('settle', { n })));
  release();
  expect((await results).map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([
    1,
    2,
    'failed',
    4,
  ]);
  expect(await rpc('settle', { n: 5 })).toBe(5);
});

test('a long queue runs in several batches', async () => {
  const { rpc, received, release } = blockedDatabase();
  const results = Promise.all(Array.from({ length: 71 }, (_, n) => rpc('settle', { n })));
  release();
  expect(await results).toEqual(Array.from({ length: 71 }, (_, n) => n));
  expect(received.map(({ args }) => (args.calls as unknown[] | undefined)?.length ?? 1)).toEqual([1, 32, 32, 6]);
});

test('a call that never returns delays the others only briefly', async () => {
  const call: Call = (name, args) =>
    args.n === 'stuck' ? new Promise(() => {}) : Promise.resolve(`${name} ${args.n}`);
  const rpc = batchCalls(call, { settle: 'settle_all' });
  void rpc('settle', { n: 'stuck' });
  expect(await rpc('settle', { n: 2 })).toBe('settle 2');
});

test('the peak is the size of the largest recent batch, and 0 after a quiet moment', async () => {
  const peak = peakBatchSize();
  const call: Call = async (name, args) => (name === 'settle_all' ? args.calls : args);
  const rpc = batchCalls(call, { settle: 'settle_all' }, peak.record);
  const callAtOnce = async (count: number) => {
    await Promise.all(Array.from({ length: count }, (_, n) => rpc('settle', { n })));
    await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await callAtOnce(1);
  expect(peak.current()).toBe(0);
  await callAtOnce(5);
  await callAtOnce(3);
  expect(peak.current()).toBe(4);
  await new Promise((resolve) => setTimeout(resolve, 520));
  expect(peak.current()).toBe(0);
});

test('a call is dropped when its client has left before anything began, but not halfway through a request', async () => {
  const asked: string[] = [];
  const { promise: busy, resolve: free } = Promise.withResolvers<void>();
  const run = batch(
    async (one: string) => {
      asked.push(one);
      if (one === 'first') await busy;
      return one;
    },
    async (many: string[]) => {
      asked.push(...many);
      return many;
    },
  );
  const visitor = () => {
    const gone = new AbortController();
    const scope = { signal: gone.signal, responded() {}, onDeadline() {} };
    return { leave: () => gone.abort(), within: <T>(work: () => T) => withinRequest(scope, work) };
  };
  const [leaving, halfDone] = [visitor(), visitor()];
  await halfDone.within(() => run('half'));
  const first = run('first');
  const left = leaving.within(() => run('left'));
  const rest = halfDone.within(() => run('rest'));
  leaving.leave();
  halfDone.leave();
  free();
  await expect(left).rejects.toMatchObject({ code: 'CONNECTION_WAIT_ABORTED' });
  expect(await Promise.all([first, rest])).toEqual(['first', 'rest']);
  expect(asked).toEqual(['half', 'first', 'rest']);
});
