// What a field may well hold, by its name and type: mostly what rows of the shop hold already.
import fc, { type Arbitrary } from 'fast-check';
import type { Row, Targets } from './targets.ts';

export type LikelyValues = {
  /** Of an argument, a column or a field; `words`: what else a text may be. */
  of(name: string, type: string, words?: readonly string[]): Arbitrary<unknown>;
  rowOf(table: string): Arbitrary<Row>;
};

/** Where the name of an argument is not that of a column. */
const columnOf: Record<string, [table: string, column: string]> = {
  order_id: ['orders', 'id'],
  order_ids: ['orders', 'id'],
  product_id: ['Products', 'Id'],
  product_ids: ['Products', 'Id'],
  customer_id: ['user_profiles', 'user_id'],
  asker: ['user_profiles', 'user_id'],
  purchase_id: ['purchase_orders', 'id'],
  zone_id: ['delivery_zones', 'id'],
  closure_id: ['closures', 'id'],
  category_id: ['categories', 'id'],
  category_ids: ['categories', 'id'],
  review_id: ['comments', 'id'],
  expense_id: ['expenses', 'id'],
  movement_id: ['stock_movements', 'id'],
  receipt_id: ['purchase_receipts', 'id'],
  payment_id: ['vendor_payments', 'id'],
  order_item_id: ['order_items', 'id'],
  to_status: ['orders', 'status'],
  goods: ['orders', 'canceled_goods'],
  method: ['orders', 'offline_method'],
  table_name: ['audit_log', 'table_name'],
  name: ['Products', 'Name'],
  search: ['Products', 'Name'],
  query: ['Products', 'Name'],
  category: ['Products', 'Category'],
};

export const pincode = fc.oneof(
  fc.constantFrom('400001', '400028', '560001', '682001', '110001'),
  fc.integer({ min: 99_990, max: 999_999 }).map(String),
);
export const phone = fc.oneof(
  fc.constantFrom('9820012345', '+91 98200 12345', '09820012345'),
  fc.integer({ min: 5_999_999_990, max: 9_999_999_999 }).map(String),
);
const typed = fc.constantFrom(
  'Kaju Katli',
  'kaju',
  'लड्डू',
  'Ghee & sons',
  "D'Souza",
  'a',
  'Besan  Laddu ',
  '100%',
  '😀 sweet',
);
const day = fc.date({ min: new Date('2024-02-28'), max: new Date('2028-03-01'), noInvalidDate: true });
const byName: Record<string, Arbitrary<unknown>> = {
  pincode,
  zip: pincode,
  delivery_zip: pincode,
  pincode_prefixes: fc.array(fc.constantFrom('4', '40', '5600', '999999'), { maxLength: 3 }),
  phone,
  year: fc.integer({ min: 2023, max: 2028 }),
  month: fc.constantFrom('2026-09-01', '2026-10-01', '2026-11-01', '2025-02-01'),
  period: fc.constantFrom('today', 'yesterday', '7-days', '30-days', 'month'),
  cutoff_time: fc.constantFrom('16:00', '09:30', '23:59'),
  weekly_off: fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 3 }),
  site_url: fc.constant('http://localhost'),
  most: fc.integer({ min: 0, max: 20 }),
  page_size: fc.integer({ min: 1, max: 100 }),
};
const byType: Record<string, Arbitrary<unknown>> = {
  int2: fc.integer({ min: 0, max: 40 }),
  int4: fc.integer({ min: 0, max: 5000 }),
  int8: fc.integer({ min: 0, max: 100_000 }),
  numeric: fc.integer({ min: 0, max: 200_000 }).map((paise) => paise / 100),
  bool: fc.boolean(),
  uuid: fc.uuid({ version: 4 }),
  date: day.map((date) => date.toISOString().slice(0, 10)),
  timestamptz: day.map((date) => date.toISOString()),
  time: fc.constantFrom('09:00', '16:30:00'),
  text: typed,
  jsonb: fc.constantFrom({}, []),
};

export function likelyValues({ tables }: Targets): LikelyValues {
  const rows = new Map(tables.map(({ name, rows }) => [name, rows]));
  const held = new Map<string, unknown[]>();
  for (const row of tables.flatMap((table) => table.rows))
    for (const [name, value] of Object.entries(row)) held.set(name, [...(held.get(name) ?? []), value]);

  function of(name: string, type: string, words: readonly string[] = []): Arbitrary<unknown> {
    const known = byName[name];
    if (known) return known;
    const [table, column] = columnOf[name] ?? [];
    const there = (table && column ? rows.get(table)?.map((row) => row[column]) : held.get(name)) ?? [];
    const isList = type.startsWith('_');
    const single = fc.oneof(
      ...(there.length > 0 ? [{ weight: 6, arbitrary: fc.constantFrom(...there) }] : []),
      ...(words.length > 0 && type.endsWith('text') ? [{ weight: 4, arbitrary: fc.constantFrom(...words) }] : []),
      { weight: there.length > 0 ? 1 : 3, arbitrary: byType[isList ? type.slice(1) : type] ?? typed },
    );
    return isList ? fc.array(single, { maxLength: 4 }) : single;
  }

  const rowOf = (table: string) => fc.constantFrom(...(rows.get(table)?.length ? (rows.get(table) as Row[]) : [{}]));
  return { of, rowOf };
}
