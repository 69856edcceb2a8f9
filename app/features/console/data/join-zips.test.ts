import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { joinZips } from './join-zips.ts';

const zipOf = (texts: Record<string, string>) => {
  const files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)]));
  return new Blob([zipSync(files, { level: 0, mtime: new Date(2026, 10, 16, 12), comment: 'of a file' })]);
};

test('what was in several files is in one, in the same order', async () => {
  const parts: Record<string, string>[] = [
    { 'invoice-1.pdf': 'one', 'invoice-2.pdf': 'two' },
    { 'naïve.pdf': 'three' },
    { 'credit-note-1.pdf': '' },
  ];
  const joined = new Uint8Array(await (await joinZips(parts.map(zipOf))).arrayBuffer());
  const texts = Object.entries(unzipSync(joined)).map(([name, bytes]) => [name, strFromU8(bytes)]);
  expect(texts).toEqual(parts.flatMap((part) => Object.entries(part)));
  // As if they had been put into one at once.
  expect(joined).toEqual(new Uint8Array(await zipOf(Object.assign({}, ...parts)).arrayBuffer()));
});

test('what is no ZIP file is not made into one', async () => {
  for (const text of ['', 'short', 'long enough to have been a ZIP file'])
    await expect(joinZips([zipOf({ a: 'b' }), new Blob([text])])).rejects.toThrow('this is no ZIP file');
});
