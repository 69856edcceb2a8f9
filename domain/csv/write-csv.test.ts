import { expect, test } from 'vitest';
import { csvLine } from './write-csv.ts';

test('plain cells stand plain, with empty ones between', () => {
  expect(csvLine(['Besan Laddu', 540.5, true, null, ''])).toBe('Besan Laddu,540.5,true,,\r\n');
});

test('commas, quotes, lines and edges are kept', () => {
  expect(csvLine(['a,b', 'say "ji"', 'two\nlines', ' edge '])).toBe('"a,b","say ""ji""","two\nlines"," edge "\r\n');
});

test.each(['=1+1', '+cmd|calc', '-2+3', '@SUM(A1)', '\t=1', ' =1', '|x'])('%j is no formula any more', (text) => {
  expect(csvLine([text])).toMatch(/^"?'/);
});

test.each(['-40', '+919820012345', '-12.50'])('%s is a number, not a formula', (text) => {
  expect(csvLine([text])).toBe(`${text}\r\n`);
});
