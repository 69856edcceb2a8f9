import { expect, test } from 'vitest';
import { formulas } from '../../tests/support/formulas.ts';
import { csvLine } from './write-csv.ts';

test('plain cells stand plain, with empty ones between', () => {
  expect(csvLine(['Besan Laddu', 540.5, true, null, ''])).toBe('Besan Laddu,540.5,true,,\r\n');
});

test('commas, quotes, lines and edges are kept', () => {
  expect(csvLine(['a,b', 'say "ji"', 'two\nlines', ' edge '])).toBe('"a,b","say ""ji""","two\nlines"," edge "\r\n');
});

test.each(formulas)('%j is no formula any more', (text) => {
  expect(csvLine([text])).toMatch(/^"?'/);
});

test('what a spreadsheet may take for the end of a cell stands in quotes', () => {
  expect(csvLine(['Laddu;=1+1', 'a\tb'])).toBe('"Laddu;=1+1","a\tb"\r\n');
});

test.each(['-40', '+919820012345', '-12.50'])('%s is a number, not a formula', (text) => {
  expect(csvLine([text])).toBe(`${text}\r\n`);
});
