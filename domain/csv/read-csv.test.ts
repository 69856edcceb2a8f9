import { expect, test } from 'vitest';
import { decodeCsv, readCsv } from './read-csv.ts';
import { csvLine } from './write-csv.ts';

const limits = { maxBytes: 1024, maxRows: 100 };
const cells = (text: string) => {
  const file = readCsv(text, limits);
  return file.ok ? file.rows.map((row) => row.cells) : file;
};

test.each([
  ['LF', 'a,b\nc,d\n'],
  ['CRLF', 'a,b\r\nc,d\r\n'],
  ['CR', 'a,b\rc,d\r'],
  ['no end of the last line', 'a,b\r\nc,d'],
  ['a byte order mark', '\ufeffa,b\nc,d'],
  ['quotes around everything', '"a","b"\n"c","d"'],
  ['empty lines between', 'a,b\n\n,\n  ,\nc,d\n\n'],
])('reads rows with %s', (_name, text) => {
  expect(cells(text)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('keeps commas, quotes, lines and spaces inside quotes', () => {
  expect(cells('"a,b","say ""ji""","two\r\nlines"," edge "\n')).toEqual([
    ['a,b', 'say "ji"', 'two\r\nlines', ' edge '],
  ]);
});

test('keeps a quote that does not open a cell', () => {
  expect(cells('12" plate,b\n')).toEqual([['12" plate', 'b']]);
});

test('keeps empty cells, also the last one', () => {
  expect(cells('a,,\n,b,\n')).toEqual([
    ['a', '', ''],
    ['', 'b', ''],
  ]);
});

test('leaves rows as long as they are', () => {
  expect(cells('a,b,c\nd\ne,f,g,h\n')).toEqual([['a', 'b', 'c'], ['d'], ['e', 'f', 'g', 'h']]);
});

test('an empty file has no rows', () => {
  expect(cells('')).toEqual([]);
  expect(cells('\ufeff')).toEqual([]);
  expect(cells('\n\r\n')).toEqual([]);
});

test('counts lines as an editor does, also after a cell of several lines', () => {
  const file = readCsv('a\n"b\r\nb\nb",c\n\nd', limits);
  expect(file.ok && file.rows.map(({ line }) => line)).toEqual([1, 2, 6]);
});

test('says where a quote is never closed', () => {
  expect(cells('a,b\nc,"d\ne,f\n')).toEqual({
    ok: false,
    line: 2,
    message: 'A quotation mark is opened here but not closed.',
  });
});

test('says where text follows a closing quote', () => {
  expect(cells('a\n"b"c,d\n')).toMatchObject({ ok: false, line: 2 });
});

test('refuses more rows than allowed, at the first that is too many', () => {
  expect(readCsv('a\nb\nc\n', { maxRows: 2 })).toEqual({
    ok: false,
    line: 3,
    message: 'The file has more than 2 rows.',
  });
});

test('refuses files that are too large, in another alphabet or no text at all', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(decodeCsv(bytes('₹,°'), limits)).toEqual({ ok: true, text: '₹,°' });
  expect(decodeCsv(bytes('x'.repeat(1025)), limits)).toMatchObject({ ok: false });
  expect(decodeCsv(new Uint8Array([0x41, 0xb0]), limits)).toMatchObject({
    ok: false,
    message: expect.stringContaining('UTF-8'),
  });
  expect(decodeCsv(new Uint8Array([0xff, 0xfe, 0x41, 0]), limits)).toMatchObject({ ok: false });
  expect(decodeCsv(bytes('PK\0\0'), limits)).toEqual({ ok: false, message: 'This is not a CSV file.' });
});

/** The same numbers every time, so that a failure can be seen again. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return Math.floor((state / 4294967296) * sides);
  };
}

const alphabet = ['a', 'é', 'लड्डू', '🍬', ',', '"', '""', '\n', '\r\n', '\r', ' ', "'", ';', '\t', '₹', '\ufeff', 'x"'];

test('any text survives writing and reading', () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    const roll = dice(seed);
    const word = () => Array.from({ length: roll(6) }, () => alphabet[roll(alphabet.length)]).join('');
    // An apostrophe in front of what looks like a formula is the reader's of the file to take away; none here.
    const table = Array.from({ length: 1 + roll(5) }, () => [
      'x',
      ...Array.from({ length: roll(4) }, () => `x${word()}`),
    ]);
    expect(cells(table.map(csvLine).join('')), `seed ${seed}`).toEqual(table);
  }
});

test('no text makes it fail in another way than by saying so', () => {
  for (let seed = 1; seed <= 2000; seed += 1) {
    const roll = dice(seed);
    const text = Array.from({ length: roll(40) }, () => alphabet[roll(alphabet.length)]).join('');
    const file = readCsv(text, limits);
    if (file.ok) for (const row of file.rows) expect(row.cells.length).toBeGreaterThan(0);
    else expect(file.line).toBeGreaterThan(0);
  }
});
