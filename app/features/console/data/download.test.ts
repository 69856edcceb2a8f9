import { expect, test } from 'vitest';
import { csvRequest, fetchParts, progressWords } from './download.ts';

test.each([
  [0, 'Preparing…'],
  [1, '1 KB…'],
  [200_000, '196 KB…'],
  [1_048_576, '1.0 MB…'],
  [26_000_000, '24.8 MB…'],
])('after %i bytes a download says %s', (bytes, words) => {
  expect(progressWords(bytes)).toBe(words);
});

test('a table is requested with its filter', () => {
  expect(csvRequest('orders', { search: 'a&b' })).toBe('exportCsv?what=orders&filter=%7B%22search%22%3A%22a%26b%22%7D');
});

const part = (text: string, next: string | null) => ({ ok: true, file: new Blob([text]), leftOut: 0, next }) as const;
const busy = { ok: false, message: 'busy' } as const;

/** Answers from a list, and the requests that were made. */
function answering(answers: (typeof busy | ReturnType<typeof part>)[]) {
  const requests: string[] = [];
  const fetchFile = async (request: string) => {
    requests.push(request);
    return answers.shift() ?? busy;
  };
  return { requests, fetchFile };
}

test('a later part of a long file is requested again, and the others are kept', async () => {
  const { requests, fetchFile } = answering([part('a', '1'), busy, part('b', '2'), part('c', null)]);
  const fetched = await fetchParts(fetchFile, 'zip?month=1', () => {}, [0, 0]);
  expect(requests.map((request) => request.replace('zip?month=1', ''))).toEqual([
    '',
    '&after=1',
    '&after=1',
    '&after=2',
  ]);
  expect(fetched.ok && (await new Blob(fetched.parts).text())).toBe('abc');
});

test.each([
  ['the first part', [busy], 1],
  ['a later part, three times', [part('a', '1'), busy, busy, busy], 4],
])('%s that fails fails the file', async (_, answers, count) => {
  const { requests, fetchFile } = answering([...answers]);
  expect(await fetchParts(fetchFile, 'zip?month=1', () => {}, [0, 0])).toEqual(busy);
  expect(requests).toHaveLength(count);
});
