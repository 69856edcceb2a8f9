import { expect, test } from 'vitest';
import { withinRequest } from '../host/request-scope.ts';
import { type Call, crowd, grouped, groupedCalls } from './batch-calls.ts';

type Asked = { name: string; args: Record<string, unknown> };

/** A database that answers a settled payment with its number, and holds the first call until it is let go. */
function heldDatabase(answerMany: (calls: { n: number }[]) => unknown = (calls) => calls.map(({ n }) => n)) {
  const asked: Asked[] = [];
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const call: Call = async (name, args) => {
    asked.push({ name, args });
    if (asked.length === 1) await held;
    if (name === 'settle_all') return answerMany(args.calls as { n: number }[]);
    if (args.n === 'bad') throw new Error('bad');
    return args.n;
  };
  return { rpc: groupedCalls(call, { settle: 'settle_all' }), asked, letGo };
}

const names = (asked: Asked[]) => asked.map(({ name }) => name);

test('whoever comes alone is asked alone, and other functions always are', async () => {
  const { rpc, asked, letGo } = heldDatabase();
  letGo();
  expect(await rpc('settle', { n: 1 })).toBe(1);
  expect(await rpc('settle', { n: 2 })).toBe(2);
  expect(await Promise.all([rpc('other', { n: 3 }), rpc('other', { n: 4 })])).toEqual([3, 4]);
  expect(names(asked)).toEqual(['settle', 'settle', 'other', 'other']);
});

test('who comes while it is at work goes together with the others, and each gets their own answer', async () => {
  const { rpc, asked, letGo } = heldDatabase();
  const answers = Promise.all([1, 2, 3, 4].map((n) => rpc('settle', { n })));
  letGo();
  expect(await answers).toEqual([1, 2, 3, 4]);
  expect(asked).toEqual([
    { name: 'settle', args: { n: 1 } },
    { name: 'settle_all', args: { calls: [{ n: 2 }, { n: 3 }, { n: 4 }] } },
  ]);
});

test('what has no answer together is asked alone', async () => {
  const { rpc, asked, letGo } = heldDatabase((calls) => calls.map(({ n }) => (n === 3 ? null : n * 10)));
  const answers = Promise.all([1, 2, 3, 4].map((n) => rpc('settle', { n })));
  letGo();
  expect(await answers).toEqual([1, 20, 3, 40]);
  expect(names(asked)).toEqual(['settle', 'settle_all', 'settle']);
});

test('a group that fails is asked one by one, and only who is to blame fails', async () => {
  const { rpc, letGo } = heldDatabase(() => {
    throw new Error('one of them was bad');
  });
  const answers = Promise.allSettled([1, 2, 'bad', 4].map((n) => rpc('settle', { n })));
  letGo();
  expect((await answers).map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([
    1,
    2,
    'failed',
    4,
  ]);
  expect(await rpc('settle', { n: 5 })).toBe(5);
});

test('a crowd goes in parts', async () => {
  const { rpc, asked, letGo } = heldDatabase();
  const answers = Promise.all(Array.from({ length: 71 }, (_, n) => rpc('settle', { n })));
  letGo();
  expect(await answers).toEqual(Array.from({ length: 71 }, (_, n) => n));
  expect(asked.map(({ args }) => (args.calls as unknown[] | undefined)?.length ?? 1)).toEqual([1, 32, 32, 6]);
});

test('a call that never comes back holds up nobody for long', async () => {
  const call: Call = (name, args) =>
    args.n === 'stuck' ? new Promise(() => {}) : Promise.resolve(`${name} ${args.n}`);
  const rpc = groupedCalls(call, { settle: 'settle_all' });
  void rpc('settle', { n: 'stuck' });
  expect(await rpc('settle', { n: 2 })).toBe('settle 2');
});

test('a crowd is as large as its largest group, and gone when nobody has gone together for a while', async () => {
  const shoppers = crowd();
  const call: Call = async (name, args) => (name === 'settle_all' ? args.calls : args);
  const rpc = groupedCalls(call, { settle: 'settle_all' }, shoppers.noted);
  const come = async (count: number) => {
    await Promise.all(Array.from({ length: count }, (_, n) => rpc('settle', { n })));
    await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await come(1);
  expect(shoppers.size()).toBe(0);
  await come(5);
  await come(3);
  expect(shoppers.size()).toBe(4);
  await new Promise((resolve) => setTimeout(resolve, 520));
  expect(shoppers.size()).toBe(0);
});

test('a caller who left before the batch began is dropped from it; one whose request is half done is not', async () => {
  const asked: string[] = [];
  const { promise: busy, resolve: free } = Promise.withResolvers<void>();
  const ask = grouped(
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
  await halfDone.within(() => ask('half'));
  const first = ask('first');
  const left = leaving.within(() => ask('left'));
  const rest = halfDone.within(() => ask('rest'));
  leaving.leave();
  halfDone.leave();
  free();
  await expect(left).rejects.toMatchObject({ code: 'CONNECTION_NOT_WANTED' });
  expect(await Promise.all([first, rest])).toEqual(['first', 'rest']);
  expect(asked).toEqual(['half', 'first', 'rest']);
});
