import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText, holds } from '../../tests/support/properties.ts';
import { readProductFile } from '../products/read-product-file.ts';
import { readCsv } from './read-csv.ts';
import { type CsvCell, csvLine, isRisky } from './write-csv.ts';

const cell: fc.Arbitrary<CsvCell> = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', "'", '|', ' ', '1', 'A', '\ufeff'),
  }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
/** Rows with nothing in them are left out when a file is read. */
const row = fc.array(cell, { maxLength: 5 }).map((cells): CsvCell[] => ['first', ...cells]);

test('what is written is read again, formulas as the text that they are', () => {
  holds(
    fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
      const file = readCsv(rows.map(csvLine).join(''), { maxRows: 10 });
      const expected = rows.map((cells) =>
        cells.map((one) => (typeof one === 'string' && isRisky(one) ? `'${one}` : String(one ?? ''))),
      );
      expect(file.ok && file.rows.map(({ cells }) => cells)).toEqual(expected);
    }),
  );
});

test('no text of a file begins like a formula, unless it is a plain number', () => {
  holds(
    fc.property(row, (cells) => {
      const file = readCsv(csvLine(cells), { maxRows: 10 });
      const texts = (file.ok ? (file.rows[0]?.cells ?? []) : []).filter((_, place) => typeof cells[place] === 'string');
      expect(texts.filter((text) => '=+-@|'.includes(text.trim()[0] ?? ' ') && Number.isNaN(Number(text)))).toEqual([]);
    }),
  );
});

test('any text is a file of products or is not, and every problem has a sentence', () => {
  const pieces = fc.array(
    fc.constantFrom('Name', 'Price', 'Id', ',', '\n', '\r\n', '"', '₹1,299.50', 'yes', ' ', '=1+1', '५'),
  );
  const texts = fc.oneof(
    anyText(),
    pieces.map((some) => some.join('')),
    pieces.map((some) => `Name,Price\n${some.join('')}`),
  );
  holds(
    fc.property(texts, (text) => {
      const file = readProductFile(text);
      const messages = file.ok
        ? file.rows.flatMap(({ problems }) => problems.map(({ message }) => message))
        : [file.message];
      expect(messages).not.toContain('');
    }),
  );
});
