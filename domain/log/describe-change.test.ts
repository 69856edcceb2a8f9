import { describe, expect, test } from 'vitest';
import { describeChange, type LogEntry } from './describe-change.ts';
import { kindsIn, plainName, tableLabels } from './table-labels.ts';

const entry = (table: string, changes: Partial<LogEntry>): LogEntry => ({
  action: 'update',
  table,
  subject: 'Besan Laddu',
  subjectId: '7',
  before: null,
  after: null,
  ...changes,
});
const titleOf = (table: string, changes: Partial<LogEntry>) => describeChange(entry(table, changes)).title;

describe('one change is one sentence', () => {
  test.each<[string, string, Partial<LogEntry>]>([
    ['Price of Besan Laddu: ₹520 → ₹540', 'Products', { before: { Price: 520 }, after: { Price: 540 } }],
    ['Price of Besan Laddu: ₹520 → ₹540.50', 'Products', { before: { Price: 520 }, after: { Price: '540.50' } }],
    ['Besan Laddu, in the shop: no', 'Products', { before: { is_listed: true }, after: { is_listed: false } }],
    [
      'Weight from which the zone rate applies of the shop: 2 kg → 2.5 kg',
      'shop_settings',
      { subject: 'Mithaas', before: { cart_zone_from_grams: 2000 }, after: { cart_zone_from_grams: 2500 } },
    ],
    [
      'Delivery charge for carts of the shop: a flat amount → zone rate',
      'shop_settings',
      { subject: 'Mithaas', before: { cart_shipping: 'flat' }, after: { cart_shipping: 'zone' } },
    ],
    [
      'Allergens of Besan Laddu: nothing → nuts',
      'Products',
      { before: { allergens: '' }, after: { allergens: 'nuts' } },
    ],
    [
      'Veg or non-veg of Besan Laddu: nothing → Vegetarian',
      'Products',
      { before: { food_mark: null }, after: { food_mark: 'veg' } },
    ],
    [
      'Status of order 1042: Pending → Confirmed',
      'orders',
      { subject: '1042', before: { status: 'Pending' }, after: { status: 'Confirmed' } },
    ],
    [
      'Name of order 1042: erased',
      'orders',
      { subject: '1042', before: { delivery_name: '[erased]' }, after: { delivery_name: '[erased]' } },
    ],
    [
      'Status of order 1042: Pending → Cancelled',
      'orders',
      { subject: '1042', before: { status: 'Pending' }, after: { status: 'canceled' } },
    ],
    [
      'Payment of order 1042: Paid offline → Partly refunded',
      'orders',
      { subject: '1042', before: { payment_status: 'paid_offline' }, after: { payment_status: 'partially_refunded' } },
    ],
    [
      'Reorder level of Besan Laddu: 0.5 kg → 1.2 kg',
      'stock_levels',
      { hasSize: true, before: { low_at: 500 }, after: { low_at: 1200 } },
    ],
    ['Reorder level of Besan Laddu: 500 → 1,200', 'stock_levels', { before: { low_at: 500 }, after: { low_at: 1200 } }],
    [
      'Tags of Meera: nothing → bulk, vip',
      'customer_records',
      { subject: 'Meera', before: { tags: [] }, after: { tags: ['bulk', 'vip'] } },
    ],
    ['Search words added: ghevar, peda', 'search_synonyms', { action: 'insert', after: { words: ['ghevar', 'peda'] } }],
    [
      'Search words added: ghevar, peda',
      'search_synonyms',
      { before: { words: ['ghevar', 'pera'] }, after: { words: ['ghevar', 'peda'] } },
    ],
    [
      'Search words deleted: ghevar, peda',
      'search_synonyms',
      { action: 'delete', before: { words: ['ghevar', 'peda'] } },
    ],
    [
      'Grievance officer of the shop: nothing → Asha Rao',
      'shop_settings',
      { before: { grievance_officer: '' }, after: { grievance_officer: 'Asha Rao' } },
    ],
    [
      'Start of Diwali: 1 Nov 2026, 12:00 am → 2 Nov 2026, 12:00 am',
      'greetings',
      {
        subject: 'Diwali',
        before: { starts_at: '2026-10-31T18:30:00+00:00' },
        after: { starts_at: '2026-11-01T18:30:00+00:00' },
      },
    ],
  ])('%s', (title, table, changes) => {
    expect(titleOf(table, changes)).toBe(title);
  });

  test('of a long text only the beginning', () => {
    const title = titleOf('customer_records', {
      subject: 'Meera',
      before: { notes: '' },
      after: { notes: 'sweet '.repeat(300) },
    });
    expect(title.length).toBeLessThan(130);
    expect(title).toMatch(/^Notes of Meera: nothing → sweet .*…$/);
  });
});

test('several changes name their fields and tell each', () => {
  const said = describeChange(
    entry('Products', {
      before: { Price: 520, gst_percent: 5, hsn: '2106', updated_at: 'a' },
      after: { Price: 540, gst_percent: 12, hsn: '2106', updated_at: 'b' },
    }),
  );
  expect(said.title).toBe('Besan Laddu: Price, GST rate (%)');
  expect(said.changes).toEqual([
    { label: 'Price', before: '₹520', after: '₹540' },
    { label: 'GST rate (%)', before: '5', after: '12' },
  ]);
  expect(said.page).toBe('product');
});

test('many changes are counted in the title', () => {
  const before = { Name: 'a', Price: 1, hsn: '1', storage: 'a' };
  const after = { Name: 'b', Price: 2, hsn: '2', storage: 'b' };
  expect(titleOf('Products', { before, after })).toBe('Besan Laddu: Name, price and 2 more');
});

test.each<[string, string, Partial<LogEntry>]>([
  [
    'New vendor: Gokul Dairy',
    'vendors',
    { action: 'insert', subject: 'Gokul Dairy', after: { id: 3, name: 'Gokul Dairy' } },
  ],
  ['Deleted the slide Diwali boxes', 'caurousel', { action: 'delete', subject: 'Diwali boxes', before: { id: 3 } }],
  [
    'Archived: Besan Laddu',
    'Products',
    { before: { archived_at: null }, after: { archived_at: '2026-11-01T00:00:00+00:00' } },
  ],
  ['Restored: Besan Laddu', 'Products', { before: { archived_at: '2026-11-01' }, after: { archived_at: null } }],
  [
    'Review hidden: Meera on Besan Laddu',
    'comments',
    { subject: 'Meera on Besan Laddu', before: { hidden_at: null }, after: { hidden_at: '2026-11-01' } },
  ],
  [
    'Review shown again: Meera on Besan Laddu',
    'comments',
    { subject: 'Meera on Besan Laddu', before: { hidden_at: '2026-11-01' }, after: { hidden_at: null } },
  ],
  [
    'Blocked: Meera',
    'customer_records',
    {
      subject: 'Meera',
      before: { blocked_at: null, blocked_reason: null },
      after: { blocked_at: '2026-11-01', blocked_reason: 'No' },
    },
  ],
  [
    'Blocked: Meera',
    'customer_records',
    { action: 'insert', subject: 'Meera', after: { blocked_at: '2026-11-01', notes: '' } },
  ],
  [
    'Unblocked: Meera',
    'customer_records',
    { subject: 'Meera', before: { blocked_at: '2026-11-01' }, after: { blocked_at: null } },
  ],
  [
    'Notes on Meera',
    'customer_records',
    { action: 'insert', subject: 'Meera', after: { notes: 'Calls', blocked_at: null } },
  ],
  ['Customer erased; 12 orders kept without the name', 'erasures', { action: 'insert', after: { orders: 12 } }],
  ['Note on order 1042', 'order_notes', { action: 'insert', subject: '1042', after: { note: 'Called' } }],
  ['Refund of ₹120 for order 1042', 'refunds', { action: 'insert', subject: '1042', after: { amount_paise: 12_000 } }],
  [
    'Refund for order 1042 retried',
    'refunds',
    { action: 'update', subject: '1042', after: { hurried_at: '2026-11-16T06:00:00+00:00', asked_by: 'x' } },
  ],
  ['Unit cost of Besan Laddu: ₹210.50', 'product_costs', { action: 'insert', after: { unit_cost: 210.5 } }],
  [
    'Stock of Besan Laddu: +5,000 (production)',
    'stock_movements',
    { action: 'insert', after: { quantity: 5000, reason: 'production' } },
  ],
  [
    'Stock of Besan Laddu: −1 kg (wastage)',
    'stock_movements',
    { action: 'insert', hasSize: true, after: { quantity: -1000, reason: 'wastage' } },
  ],
  [
    'Stock of Besan Laddu: +1 piece (return)',
    'stock_movements',
    { action: 'insert', hasSize: false, after: { quantity: 1, reason: 'return' } },
  ],
  [
    'Stock of Besan Laddu: −30 (wastage)',
    'stock_movements',
    { action: 'insert', after: { quantity: -30, reason: 'wastage' } },
  ],
  ['Paid ₹1,200 to Gokul', 'vendor_payments', { action: 'insert', subject: 'Gokul', after: { amount: 1200 } }],
  [
    'Month closed: November 2026',
    'month_closings',
    { action: 'insert', subject: '2026-11-01', after: { figures: {} } },
  ],
  ['Stock count saved', 'stock_counts', { action: 'insert', subject: 'x', after: { refused: [] } }],
  [
    'Goods received: purchase order 7 from Gokul',
    'purchase_receipts',
    { action: 'insert', subject: '7 from Gokul', after: {} },
  ],
])('%s', (title, table, changes) => {
  expect(titleOf(table, changes)).toBe(title);
});

test('a block tells its reason, a note its words', () => {
  const block = entry('customer_records', {
    subject: 'Meera',
    before: { blocked_at: null, blocked_reason: null },
    after: { blocked_at: '2026-11-01', blocked_reason: 'Refused parcels' },
  });
  expect(describeChange(block).changes).toEqual([
    { label: 'Reason for the block', before: null, after: 'Refused parcels' },
  ]);
  const note = entry('order_notes', {
    action: 'insert',
    subject: '1042',
    after: { id: 1, order_id: 'x', note: 'Called' },
  });
  expect(describeChange(note).changes).toEqual([{ label: 'Note', before: null, after: 'Called' }]);
});

test('a table without labels is described by the names of its columns, without a link', () => {
  const said = describeChange(
    entry('gift_cards', {
      subject: '12',
      before: { is_valid: true, worthInRupees: 5 },
      after: { is_valid: false, worthInRupees: 6 },
    }),
  );
  expect(said).toEqual({
    title: '12: Valid, worth in rupees',
    changes: [
      { label: 'Valid', before: 'yes', after: 'no' },
      { label: 'Worth in rupees', before: '5', after: '6' },
    ],
    page: null,
  });
  expect(titleOf('gift_cards', { action: 'insert', subject: '12', after: {} })).toBe('New gift cards: 12');
  for (const name of ['constructor', 'toString', '__proto__'])
    expect(titleOf(name, { action: 'insert', subject: 'x', after: { [name]: name } })).toMatch(/^New /);
});

test('the calendar of the shop reads as people say it', () => {
  const diwali = { starts_on: '2026-11-08', ends_on: '2026-11-11', reason: 'Diwali' };
  expect(describeChange(entry('closures', { action: 'insert', subject: '4', after: diwali }))).toEqual({
    title: 'Closed 8 Nov 2026 to 11 Nov 2026 (Diwali)',
    changes: [],
    page: 'delivery',
  });
  expect(titleOf('closures', { action: 'delete', subject: '4', before: { ...diwali, ends_on: '2026-11-08' } })).toBe(
    'Closure deleted: on 8 Nov 2026 (Diwali)',
  );
  const moved = entry('closures', {
    subject: '4',
    before: { ends_on: '2026-11-11' },
    after: { ends_on: '2026-11-12' },
  });
  expect(describeChange(moved)).toMatchObject({
    title: 'Closure changed',
    changes: [{ label: 'Last day', before: '11 Nov 2026', after: '12 Nov 2026' }],
  });
  expect(titleOf('shop_settings', { before: { weekly_off: [0] }, after: { weekly_off: [0, 6] } })).toBe(
    'Weekly off days of the shop: Sunday → Sunday, Saturday',
  );
  expect(titleOf('shop_settings', { before: { weekly_off: [0] }, after: { weekly_off: [] } })).toMatch(/→ none$/);
  expect(titleOf('shop_settings', { before: { cutoff_time: '14:00:00' }, after: { cutoff_time: '16:30:00' } })).toBe(
    'Cut-off time of the shop: 14:00 → 16:30',
  );
});

test('numbers that only the database reads are not told', () => {
  const id = '3f2a9c1b-6d5e-4f70-8a91-b2c3d4e5f607';
  const said = describeChange(entry('orders', { before: { picked_by: null }, after: { picked_by: id } }));
  expect(said.changes).toEqual([]);
  expect(said.title).not.toContain(id);
});

test('what is gone is not linked', () => {
  expect(describeChange(entry('Products', { action: 'delete', before: {} })).page).toBeNull();
});

test('kinds gather the tables people think of as one thing, and every table has one', () => {
  expect(kindsIn(['orders', 'Products', 'refunds', 'gift_cards'])).toEqual([
    { kind: 'Gift cards', tables: ['gift_cards'] },
    { kind: 'Orders', tables: ['orders', 'refunds'] },
    { kind: 'Products', tables: ['Products'] },
  ]);
  expect(plainName('has_long_name')).toBe('Long name');
  for (const words of Object.values(tableLabels)) expect(words.one).not.toBe('');
});
