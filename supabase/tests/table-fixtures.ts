// One row of every table for the permission matrix: how to make it, find it, change it and take it away again.
import { randomInt, randomUUID } from 'node:crypto';
import {
  foodFacts,
  insertPaidOrder,
  insertProduct,
  insertUser,
  newMark,
  type Queries,
} from '../../tests/support/rows.ts';
import { type Relation, type Role, tableOf } from './permissions.ts';

/** What the rows of the matrix hang on. */
export type World = {
  owner: string;
  stranger: string;
  administrator: string;
  productId: number;
  orderId: string;
  vendorId: number;
  purchaseOrderId: number;
  purchaseItemId: number;
  receiptId: string;
  countId: string;
};

export async function makeWorld(
  sql: Queries,
  people: Partial<Pick<World, 'owner' | 'stranger' | 'administrator'>> = {},
): Promise<World> {
  const owner = people.owner ?? (await insertUser(sql));
  const stranger = people.stranger ?? (await insertUser(sql));
  const administrator = people.administrator ?? (await insertUser(sql, { administrator: true }));
  const productId = await insertProduct(sql, { stock: 100 });
  const { id: orderId } = await insertPaidOrder(sql, { userId: owner, productId });
  const [vendor] = await sql`insert into public.vendors (name) values (${newMark('Vendor')}) returning id`;
  const vendorId = Number(vendor?.id);
  const [purchase] = await sql`insert into public.purchase_orders (vendor_id) values (${vendorId}) returning id`;
  const purchaseOrderId = Number(purchase?.id);
  const [item] = await sql`
    insert into public.purchase_order_items (purchase_order_id, item_name, unit, quantity, unit_cost)
    values (${purchaseOrderId}, 'Ghee', 'kg', 1, 10) returning id`;
  const [receipt] = await sql`
    insert into public.purchase_receipts (id, purchase_order_id, received_at)
    values (gen_random_uuid(), ${purchaseOrderId}, now()) returning id`;
  const [count] = await sql`
    insert into public.stock_counts (id, applied_at) values (gen_random_uuid(), now()) returning id`;
  return {
    ...{ owner, stranger, administrator, productId, orderId, vendorId, purchaseOrderId },
    ...{ purchaseItemId: Number(item?.id), receiptId: String(receipt?.id), countId: String(count?.id) },
  };
}

export type Row = Record<string, unknown>;

type Sample = {
  row: Row;
  key: Row;
  change: Row | ((role: Role) => Row);
  /** Where the plain insert of the row would leave books that do not add up. */
  make?: () => Promise<unknown>;
};
export type Fixture = {
  row: Row;
  key: Row;
  change(role: Role): Row;
  make(): Promise<void>;
  /** Makes room for the row, where there can be only one. */
  clear(): Promise<void>;
  remove(): Promise<void>;
};

// Taking one of these away alone would leave books that do not add up. Their marks are new every time, so there is
// nothing to clear before; what becomes of them afterwards is for the caller to decide.
const inTheBooks = ['orders', 'order_items', 'order_events', 'order_details_view', 'stock_movements'];

export async function newFixture(sql: Queries, relation: Relation, world: World): Promise<Fixture> {
  const table = tableOf(relation);
  const needsBareProduct = table === 'stock_levels' || relation === 'product_pictures, not listed';
  const bareProduct = needsBareProduct ? await insertProduct(sql, { listed: false }) : null;
  const { row, key, change, make } = sampleOf(sql, relation, { ...world, productId: bareProduct ?? world.productId });
  const clear = async () => {
    if (inTheBooks.includes(table)) return;
    await withoutTriggers(sql, () => sql`delete from public.${sql(table)} where ${matching(sql, key)}`);
  };
  const [standing] =
    table === 'shop_settings' ? await sql<Row[]>`select * from public.shop_settings` : ([] as (Row | undefined)[]);
  const insert = async (values: Row) => void (await sql`insert into public.${sql(table)} ${sql(values)}`);
  return {
    row,
    key,
    change: (role) => (typeof change === 'function' ? change(role) : change),
    async make() {
      if (make) return void (await make());
      if (standing) return;
      await clear();
      await insert(row);
    },
    clear,
    async remove() {
      await clear();
      if (standing) await insert(standing);
      if (bareProduct) await sql`delete from public."Products" where "Id" = ${bareProduct}`;
    },
  };
}

/** For rows that are never deleted otherwise. Session wide: the connection must not be shared. */
export async function withoutTriggers(sql: Queries, work: () => Promise<unknown>): Promise<void> {
  await sql`select set_config('session_replication_role', 'replica', false)`;
  try {
    await work();
  } finally {
    await sql`select set_config('session_replication_role', 'origin', false)`;
  }
}

function sampleOf(sql: Queries, relation: Relation, world: World): Sample {
  const { owner, productId, orderId, vendorId, purchaseOrderId, purchaseItemId, receiptId, countId } = world;
  const mark = newMark();
  const is_published = !relation.endsWith('not published');
  switch (relation) {
    case 'Products':
    case 'Products, not listed':
    case 'Products, archived': {
      const is_listed = relation !== 'Products, not listed';
      const row = { Name: mark, Price: 100, Category: 'Laddu', is_listed, ...foodFacts };
      const archived = relation === 'Products, archived' ? { archived_at: '2026-01-01T00:00:00Z' } : {};
      return { row: { ...row, ...archived }, key: { Name: mark }, change: { Description: 'Changed' } };
    }
    case 'product_pictures':
    case 'product_pictures, not listed': {
      const key = { product_id: productId, position: 8 };
      return { row: { ...key, image: '/a-960.webp', alt: mark }, key, change: { alt: 'Changed' } };
    }
    case 'categories':
      return { row: { name: mark, position: 999 }, key: { name: mark }, change: { colour: '#102a6b' } };
    case 'caurousel':
    case 'caurousel, not published': {
      const row = { title: mark, background_img: '/a.webp', buttonaction: '/shop', buttontitle: 'Shop', is_published };
      return { row: { ...row, position: 999 }, key: { title: mark }, change: { subtitle: 'Changed' } };
    }
    case 'testimonials':
    case 'testimonials, not published': {
      const row = { title: mark, author: 'A', text: 'Good', stars: 5, position: 999, is_published };
      return { row, key: { title: mark }, change: { stars: 4 } };
    }
    case 'greetings':
    case 'greetings, not published': {
      const row = { title: mark, starts_at: '2001-01-01T00:00:00Z', ends_at: '2001-01-02T00:00:00Z', is_published };
      return { row, key: { title: mark }, change: { message: 'Changed' } };
    }
    case 'delivery_zones':
    case 'delivery_zones, not published': {
      const zone = { first_kg_charge: 40, extra_kg_charge: 10, min_days: 1, max_days: 2 };
      const row = { name: mark, pincode_prefixes: ['999999'], ...zone, is_published };
      return { row, key: { name: mark }, change: { max_days: 3 } };
    }
    case 'closures': {
      const row = { starts_on: '2001-01-01', ends_on: '2001-01-02', reason: mark };
      return { row, key: { reason: mark }, change: { ends_on: '2001-01-03' } };
    }
    case 'page_changes': {
      const id = randomInt(2 ** 40, 2 ** 47);
      return { row: { id }, key: { id }, change: { at: '2099-01-01T00:00:00Z' } };
    }
    case 'shop_settings':
      return { row: { id: true, name: 'Another' }, key: { id: true }, change: { grievance_officer: mark } };
    case 'user_profiles':
      return { row: { user_id: owner, city: 'Pune' }, key: { user_id: owner }, change: { city: 'Mumbai' } };
    case 'customer_addresses': {
      const place = { building_no: '12', street: 'MG Road', city: 'Pune', state: 'Maharashtra', zip: '411001' };
      const row = { user_id: owner, label: mark, recipient_name: 'Kamala Devi', phone: '9876543210', ...place };
      return { row, key: { label: mark }, change: { city: 'Mumbai' } };
    }
    case 'comments':
    case 'comments, hidden': {
      // Sent without hidden_at: only the shop hides reviews.
      const row = { content: mark, rating: 5, product_id: productId, user_id: owner };
      const hidden_at = relation === 'comments' ? null : '2026-01-01T00:00:00Z';
      const make = () => sql`insert into public.comments ${sql({ ...row, hidden_at })}`;
      return { row, key: { product_id: productId, user_id: owner }, change: { content: 'Changed' }, make };
    }
    case 'notify_subscriptions': {
      const row = { product_id: productId, user_id: owner };
      return { row, key: row, change: { created_at: '2020-01-01T00:00:00Z' } };
    }
    case 'orders': {
      const money = { sub_total: 100, tax: 5, shipping_charge: 0, total_amount: 105 };
      const delivery = { delivery_name: mark, delivery_phone: '9000000001', delivery_zip: '400001' };
      return {
        row: { user_id: owner, source: 'manual', ...money, ...delivery },
        key: { delivery_name: mark },
        change: (role) => ({ status: role === 'administrator' ? 'Confirmed' : 'canceled' }),
        make: () => insertPaidOrder(sql, { userId: owner, productId, deliveryName: mark, quantity: 1, paid: false }),
      };
    }
    case 'order_items': {
      const line = { quantity: 1, size: 500, unit_price: 100, gst_percent: 5, hsn: '2106', has_size: true };
      return {
        row: { order_id: orderId, product_id: productId, product_name: mark, ...line },
        key: { product_name: mark },
        change: { unit_price: 1 },
        make: () => insertPaidOrder(sql, { userId: owner, productId, productName: mark, quantity: 1, paid: false }),
      };
    }
    case 'order_details_view':
      return {
        row: { order_id: orderId, product_name: mark, quantity: 1 },
        key: { product_name: mark },
        change: { quantity: 2 },
        make: () => insertPaidOrder(sql, { userId: owner, productId, productName: mark, quantity: 1, paid: false }),
      };
    case 'order_events': {
      // From the order's status to the same: the chain of events stays whole.
      const row = { order_id: orderId, from_status: 'Pending', to_status: 'Pending', actor_role: 'system' };
      return { row: { ...row, public_note: mark }, key: { public_note: mark }, change: { actor_role: 'customer' } };
    }
    case 'stock_levels':
      return { row: { product_id: productId, low_at: 5 }, key: { product_id: productId }, change: { low_at: 7 } };
    case 'stock_movements': {
      const row = { product_id: productId, quantity: 5, reason: 'production', note: mark };
      return { row, key: { note: mark }, change: { quantity: 6 } };
    }
    case 'vendors':
      return { row: { name: mark }, key: { name: mark }, change: { notes: 'Changed' } };
    case 'purchase_orders':
      return { row: { vendor_id: vendorId, notes: mark }, key: { notes: mark }, change: { expected_on: '2026-11-20' } };
    case 'purchase_order_items': {
      const row = { purchase_order_id: purchaseOrderId, item_name: mark, unit: 'kg', quantity: 1, unit_cost: 10 };
      return { row, key: { item_name: mark }, change: { unit_cost: 11 } };
    }
    case 'purchase_receipts': {
      const id = randomUUID();
      const row = { id, purchase_order_id: purchaseOrderId, received_at: '2026-11-16T00:00:00Z' };
      return { row, key: { id }, change: { undone_at: '2026-11-17T00:00:00Z' } };
    }
    case 'purchase_receipt_items': {
      const key = { receipt_id: receiptId, item_id: purchaseItemId };
      return { row: { ...key, quantity: 1 }, key, change: { quantity: 2 } };
    }
    case 'vendor_bills': {
      const dates = { billed_on: '2026-11-16', due_on: '2026-11-23' };
      const row = { vendor_id: vendorId, receipt_id: receiptId, ...dates, goods: 10, gst: 0.5, amount: 10.5 };
      return { row, key: { receipt_id: receiptId }, change: { bill_number: 'Changed' } };
    }
    case 'vendor_payments': {
      const id = randomUUID();
      const row = { id, vendor_id: vendorId, paid_on: '2026-11-16', mode: 'Cash', amount: 10 };
      return { row, key: { id }, change: { reference: 'Changed' } };
    }
    case 'stock_counts': {
      const id = randomUUID();
      return { row: { id, applied_at: '2026-11-16T00:00:00Z' }, key: { id }, change: { note: 'Changed' } };
    }
    case 'stock_count_lines': {
      const key = { count_id: countId, product_id: productId };
      const row = { ...key, counted: 5, expected: 5, counted_at: '2026-11-16T00:00:00Z' };
      return { row, key, change: { counted_at: '2026-11-17T00:00:00Z' } };
    }
    case 'expenses': {
      const row = { spent_on: '2001-01-01', category: 'Rent', amount: 100, payment_mode: 'UPI', description: mark };
      return { row, key: { description: mark }, change: { amount: 101 } };
    }
    case 'audit_log': {
      const row = { action: 'insert', table_name: 'Products', row_id: mark };
      return { row, key: { row_id: mark }, change: { action: 'delete' } };
    }
  }
}

export function matching(sql: Queries, key: Row) {
  return Object.entries(key)
    .map(([column, value]) => sql`${sql(column)} = ${value as string}`)
    .reduce((all, one) => sql`${all} and ${one}`);
}
