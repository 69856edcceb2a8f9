// Who may do what with which table: the one table of expectations, tried on the bare database
// (permissions.test.ts) and through the running server (tests/http/permissions.test.ts).
import { insertPaidOrder, insertProduct, insertUser, newMark, type Queries } from '../../tests/support/rows.ts';
import { newSpecimen, type Row } from './specimens.ts';

export const roles = ['anon', 'owner', 'stranger', 'administrator', 'service'] as const;
export type Role = (typeof roles)[number];
export const verbs = ['select', 'insert', 'update', 'delete'] as const;
export type Verb = (typeof verbs)[number];

/** The service role is always allowed, unless the cell says that not even it is. */
type Who = 'everybody' | 'administrator' | 'owner' | 'owner, administrator' | 'only service' | 'not even service';
export type Expectation = Record<Verb, Who>;

const published = { select: 'everybody', insert: 'administrator', update: 'administrator', delete: 'administrator' } as const;
const unpublished = { ...published, select: 'administrator' } as const;
const ofTheShop = unpublished;

/** Of a row that belongs to the owner, where rows belong to somebody. A comma tells of a special kind of row. */
export const expectations = {
  Products: published,
  'Products, not listed': unpublished,
  'Products, archived': unpublished,
  caurousel: published,
  'caurousel, not published': unpublished,
  testimonials: published,
  'testimonials, not published': unpublished,
  greetings: published,
  'greetings, not published': unpublished,
  delivery_zones: published,
  'delivery_zones, not published': unpublished,
  shop_settings: { select: 'everybody', insert: 'only service', update: 'administrator', delete: 'only service' },
  user_profiles: { select: 'owner, administrator', insert: 'owner', update: 'owner', delete: 'only service' },
  comments: { select: 'everybody', insert: 'owner', update: 'owner, administrator', delete: 'owner' },
  'comments, hidden': { select: 'owner, administrator', insert: 'owner', update: 'owner, administrator', delete: 'owner' },
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
  purchase_orders: ofTheShop,
  purchase_order_items: ofTheShop,
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

/** What the rows of the matrix hang on. */
export type World = {
  owner: string;
  stranger: string;
  administrator: string;
  productId: number;
  orderId: string;
  vendorId: number;
  purchaseOrderId: number;
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
  return { owner, stranger, administrator, productId, orderId, vendorId, purchaseOrderId: Number(purchase?.id) };
}

export type Cell = { role: Role; verb: Verb; relation: Relation };
export type Attempt = { role: Role; verb: Verb; table: string; key: Row; row: Row; change: Row };
/** What the asked one saw, or the SQLSTATE of the refusal. */
export type Answer = { rows: number; refusal: string | null };

// No privilege or policy; a guard's refusal; a view that nobody can write to.
const refusals = ['42501', 'PT403', '55000'];

/** Really tries a cell on a fresh row, and judges by what became of the row and not by what was answered. */
export async function tryCell(
  sql: Queries,
  { role, verb, relation }: Cell,
  world: World,
  attempt: (attempt: Attempt) => Promise<Answer>,
): Promise<'done' | 'refused'> {
  const table = tableOf(relation);
  const specimen = await newSpecimen(sql, relation, world);
  const { key, row, change } = specimen;
  const find = () => sql`select to_jsonb(t)::text as row from public.${sql(table)} t where ${matching(sql, key)}`;
  try {
    if (verb === 'insert') await specimen.clear();
    else await specimen.make();
    const before = await find();
    const { rows, refusal } = await attempt({ role, verb, table, key, row, change: change(role) });
    const after = await find();

    const changed = JSON.stringify(before) !== JSON.stringify(after);
    const count = { select: 1, insert: 1, update: 1, delete: 0 }[verb];
    const done = verb === 'select' ? rows === 1 : changed;
    if (done && (refusal || after.length !== count)) throw new Error(`refused with ${refusal}, ${after.length} rows left`);
    if (!done && changed) throw new Error('the row changed although nothing was allowed');
    if (refusal && !refusals.includes(refusal)) throw new Error(`${refusal} is a mistake in the row, not a refusal`);
    return done ? 'done' : 'refused';
  } finally {
    await specimen.remove();
  }
}

export function matching(sql: Queries, key: Row) {
  return Object.entries(key)
    .map(([column, value]) => sql`${sql(column)} = ${value as string}`)
    .reduce((all, one) => sql`${all} and ${one}`);
}
