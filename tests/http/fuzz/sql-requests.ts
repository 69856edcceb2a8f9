// Requests of the Data API for SQL functions: of the console, of customers and visitors, and of the shop's own functions.
import fc, { type Arbitrary } from 'fast-check';
import type { Asker, BadCase } from '../bad-input-cases.ts';
import { badAddressPart, badParameterName, bodyOf, inHundred, mostlyRight } from './bad-values.ts';
import { type LikelyValues, phone, pincode } from './likely-values.ts';
import type { Request, Row, Targets } from './targets.ts';

/** Requests that change a row say which version of it they saw: found out when the request is sent. */
const seenIn: Record<string, string> = {
  order_id: 'orders',
  product_id: 'Products',
  purchase_id: 'purchase_orders',
  zone_id: 'delivery_zones',
  closure_id: 'closures',
  category_id: 'categories',
  courier_id: 'couriers',
  review_id: 'comments',
  receipt_id: 'purchase_receipts',
  customer_id: 'customer_records',
  id: 'search_synonyms',
};

export function sqlRequests({ requests }: Targets, likely: LikelyValues): Arbitrary<BadCase> {
  const known = shapes(likely);
  const kinds = requests.map((request) => {
    const args = argumentsOf(request, likely, known[request.name]);
    const asked = fc.tuple(bodyOf(mostlyRight(args)), callerOf(request)).map(([body, as]) => ({
      method: 'POST',
      target: `/rest/v1/rpc/${request.name}`,
      headers: { 'Content-Type': 'application/json' },
      body,
      as,
    }));
    const inAddress = fc
      .tuple(
        fc.constantFrom('GET', 'HEAD', 'DELETE'),
        fc.array(
          inHundred(
            10,
            badParameterName.map((name) => `${name}=eq.1`),
            pairOf(request, likely),
          ),
          { maxLength: 4 },
        ),
        callerOf(request),
      )
      .map(([method, pairs, as]) => ({ method, target: `/rest/v1/rpc/${request.name}?${pairs.join('&')}`, as }));
    return inHundred<BadCase>(10, inAddress, asked);
  });
  return fc.oneof(...kinds);
}

const callerOf = ({ callers }: Request): Arbitrary<Asker> =>
  inHundred(10, fc.constantFrom<Asker>('visitor', 'customer'), fc.constantFrom(...callers));

function pairOf({ args, words }: Request, likely: LikelyValues): Arbitrary<string> {
  if (args.length === 0) return badAddressPart.map((bad) => `nope=${bad}`);
  return fc.oneof(
    ...args.map(({ name, type }) =>
      inHundred(
        30,
        badAddressPart,
        likely.of(name, type, words).map((value) => encodeURIComponent(String(value))),
      ).map((value) => `${name}=${value}`),
    ),
  );
}

function argumentsOf(request: Request, likely: LikelyValues, shaped?: Arbitrary<Row>): Arbitrary<unknown> {
  const needed = request.args.filter(({ required }) => required).map(({ name }) => name);
  const values = Object.fromEntries(
    request.args.map(({ name, type }) => [name, argumentOf(name, type, request, likely)] as const),
  );
  const plain = fc.record(values, { requiredKeys: needed });
  const whole = shaped ? fc.tuple(plain, shaped).map(([args, shape]) => ({ ...args, ...shape })) : plain;
  return whole.map((args) => withSeen(args as Row, request));
}

function argumentOf(name: string, type: string, request: Request, likely: LikelyValues): Arbitrary<unknown> {
  if (name === 'after') return fc.constantFrom(null, `@next ${request.name} x`);
  // Late, early, and with a day that is none of India's yet.
  if (name === 'at')
    return fc.constantFrom(
      ...(isWorkers(request) ? clocksOfNodes() : [isoNow(), '2026-11-15T18:29:59Z', '2026-11-15T18:30:00Z']),
    );
  if (/^(entry_id|count_id|payment_id|receipt_id)$/.test(name) && type === 'uuid')
    return fc.oneof(fc.uuid({ version: 4 }), likely.of(name, type));
  if (type === 'jsonb') return filterOf(request, likely);
  return likely.of(name, type, request.words);
}

const isoNow = (fromNowMs = 0) => new Date(Date.now() + fromNowMs).toISOString();
/** Clocks of two nodes differ a little. A worker with a clock of another day would use up the five daily tries of a refund. */
const clocksOfNodes = () => [isoNow(-60_000), isoNow(), isoNow(5_000)];
const isWorkers = ({ callers }: Request) => callers.every((caller) => caller === 'service');

function withSeen(args: Row, { name, args: known }: Request): Row {
  if (!known.some((arg) => arg.name === 'seen' && arg.type === 'timestamptz')) return args;
  if (name === 'admin_save_shop' || name === 'admin_save_working_days')
    return { ...args, seen: '@seen shop_settings true' };
  const id = Object.keys(seenIn).find((key) => args[key] !== undefined && args[key] !== null);
  return { ...args, seen: id ? `@seen ${seenIn[id]} ${args[id]}` : null };
}

/** What lists are filtered by: the fields that the request's own source speaks of. */
function filterOf({ words }: Request, likely: LikelyValues): Arbitrary<unknown> {
  const fields = [...new Set(['search', 'status', 'category', 'from', 'to', 'show', 'sort', ...words])];
  const pairs = fields.map((name) => fc.tuple(fc.constant(name), likely.of(name, 'text', words)));
  return fc.array(fc.oneof(...pairs), { maxLength: 2 }).map((some) => Object.fromEntries(some));
}

/** What belongs together: lines of an order, a delivery of goods and its purchase, the versions of many rows. */
function shapes(likely: LikelyValues): Record<string, Arbitrary<Row>> {
  const product = likely.rowOf('Products');
  const productId = product.map((row) => row.Id);
  const line = fc.record({
    product_id: productId,
    size: fc.constantFrom(500, 1000),
    quantity: fc.integer({ min: 1, max: 3 }),
  });
  const lines = fc.array(line, { minLength: 1, maxLength: 3 });
  const delivery = fc.record({
    name: fc.constantFrom('Sudha Kamble', 'लता', "D'Souza"),
    phone,
    building_no: fc.constant('14 Laxmi Chawl'),
    street: fc.constant('Dadar West'),
    city: fc.constant('Mumbai'),
    state: fc.constantFrom('Maharashtra', 'Karnataka'),
    zip: pincode,
  });
  const fulfilment = fc.constantFrom('delivery', 'pickup');
  const purchaseLine = fc.record({
    product_id: fc.oneof(fc.constant(null), productId),
    item_name: fc.constantFrom('Cow ghee', 'Khoya', 'Boxes'),
    unit: fc.constantFrom('kg', 'g', 'l', 'piece'),
    quantity: fc.integer({ min: 1, max: 40_000 }).map((grams) => String(grams / 1000)),
    unit_cost_paise: fc.integer({ min: 0, max: 90_000 }),
    gst_percent: fc.constantFrom(0, 5, 12, 18),
  });
  const changes = fc.record(
    {
      name: fc.string({ minLength: 3, maxLength: 12 }).map((name) => `Sweet ${name}`),
      price_paise: fc.integer({ min: 0, max: 90_000 }),
      regular_price_paise: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 99_000 })),
      offer_percent: fc.integer({ min: 0, max: 90 }),
      gst_percent: fc.constantFrom(0, 5, 12, 18),
      category: fc.constantFrom('Laddu', 'Halwa', 'Gift'),
      has_size: fc.boolean(),
      is_listed: fc.constantFrom(true, true, false),
      is_archived: fc.constantFrom(false, false, true),
      weight_grams: fc.integer({ min: 1, max: 2000 }),
      unit_cost_paise: fc.integer({ min: 0, max: 50_000 }),
      shelf_life_days: fc.integer({ min: 1, max: 90 }),
      food_mark: fc.constantFrom('veg', 'non-veg'),
      ingredients: fc.constantFrom('Gram flour, ghee', ''),
      allergens: fc.constantFrom('Milk', 'Milk, nuts'),
      storage: fc.constant('Cool and dry'),
    },
    { requiredKeys: [] },
  );
  const versionOf = (table: string, key: string) =>
    likely.rowOf(table).map((row) => ({ id: row[key], seen: `@seen ${table} ${row[key]}` }));
  const item = likely.rowOf('purchase_order_items');
  const level = likely.rowOf('stock_levels');

  return {
    admin_price_order: fc.record({ lines, fulfilment, pincode }),
    admin_create_phone_order: fc.record({
      order_id: fc.uuid({ version: 4 }),
      lines,
      fulfilment,
      delivery,
      total_paise: fc.constant('@total of lines'),
      offline_method: fc.constantFrom(null, 'cash', 'upi'),
      shipping_paise: fc.constantFrom(null, 0, 4000),
      customer_id: fc.constant(null),
    }),
    quote_order: fc.record({ lines, fulfilment, pincode, source: fc.constantFrom('cart', 'direct') }),
    admin_change_address: fc.record({ delivery }),
    admin_move_orders: fc.record({
      moves: fc.array(versionOf('orders', 'id'), { minLength: 1, maxLength: 3 }),
      to_status: likely.of('to_status', 'text'),
    }),
    admin_change_products: fc.record({
      products: fc.array(
        fc.tuple(versionOf('Products', 'Id'), changes).map(([version, changed]) => ({ ...version, changes: changed })),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    admin_save_product: fc.record({ changes, product_id: fc.oneof(fc.constant(null), productId) }),
    admin_import_products: fc.record({
      rows: fc.array(fc.record({ line: fc.integer({ min: 2, max: 90 }), values: changes }), { maxLength: 4 }),
      dry_run: fc.constantFrom(true, true, false),
    }),
    admin_save_shop: fc.record({
      changes: fc.record(
        {
          name: fc.constant('Mithaas'),
          email: fc.constantFrom('a@example.com', ''),
          state: fc.constant('Maharashtra'),
        },
        { requiredKeys: [] },
      ),
    }),
    admin_save_purchase: fc.record({
      purchase_id: fc.oneof(fc.constant(null), likely.of('purchase_id', 'int8')),
      lines: fc.array(purchaseLine, { minLength: 1, maxLength: 3 }),
    }),
    admin_receive_purchase: item.map((row) => ({
      purchase_id: row.purchase_order_id,
      lines: [{ item_id: row.id, quantity: '1', sets_cost: true }],
    })),
    admin_move_purchase: fc.record({ to_status: fc.constantFrom('Ordered', 'Closed', 'Draft', 'Received') }),
    admin_apply_count: fc.record({
      lines: fc.array(
        fc.tuple(level, fc.integer({ min: -1, max: 5000 })).map(([row, counted]) => ({
          product_id: row.product_id,
          counted,
          expected: row.on_hand,
          counted_at: new Date().toISOString(),
        })),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    admin_record_movement: fc.record({
      reason: fc.constantFrom('production', 'wastage', 'purchase', 'return'),
      units: fc.integer({ min: -5, max: 900 }),
    }),
    admin_block_customer: fc.record({ reason: fc.constantFrom('Fraud', ''), blocked: fc.boolean() }),
    admin_erase_customer: fc.record({ confirmation: fc.constantFrom('ERASE', 'erase', '@me') }),
    admin_save_search_words: fc.record({
      words: fc.array(fc.string({ minLength: 3, maxLength: 8 }), { minLength: 2, maxLength: 4 }),
      id: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 20 })),
    }),
    admin_order_rows: fc.record({ table_name: fc.constantFrom('caurousel', 'testimonials') }),
  };
}
