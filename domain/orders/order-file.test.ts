import { expect, test } from 'vitest';
import { csvLine } from '../csv/write-csv.ts';
import { orderCells, orderHeadings } from './order-file.ts';
import { paymentTitles } from './payment-status.ts';
import { orderStatuses } from './status.ts';

/** A row in which only one column says something. */
const written = (heading: string, cell: string) => {
  const place = orderHeadings.indexOf(heading);
  if (place === -1) throw new Error(`there is no column ${heading}`);
  return orderCells(orderHeadings.map((_, at) => (at === place ? cell : null)))[place];
};

test('what is stored is written in the words of the console', () => {
  for (const [stored, title] of Object.entries(paymentTitles)) expect(written('Payment', stored)).toBe(title);
  for (const status of orderStatuses) expect(written('Status', status)).toMatch(/^[A-Z][a-z]+$/);
  expect(written('Status', 'canceled')).toBe('Cancelled');
  for (const source of ['cart', 'direct', 'manual']) expect(written('Source', source)).not.toBe(source);
  expect(written('Delivery or pick-up', 'pickup')).toBe('Pick-up');
});

test.each(['9820012345', '+919820012345', '+91 98200 12345', '09820012345', '98200-12345'])(
  'the phone %s is text for a spreadsheet',
  (phone) => {
    expect(written('Phone', phone)).toBe('98200 12345');
  },
);

test.each([
  ['123456789012', "'123456789012"],
  ['0012345', "'0012345"],
  ['EZ123456789IN', 'EZ123456789IN'],
  ['12345', '12345'],
])('the tracking number %s keeps every figure', (number, cell) => {
  expect(written('Tracking number', number)).toBe(cell);
  expect(csvLine([cell])).toBe(`${cell}\r\n`);
});

test('amounts and days stay what a spreadsheet calculates with', () => {
  expect(written('Total', '1426.00')).toBe('1426.00');
  expect(written('Placed (India)', '2026-11-16 09:31')).toBe('2026-11-16 09:31');
  expect(orderCells([1042])).toEqual([1042]);
});
