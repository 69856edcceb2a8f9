// Who may do what with which table: the one table of expectations, tried on the bare database
// (permissions.test.ts) and through the running server (tests/http/permissions.test.ts).

export const roles = ['anon', 'owner', 'stranger', 'administrator', 'service'] as const;
export type Role = (typeof roles)[number];
export const verbs = ['select', 'insert', 'update', 'delete'] as const;
export type Verb = (typeof verbs)[number];

/** The service role is always allowed, unless the cell says that not even it is. */
type Who = 'everybody' | 'administrator' | 'owner' | 'owner, administrator' | 'only service' | 'not even service';
export type Expectation = Record<Verb, Who>;

const published = {
  select: 'everybody',
  insert: 'administrator',
  update: 'administrator',
  delete: 'administrator',
} as const;
const unpublished = { ...published, select: 'administrator' } as const;
const ofTheShop = unpublished;
// Written by the console's requests alone.
const byRequest = {
  select: 'administrator',
  insert: 'only service',
  update: 'only service',
  delete: 'only service',
} as const;
const inTheBooks = { ...byRequest, update: 'not even service', delete: 'not even service' } as const;

/** For a row of the owner, where rows have owners. A comma names a special kind of row. */
export const expectations = {
  Products: published,
  'Products, not listed': unpublished,
  'Products, archived': unpublished,
  product_pictures: { select: 'everybody', insert: 'only service', update: 'only service', delete: 'only service' },
  'product_pictures, not listed': byRequest,
  categories: { select: 'everybody', insert: 'only service', update: 'only service', delete: 'only service' },
  caurousel: published,
  'caurousel, not published': unpublished,
  testimonials: published,
  'testimonials, not published': unpublished,
  greetings: published,
  'greetings, not published': unpublished,
  delivery_zones: published,
  'delivery_zones, not published': unpublished,
  closures: { select: 'everybody', insert: 'only service', update: 'only service', delete: 'only service' },
  page_changes: { select: 'everybody', insert: 'only service', update: 'only service', delete: 'only service' },
  shop_settings: { select: 'everybody', insert: 'only service', update: 'administrator', delete: 'only service' },
  user_profiles: { select: 'owner, administrator', insert: 'owner', update: 'owner', delete: 'only service' },
  customer_addresses: { select: 'owner', insert: 'owner', update: 'owner', delete: 'owner' },
  comments: { select: 'everybody', insert: 'owner', update: 'owner', delete: 'owner' },
  'comments, hidden': { select: 'owner, administrator', insert: 'owner', update: 'owner', delete: 'owner' },
  notify_subscriptions: { select: 'owner, administrator', insert: 'owner', update: 'only service', delete: 'owner' },
  orders: {
    select: 'owner, administrator',
    insert: 'only service',
    update: 'owner, administrator',
    delete: 'not even service',
  },
  order_items: {
    select: 'owner, administrator',
    insert: 'only service',
    update: 'not even service',
    delete: 'not even service',
  },
  order_events: {
    select: 'owner, administrator',
    insert: 'only service',
    update: 'not even service',
    delete: 'not even service',
  },
  order_details_view: {
    select: 'owner, administrator',
    insert: 'not even service',
    update: 'not even service',
    delete: 'not even service',
  },
  stock_levels: { select: 'administrator', insert: 'only service', update: 'administrator', delete: 'only service' },
  stock_movements: {
    select: 'administrator',
    insert: 'administrator',
    update: 'not even service',
    delete: 'not even service',
  },
  vendors: ofTheShop,
  purchase_orders: byRequest,
  purchase_order_items: byRequest,
  purchase_receipts: byRequest,
  purchase_receipt_items: byRequest,
  vendor_bills: byRequest,
  vendor_payments: byRequest,
  stock_counts: inTheBooks,
  stock_count_lines: inTheBooks,
  expenses: ofTheShop,
  audit_log: {
    select: 'administrator',
    insert: 'only service',
    update: 'not even service',
    delete: 'not even service',
  },
} satisfies Record<string, Expectation>;
export type Relation = keyof typeof expectations;
export const relations = Object.keys(expectations) as Relation[];

export const tableOf = (relation: Relation): string => relation.split(',')[0] as string;

export function mayDo(role: Role, verb: Verb, relation: Relation): boolean {
  const who: Who = expectations[relation][verb];
  if (who === 'not even service') return false;
  return role === 'service' || who === 'everybody' || who.split(', ').includes(role);
}
