import { expect, test } from 'vitest';
import type { FoundItem } from '#contracts/console/purchases.ts';
import {
  checkLines,
  chooseItem,
  type DraftLine,
  draftAmount,
  draftTotal,
  emptyLine,
  shownPlace,
} from './purchase-draft.ts';

const line = (changes: Partial<DraftLine> = {}): DraftLine => ({
  ...emptyLine,
  item_name: 'Cow ghee',
  quantity: '75',
  unit_cost: '604',
  ...changes,
});
const found = (changes: Partial<FoundItem> = {}): FoundItem => ({
  name: 'Kesar Pista Kulfi',
  product_id: 29,
  has_size: false,
  last_price: {
    unit: 'piece',
    unit_cost_paise: 3450,
    gst_percent: 12,
    vendor: 'Himkan',
    ordered_at: '2026-06-01T00:00:00Z',
  },
  ...changes,
});

test('a line comes to quantity times cost with GST, and to nothing known while it is typed', () => {
  expect(draftAmount(line())?.totalPaise).toBe(4_756_500);
  expect(draftAmount(line({ unit_cost: '₹1,299.50', quantity: '1' }))?.goodsPaise).toBe(129_950);
  for (const changes of [{ quantity: '' }, { unit_cost: 'x' }, { gst_percent: '41' }])
    expect(draftAmount(line(changes))).toBeNull();
  expect(draftTotal([line(), line({ quantity: '' })])).toBe(4_756_500);
});

test('a thing that we sell brings its unit, its last price and its rate', () => {
  expect(chooseItem(emptyLine, found())).toMatchObject({
    productId: 29,
    hasSize: false,
    item_name: 'Kesar Pista Kulfi',
    unit: 'piece',
    unit_cost: '34.50',
    gst_percent: '12',
  });
  expect(chooseItem(line({ unit_cost: '35' }), found()).unit_cost).toBe('35');
});

test('a price in a unit that no longer fits is not taken over', () => {
  const sized = found({ has_size: true });
  expect(chooseItem(emptyLine, sized)).toMatchObject({ unit: 'kg', unit_cost: '' });
});

test('another name is another thing', () => {
  const chosen = chooseItem(emptyLine, found());
  expect(chooseItem({ ...chosen, item_name: 'Kulfi moulds' }, undefined)).toMatchObject({
    productId: null,
    hasSize: null,
  });
});

test('an order without an item is rejected at its first line, or as a whole', () => {
  const message = 'Add at least one item.';
  expect(checkLines([])).toEqual({ ok: false, errors: { lines: message } });
  expect(checkLines([emptyLine, emptyLine])).toEqual({ ok: false, errors: { 'lines.0.item_name': message } });
});

test('blank lines are left out, and what is wrong is said at its place', () => {
  expect(checkLines([emptyLine, line()])).toEqual({
    ok: true,
    value: [
      {
        id: null,
        product_id: null,
        item_name: 'Cow ghee',
        unit: 'kg',
        quantity: '75',
        unit_cost_paise: 60_400,
        gst_percent: '5',
      },
    ],
  });
  const checked = checkLines([emptyLine, line({ item_name: ' ', quantity: '0', unit_cost: '-1', gst_percent: '99' })]);
  expect(checked).toMatchObject({ ok: false });
  expect(Object.keys(checked.ok ? {} : checked.errors)).toEqual([
    'lines.1.item_name',
    'lines.1.quantity',
    'lines.1.unit_cost',
    'lines.1.gst_percent',
  ]);
  expect(checkLines([line({ productId: 29, hasSize: false, unit: 'piece', quantity: '1.5' })])).toMatchObject({
    errors: { 'lines.0.quantity': 'Enter a whole number.' },
  });
  expect(shownPlace([emptyLine, line(), emptyLine, line()], 1)).toBe(3);
});
