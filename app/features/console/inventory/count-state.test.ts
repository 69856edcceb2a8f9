import { expect, test } from 'vitest';
import type { SheetRow } from '#contracts/console/stock.ts';
import {
  afterBooking,
  type Count,
  Count as CountSchema,
  differencesOf,
  keepMoment,
  linesToBook,
  startCount,
  unreadOf,
  writeLine,
} from './count-state.ts';

const row = (product_id: number, changes: Partial<SheetRow> = {}): SheetRow => ({
  product_id,
  name: `Sweet ${product_id}`,
  category: 'Laddu',
  has_size: true,
  on_hand: 5000,
  to_pack: 0,
  unit_cost_paise: 20_000,
  last_counted_at: null,
  ...changes,
});
const begin = (withSold = false): Count =>
  startCount({ category: null, isBlind: true, withSold }, 'count-1', new Date('2026-11-16T05:00:00Z'));
const moment = { on_hand: 5000, to_pack: 1500, at: '2026-11-16T05:01:00.123456+00:00' };
const counted = (count: Count, productId: number, text: string, at = moment) =>
  keepMoment(writeLine(count, productId, text), productId, text, at);

test('a line is compared with the books of its own moment, not with those of the sheet', () => {
  const count = counted(begin(), 1, '4.25', { ...moment, on_hand: 4500 });
  expect(differencesOf(count, [row(1)])).toMatchObject([
    { found: 4250, expected: 4500, difference: -250, valuePaise: -10_000, isShortForOrders: false },
  ]);
  expect(linesToBook(count, [row(1)])).toEqual([
    { product_id: 1, counted: 4250, expected: 4500, counted_at: moment.at },
  ]);
});

test('what is sold and not yet packed is counted with the rest, where it lies on the shelf', () => {
  const count = counted(begin(true), 1, '6.5');
  expect(differencesOf(count, [row(1)])).toMatchObject([{ found: 6500, expected: 6500, difference: 0 }]);
  expect(linesToBook(count, [row(1)])).toMatchObject([{ counted: 5000, expected: 5000 }]);
});

test('less than was sold leaves nothing, and says so', () => {
  const count = counted(begin(true), 1, '1');
  expect(differencesOf(count, [row(1)])).toMatchObject([{ difference: -5000, isShortForOrders: true }]);
  expect(linesToBook(count, [row(1)])).toMatchObject([{ counted: 0 }]);
});

test('a number without its moment, or one that is none, is not used', () => {
  let count = writeLine(begin(), 1, '5');
  count = counted(count, 2, 'five');
  expect(differencesOf(count, [row(1), row(2), row(3)])).toEqual([]);
  expect(unreadOf(count, [row(1), row(2), row(3)]).map(({ product_id }) => product_id)).toEqual([1, 2]);
});

test('a number that is changed asks for a new moment, and an old answer does not count for it', () => {
  const count = writeLine(counted(begin(), 1, '5'), 1, '6');
  expect(count.lines[1]).toEqual({ text: '6', moment: null });
  expect(keepMoment(count, 1, '5', moment)).toBe(count);
  expect(writeLine(count, 1, ' ').lines).toEqual({});
});

test('what was refused stays, to be counted again under another name', () => {
  const count = counted(counted(begin(), 1, '5'), 2, '3');
  const booked = {
    counted: 1,
    corrected: 1,
    refused: [{ product_id: 2, name: 'Sweet 2', message: 'Count it again.' }],
  };
  expect(afterBooking(count, booked, 'count-2')).toMatchObject({
    id: 'count-2',
    lines: { 2: { text: '3', moment: null, refusal: 'Count it again.' } },
  });
  expect(afterBooking(count, { ...booked, refused: [] }, 'count-2')).toBeNull();
});

test('a count that was kept reads back as it was', () => {
  const count = counted(begin(), 1, '5');
  expect(CountSchema.parse(JSON.parse(JSON.stringify(count)))).toEqual(count);
});
