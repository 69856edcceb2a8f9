// Rows for tests, written as the database's owner: no policy applies, triggers and checks do.
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres, { type ISql, type Options, type Sql } from 'postgres';

/** A connection or a transaction. */
export type Queries = ISql;

/** A name that no other row has, without digits: a search for a number must not find it. */
export const newMark = (what = 'test'): string =>
  `${what} ${randomBytes(6)
    .toString('hex')
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')}`;

export type NewUser = { name?: string | null; avatarUrl?: string; administrator?: boolean };

export async function insertUser(sql: Queries, { name = 'Test Person', avatarUrl, administrator }: NewUser = {}) {
  const id = randomUUID();
  const metadata = { ...(name === null ? {} : { full_name: name }), ...(avatarUrl ? { avatar_url: avatarUrl } : {}) };
  await sql`insert into auth.users (id, email, raw_user_meta_data)
    values (${id}, ${`${id}@example.com`}, ${sql.json(metadata)})`;
  if (administrator) await sql`insert into private.administrators (user_id) values (${id})`;
  return id;
}

export type NewProduct = {
  name?: string;
  price?: number;
  category?: 'Laddu' | 'Takeaway' | 'Gift';
  hasSize?: boolean;
  listed?: boolean;
  stock?: number;
};

/** What food is sold with: a product needs all of it before it may be listed. */
export const foodFacts = {
  food_mark: 'veg',
  ingredients: 'Gram flour, ghee, sugar',
  allergens: 'Milk',
  shelf_life_days: 30,
  storage: 'Cool and dry',
} as const;

/** `stock` is produced, in grams for sized products and in pieces otherwise. */
export async function insertProduct(
  sql: Queries,
  {
    name = newMark('Sweet'),
    price = 100,
    category = 'Laddu',
    hasSize = false,
    listed = true,
    stock = 0,
  }: NewProduct = {},
): Promise<number> {
  const [row] = await sql<{ id: string }[]>`
    insert into public."Products" ${sql({ Name: name, Price: price, Category: category, hasSize, is_listed: listed, ...foodFacts })}
    returning "Id" as id`;
  const id = Number(row?.id);
  if (stock > 0) await moveStock(sql, id, stock, 'production');
  return id;
}

export async function moveStock(sql: Queries, productId: number, quantity: number, reason: string) {
  await sql`insert into public.stock_movements (product_id, quantity, reason) values (${productId}, ${quantity}, ${reason})`;
}

export type NewOrder = {
  userId: string | null;
  productId: number;
  status?: string;
  fulfilment?: 'delivery' | 'pickup';
  quantity?: number;
  productName?: string;
  deliveryName?: string;
  paid?: boolean;
};
export type TestOrder = { id: string; paymentId: string; quantity: number; totalPaise: number };

/** An order of one line with its sale and its captured payment; every invariant holds for it. */
export async function insertPaidOrder(
  sql: Queries,
  {
    userId,
    productId,
    status = 'Pending',
    fulfilment = 'delivery',
    quantity = 2,
    productName,
    deliveryName = 'Test Person',
    paid = true,
  }: NewOrder,
): Promise<TestOrder> {
  const id = randomUUID();
  const paymentId = `pay_${randomBytes(8).toString('hex')}`;
  const [product] = await sql<{ name: string; price: string; sized: boolean }[]>`
    select "Name" as name, "Price" as price, "hasSize" as sized from public."Products" where "Id" = ${productId}`;
  if (!product) throw new Error(`there is no product ${productId}`);
  const subTotal = Number(product.price) * quantity;
  const tax = Math.round(subTotal * 5) / 100;
  const total = subTotal + tax + 40;
  // One statement, so that the order is never seen without its line, its sale or its payment.
  await sql`
    with placed as (
      insert into public.orders (id, user_id, status, payment_status, payment_id, source, fulfilment, sub_total, tax,
                                 shipping_charge, total_amount, delivery_name, delivery_phone, delivery_zip)
      values (${id}, ${userId}, ${status}, ${paid ? 'paid' : 'unpaid'}, ${paid ? paymentId : null}, 'cart', ${fulfilment},
              ${subTotal}, ${tax}, 40, ${total}, ${deliveryName}, '9000000001', '400001')
    ), lines as (
      insert into public.order_items (order_id, product_id, product_name, quantity, size, unit_price, gst_percent, hsn, has_size)
      values (${id}, ${productId}, ${productName ?? product.name}, ${quantity}, 500, ${product.price}, 5, '2106', ${product.sized})
    ), money as (
      insert into private.payments (payment_id, provider_order_id, order_id, user_id, amount_paise, status, captured_at)
      select ${paymentId}, 'order_test', ${id}::uuid, ${userId}::uuid, ${Math.round(total * 100)}::bigint, 'captured', now()
      where ${paid}
    )
    insert into public.stock_movements (product_id, quantity, reason, order_id)
    values (${productId}, -private.stock_quantity(${product.sized}, 500, ${quantity}), 'sale', ${id})`;
  return { id, paymentId, quantity, totalPaise: Math.round(total * 100) };
}

/** What the worker does within two seconds: emails and figures of customers, from everything that happened to orders. */
export async function deriveFromOrders(sql: Queries): Promise<void> {
  while (((await sql`select private.derive_from_changes() as taken`)[0]?.taken ?? 0) > 0);
}

export type NewReview = { userId: string; productId: number; rating?: number; content?: string; hidden?: boolean };

export async function insertReview(
  sql: Queries,
  { userId, productId, rating = 5, content = newMark('Review'), hidden = false }: NewReview,
): Promise<number> {
  const [row] = await sql<{ id: string }[]>`
    insert into public.comments (content, rating, product_id, user_id, hidden_at)
    values (${content}, ${rating}, ${productId}, ${userId}, ${hidden ? sql`now()` : null}) returning id`;
  return Number(row?.id);
}

/** The caller: a visitor, a signed-in customer, or the shop's own functions. */
export type Caller = 'anon' | 'service' | { userId: string };

/** From here to the end of the transaction, as the Data API would run the caller's request. */
export async function actAs(transaction: Queries, caller: Caller): Promise<void> {
  const role = caller === 'service' ? 'service_role' : caller === 'anon' ? 'anon' : 'authenticated';
  const sub = typeof caller === 'object' ? caller.userId : '';
  const claims = JSON.stringify(sub ? { sub, role } : { role });
  await transaction`select set_config('role', ${role}, true), set_config('request.jwt.claims', ${claims}, true),
    set_config('request.jwt.claim.sub', ${sub}, true), set_config('request.jwt.claim.role', ${role}, true),
    set_config('safeupdate.enabled', '1', true)`;
}

/** Back to the database's owner, without a session. */
export async function actAsOwner(transaction: Queries): Promise<void> {
  await transaction`select set_config('role', 'none', true), set_config('request.jwt.claims', '', true),
    set_config('request.jwt.claim.sub', '', true), set_config('request.jwt.claim.role', '', true),
    set_config('safeupdate.enabled', '', true)`;
}

/** As older hosted projects have it: what triggers and policies refuse must not hang on grants. */
export async function grantEverything(sql: Queries): Promise<void> {
  await sql`grant all on all tables in schema public to anon, authenticated`;
}

/** Does and commits something as a caller. */
export function as<T>(sql: Sql, caller: Caller, work: (transaction: Queries) => Promise<T>): Promise<T> {
  return sql.begin(async (transaction) => {
    await actAs(transaction, caller);
    return work(transaction);
  }) as Promise<T>;
}

/** A door of our own to the database of a running test shop, to prepare rows and to look at effects. */
export async function connectToShop(dataDir: string): Promise<Sql> {
  return postgres({ ...(await socketOf(dataDir)), max: 1, onnotice: () => {} });
}

export async function socketOf(dataDir: string): Promise<Options<Record<string, never>>> {
  const socketDir = (await readFile(join(dataDir, 'postgres-socket-dir'), 'utf8')).trim();
  return { path: join(socketDir, '.s.PGSQL.5432'), user: 'postgres', database: 'postgres' } as never;
}

export type NewZone = { prefixes: string[]; firstKg?: number; extraKg?: number; maxDays?: number };

export async function insertZone(sql: Queries, { prefixes, firstKg = 40, extraKg = 15, maxDays = 2 }: NewZone) {
  await sql`insert into public.delivery_zones (name, pincode_prefixes, first_kg_charge, extra_kg_charge, min_days, max_days)
    values (${newMark('Zone')}, ${prefixes}, ${firstKg}, ${extraKg}, 1, ${maxDays})`;
}
