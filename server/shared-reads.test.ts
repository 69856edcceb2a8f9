import { expect, test, vi } from 'vitest';
import { shareReads } from './shared-reads.ts';

/** A database that answers when it is told to, each question with its number. */
function slowDatabase() {
  const answers: (() => void)[] = [];
  const read = vi.fn(
    (name: string) => new Promise<unknown>((resolve) => answers.push(() => resolve(`${name} ${answers.length}`))),
  );
  function answerAll() {
    for (const answer of answers.splice(0)) answer();
  }
  return { read, answerAll };
}

test('a crowd that asks the same at the same moment asks the database once', async () => {
  const { read, answerAll } = slowDatabase();
  const shared = shareReads(read);
  const all = Array.from({ length: 100 }, () => shared.read('page_frame', {}));
  const other = shared.read('product_page', { product_id: 1 });
  const another = shared.read('product_page', { product_id: 2 });
  answerAll();
  expect(new Set(await Promise.all(all)).size).toBe(1);
  await Promise.all([other, another]);
  expect(read.mock.calls.map(([name]) => name)).toEqual(['page_frame', 'product_page', 'product_page']);
});

test('what has been answered is asked again', async () => {
  const { read, answerAll } = slowDatabase();
  const shared = shareReads(read);
  for (const times of [1, 2]) {
    const answer = shared.read('page_frame', {});
    answerAll();
    await answer;
    expect(read).toHaveBeenCalledTimes(times);
  }
});

test('after a change nobody gets an answer to a question of before it', async () => {
  const { read, answerAll } = slowDatabase();
  const shared = shareReads(read);
  const before = shared.read('page_frame', {});
  shared.drop();
  const after = shared.read('page_frame', {});
  answerAll();
  await before;
  // The question of before has ended, and the one of after is still the one to share.
  expect(read).toHaveBeenCalledTimes(2);
  await after;
});

test('an answer that comes late does not end the sharing of the question asked after it', async () => {
  const waiting: ((answer: string) => void)[] = [];
  const read = vi.fn(() => new Promise<unknown>((resolve) => waiting.push(resolve)));
  const shared = shareReads(read);
  const before = shared.read('page_frame', {});
  shared.drop();
  const after = shared.read('page_frame', {});
  waiting[0]?.('old');
  expect(await before).toBe('old');
  const joined = shared.read('page_frame', {});
  waiting[1]?.('new');
  expect(await Promise.all([after, joined])).toEqual(['new', 'new']);
  expect(read).toHaveBeenCalledTimes(2);
});

test('a question that fails fails for all who wait, and is asked anew', async () => {
  const read = vi.fn(async (): Promise<unknown> => 'there');
  read.mockRejectedValueOnce(new Error('away'));
  const shared = shareReads(read);
  const all = await Promise.allSettled([shared.read('page_frame', {}), shared.read('page_frame', {})]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await shared.read('page_frame', {})).toBe('there');
});
