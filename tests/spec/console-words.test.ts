// What is easily written again: spellings the console had before, and dates that the browser's own language puts in order.
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

test.each([
  ['pick-up, not pickup', /\b(Pickup|(for|or|and) pickup|pickup (at|by|details|orders))/],
  ['email, not e-mail', /\be-mail\b/i],
  ['%, not per cent', /^[^/*]*\bper cent\b/m],
  ['the typographic apostrophe', /^[^/*\n]*(?<=[>"`][^<>"`\n]*)\b(can|don|won|isn|couldn|doesn|hasn)'t\b/m],
])('the console says %s', (_, breach) => {
  expect(filesWith(breach, /features\/console|domain\/(customers|expenses|orders|products|stock|log)/)).toEqual([]);
});
