import { expect, test } from 'vitest';
import { screensFor } from './screens.ts';

test.each([
  ['exp', 'Expenses'],
  ['gst', 'GST'],
  ['phone', 'New phone order'],
  ['orders pack', 'Orders to pack today'],
])('“%s” names %s', (typed, title) => {
  expect(screensFor(typed).named[0]?.title).toBe(title);
});

test.each([
  ['suppliers', 'Vendors'],
  ['FSSAI', 'Business details'],
  ['print', 'Kitchen sheet'],
])('“%s” names no screen, but is related to %s', (typed, title) => {
  expect(screensFor(typed)).toMatchObject({ named: [], related: [{ title }] });
});

test.each(['', '  ', 'meena', '1042'])('“%s” finds no screen', (typed) => {
  expect(screensFor(typed)).toEqual({ named: [], related: [] });
});
