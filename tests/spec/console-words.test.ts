// What is easily written again: a space before a percent sign, and dates that the browser's own language puts in order.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = ['app', 'domain', 'supabase/functions'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => ({ file: join(folder, file), text: readFileSync(join(root, folder, file), 'utf8') })),
);
const filesWith = (pattern: RegExp, among = /./) =>
  sources.filter(({ file, text }) => among.test(file) && pattern.test(text)).map(({ file }) => file);

test('dates are written by domain/time.ts alone, in the Indian order', () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(filesWith(/toLocale(Date|Time)String|DateTimeFormat/)).toEqual([]);
});

test('no percent sign of the console has a space before it', () => {
  expect(filesWith(/\} %[`'"<)\s]/, /console|domain\/(expenses|orders|products|stock)/)).toEqual([]);
});
