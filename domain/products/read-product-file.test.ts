import { expect, test } from 'vitest';
import { csvLine } from '../csv/write-csv.ts';
import { productColumns, productHeadings } from './product-columns.ts';
import { readProductFile } from './read-product-file.ts';

const file = (...lines: string[]) => readProductFile(lines.join('\n'));
function rows(...lines: string[]) {
  const read = file(...lines);
  if (!read.ok) throw new Error(read.message);
  return read.rows;
}

test('reads each column as what it is', () => {
  const cells = [
    '12',
    'Kaju Katli',
    'gift',
    '₹1,299.50',
    '',
    '',
    'Piece',
    '400 g',
    '12.5%',
    '1704',
    'Non veg',
    '15 days',
  ];
  const more = [
    'Cashew, sugar',
    '',
    'Cool',
    'Satpura, Nagpur',
    'Thin.',
    'FAMILY',
    '/images/x.webp',
    'Yes',
    'no',
    '600',
    'Nutty',
    'In a tin',
    '/b.webp cut | /c.webp',
  ];
  const [row] = rows(csvLine(productHeadings).trimEnd(), csvLine([...cells, ...more]));
  expect(row).toEqual({
    line: 2,
    name: 'Kaju Katli',
    problems: [],
    values: {
      id: 12,
      name: 'Kaju Katli',
      category: 'Gift',
      price_paise: 129950,
      regular_price_paise: null,
      has_size: false,
      weight_grams: 400,
      gst_percent: 12.5,
      hsn: '1704',
      food_mark: 'non-veg',
      shelf_life_days: 15,
      ingredients: 'Cashew, sugar',
      allergens: '',
      storage: 'Cool',
      maker: 'Satpura, Nagpur',
      description: 'Thin.',
      combo: 'family',
      image: '/images/x.webp',
      is_listed: true,
      is_archived: false,
      unit_cost_paise: 60000,
      taste: 'Nutty',
      travel: 'In a tin',
      more_pictures: '/b.webp cut | /c.webp',
    },
  });
});

test('knows headings by their name, in any order and case, and says which it does not know', () => {
  const read = file('PRICE , name,Colour,gst%', '10,Peda,red,5');
  expect(read).toMatchObject({ ok: true, ignoredHeadings: ['Colour'] });
  expect(read.ok && read.rows[0]?.values).toEqual({ price_paise: 1000, name: 'Peda', gst_percent: 5 });
});

test('a file from before products had a mark leaves it alone', () => {
  const old = productHeadings.filter((heading) => heading !== 'Veg or non-veg' && heading !== 'Maker');
  const [row] = rows(csvLine(old).trimEnd(), csvLine(old.map((heading) => (heading === 'Name' ? 'Peda' : ''))));
  expect(Object.keys(row?.values ?? {})).toContain('ingredients');
  expect(row?.values).not.toHaveProperty('food_mark');
  expect(row?.values).not.toHaveProperty('maker');
});

test.each([
  ['veg', 'veg'],
  [' VEG ', 'veg'],
  ['Vegetarian', 'veg'],
  ['non-veg', 'non-veg'],
  ['Nonveg', 'non-veg'],
  ['non_vegetarian', 'non-veg'],
  ['', null],
])('the mark %j is read as %j', (typed, mark) => {
  expect(rows('Name,Veg or non-veg', csvLine(['Peda', typed]))[0]?.values).toEqual({ name: 'Peda', food_mark: mark });
});

test('a mark that is neither is refused', () => {
  expect(rows('Name,Veg or non-veg', 'Peda,egg')[0]?.problems).toEqual([
    { field: 'food_mark', message: '“egg” is not one of Vegetarian, Non-vegetarian.' },
  ]);
});

test('knows the database’s own names too', () => {
  expect(rows('name,offer_percent,has_size', 'Peda,5,weight')[0]?.values).toEqual({
    name: 'Peda',
    offer_percent: 5,
    has_size: true,
  });
});

test('leaves a cost or weight alone that is not given', () => {
  expect(rows('Name,Unit cost,Weight (g)', 'Peda,,')[0]?.values).toEqual({ name: 'Peda' });
});

test('says at the column what is wrong with a cell', () => {
  const [row] = rows(
    'Name,Category,Price,Offer %,Sold by,GST %,HSN,Shelf life (days),Combo pack,Listed',
    'Peda,,cheap,2.5,kilo,many,,soon,all,maybe',
  );
  expect(row?.problems).toEqual([
    { field: 'category', message: 'This cell is empty.' },
    { field: 'price_paise', message: '“cheap” is not an amount in rupees.' },
    { field: 'offer_percent', message: '“2.5” is not a whole number.' },
    { field: 'has_size', message: '“kilo” is not one of weight, piece.' },
    { field: 'gst_percent', message: '“many” is not a percentage.' },
    { field: 'hsn', message: 'This cell is empty.' },
    { field: 'shelf_life_days', message: '“soon” is not a whole number.' },
    { field: 'combo', message: '“all” is not one of halwa, chocolate, laddu, family.' },
    { field: 'is_listed', message: '“maybe” is not yes or no.' },
  ]);
});

test('categories are written as the shop writes them, and a new one is for SQL to judge', () => {
  const file = readProductFile('Name,Category\nPeda,LADDU\nKaju,dry FRUITS\nBarfi,Barfi\n', ['Laddu', 'Dry fruits']);
  expect(file.ok && file.rows.map(({ values }) => values.category)).toEqual(['Laddu', 'Dry fruits', 'Barfi']);
});

test.each(['12.345', '-5', '1e3', '12..5', '₹', '12 34.567'])('%s is no price', (price) => {
  expect(rows('Name,Price', csvLine(['Peda', price]))[0]?.problems).toHaveLength(1);
});

test.each([
  ['Rs. 1,00,000', 10_000_000],
  ['799.5', 79_950],
  ['0799', 79_900],
  ['799.500', 79_950],
])('%s is a price', (price, paise) => {
  expect(rows('Name,Price', csvLine(['Peda', price]))[0]?.values.price_paise).toBe(paise);
});

test('takes away the apostrophe that keeps spreadsheets from running a text', () => {
  const [row] = rows('Name,Description', csvLine(['=Sum', '- a\n- b']), csvLine(["'Quoted'", '']));
  expect(row?.values).toEqual({ name: '=Sum', description: '- a\n- b' });
  expect(rows('Name', "'Quoted'")[0]?.values.name).toBe("'Quoted'");
});

test('rows that are longer or shorter than the headings are refused, each at its line', () => {
  const [long, short, fine] = rows('Name,Price', 'Peda,10,20', 'Barfi', 'Kalakand,30,,');
  expect(long).toMatchObject({ line: 2, problems: [{ field: '', message: expect.stringContaining('3 cells') }] });
  expect(short).toMatchObject({ line: 3, problems: [{ field: '', message: expect.stringContaining('1 cells') }] });
  expect(fine?.problems).toEqual([]);
});

test.each([
  ['', 'empty'],
  ['Name,Price', 'no products'],
  ['Price,Listed\n10,yes', 'no heading'],
  ['Name;Price\nPeda;10', 'commas'],
  ['Name,Price,name\nPeda,10,x', 'twice'],
  ['Name\n"Peda', 'not closed'],
])('%j is refused as a whole', (text, words) => {
  expect(readProductFile(text)).toMatchObject({ ok: false, message: expect.stringContaining(words) });
});

test('more products than a file may have are refused', () => {
  const many = ['Name', ...Array.from({ length: 3001 }, (_, n) => `Sweet ${n}`)].join('\n');
  expect(readProductFile(many)).toMatchObject({ ok: false, message: expect.stringContaining('3,000') });
});

test('every column has a heading and a hint of its own', () => {
  expect(new Set(productHeadings).size).toBe(productColumns.length);
  for (const { hint } of productColumns) expect(hint).not.toBe('');
});
