// The same table of expectations as supabase/tests/permissions.test.ts, through the running server.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  expectations,
  mayDo,
  type Relation,
  type Role,
  relations,
  roles,
  type Verb,
  verbs,
} from '../../supabase/tests/permissions.ts';
import { makeWorld, type Row, type World, withoutTriggers } from '../../supabase/tests/table-fixtures.ts';
import { type Answer, type Attempt, tryCells } from '../../supabase/tests/try-cell.ts';
import { connectToShop } from '../support/rows.ts';
import { newCustomer, publicEnvironment, signInAs, tokenOf, userIdOf } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
let sql: Sql;
let world: World;
let headersOf: Record<Role, Record<string, string>>;
let priya: Record<string, string>;

beforeAll(async () => {
  sql = await connectToShop(inject('shopDataDir'));
  const { key } = await publicEnvironment(shopUrl);
  const { secretKey } = JSON.parse(await readFile(join(inject('shopDataDir'), 'keys.json'), 'utf8')) as {
    secretKey: string;
  };
  const owner = await newCustomer(shopUrl, 'Owner of rows');
  const stranger = await newCustomer(shopUrl, 'Another customer');
  const asha = await signInAs(shopUrl, { account: 'Asha Rao' });
  const signedIn = async (client: typeof owner) => ({ apikey: key, authorization: `Bearer ${await tokenOf(client)}` });
  headersOf = {
    anon: { apikey: key },
    owner: await signedIn(owner),
    stranger: await signedIn(stranger),
    administrator: await signedIn(asha),
    service: { apikey: secretKey },
  };
  priya = await signedIn(await signInAs(shopUrl, { account: 'Priya Sharma' }));
  world = await makeWorld(sql, {
    owner: await userIdOf(owner),
    stranger: await userIdOf(stranger),
    administrator: await userIdOf(asha),
  });
});
afterAll(async () => {
  if (world) await sweep();
  await sql?.end();
});

// What would leave the shared shop, for a moment, with books that do not add up or without its facts.
const leftToSql: Partial<Record<Relation, Verb[]>> = {
  orders: ['insert'],
  order_items: ['insert'],
  shop_settings: ['insert', 'delete'],
};

for (const relation of relations) {
  test.each(verbs)(`${relation}: %s`, async (verb) => {
    const tried = roles.filter((role) => !(role === 'service' && leftToSql[relation]?.includes(verb)));
    const outcomes = await tryCells(sql, { roles: tried, verb, relation }, world, send);
    const expected = tried.map((role) => [role, mayDo(role, verb, relation) ? 'done' : 'refused']);
    expect(outcomes, `for ${expectations[relation][verb]}`).toEqual(Object.fromEntries(expected));
  });
}

test('the orders of the demo customer are visible to her and the shop alone', async () => {
  const [account] = await sql<{ id: string }[]>`select id from auth.users where email = 'priya@example.com'`;
  const [order] = await sql<
    { id: string }[]
  >`select id from public.orders where user_id = ${account?.id ?? null} limit 1`;
  const paths = [
    `orders?id=eq.${order?.id}`,
    ...['order_items', 'order_events', 'order_details_view'].map((table) => `${table}?order_id=eq.${order?.id}`),
  ];
  for (const path of paths) {
    const seenBy = async (headers: Record<string, string>) => {
      const rows = await (await fetch(`${backendUrl}/rest/v1/${path}`, { headers })).json();
      return Array.isArray(rows) && rows.length > 0;
    };
    expect(await seenBy(priya), path).toBe(true);
    const others = await Promise.all(roles.map(async (role) => [role, await seenBy(headersOf[role])]));
    expect(Object.fromEntries(others), path).toEqual({
      anon: false,
      owner: false,
      stranger: false,
      administrator: true,
      service: true,
    });
  }
});

test.each(['stock_levels', 'stock_movements', 'order_items', 'notify_subscriptions'])(
  '%s stays hidden when it is embedded in a product',
  async (table) => {
    await sql`insert into public.notify_subscriptions (product_id, user_id) values (${world.productId}, ${world.owner})
      on conflict do nothing`;
    const ask = async (role: Role) => {
      const path = `Products?select=Id,${table}(product_id)&Id=eq.${world.productId}`;
      const rows: unknown = await (await fetch(`${backendUrl}/rest/v1/${path}`, { headers: headersOf[role] })).json();
      return JSON.stringify(rows).includes(`"product_id":${world.productId}`);
    };
    expect(await ask('administrator')).toBe(true);
    expect(await ask('anon')).toBe(false);
    expect(await ask('stranger')).toBe(false);
    await sql`delete from public.notify_subscriptions where product_id = ${world.productId}`;
  },
);

describe('schema private and what Supabase itself keeps', () => {
  test.each(roles)('cannot be reached by %s', async (role) => {
    const tables = await sql<{ schema: string; name: string }[]>`
      select relnamespace::regnamespace::text as schema, relname as name from pg_class
      where relnamespace::regnamespace::text in ('private', 'auth', 'realtime_feed', 'supabase_migrations') and relkind = 'r'`;
    expect(tables.length).toBeGreaterThan(15);
    const ask = async (path: string, init: RequestInit = {}) => {
      const headers = { ...headersOf[role], 'content-type': 'application/json', ...init.headers };
      return (await fetch(`${backendUrl}/rest/v1/${path}`, { ...init, headers })).status;
    };
    // Not "permission denied": there is no such schema and no such table to be had here.
    for (const { schema, name } of tables) {
      const answers = {
        read: await ask(name, { headers: { 'accept-profile': schema } }),
        written: await ask(name, { method: 'POST', body: '{}', headers: { 'content-profile': schema } }),
        byPath: await ask(`${schema}.${name}`),
        byName: schema === 'private' ? await ask(name) : 404,
      };
      expect(answers, `${schema}.${name}`).toEqual({ read: 406, written: 406, byPath: 404, byName: 404 });
    }
  });

  test('lets no one become an administrator', async () => {
    const before = await sql`select user_id from private.administrators`;
    for (const role of roles) {
      for (const profile of ['private', 'public']) {
        await fetch(`${backendUrl}/rest/v1/administrators`, {
          method: 'POST',
          headers: { ...headersOf[role], 'content-type': 'application/json', 'content-profile': profile },
          body: JSON.stringify({ user_id: world.stranger }),
        });
      }
    }
    expect(await sql`select user_id from private.administrators`).toEqual(before);
  });
});

describe('functions over HTTP', () => {
  const call = async (role: Role, name: string, args: Row) =>
    fetch(`${backendUrl}/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: { ...headersOf[role], 'content-type': 'application/json' },
      body: JSON.stringify(args),
    });

  test('only the service role creates a back-in-stock request for a customer', async () => {
    const args = () => ({ customer_id: world.owner, product_id: world.productId, wanted: true });
    const subscribed = () => sql`select from public.notify_subscriptions where user_id = ${world.owner}`;
    for (const role of roles.filter((one) => one !== 'service')) {
      expect((await call(role, 'set_notification', args())).ok, role).toBe(false);
      expect(await subscribed()).toHaveLength(0);
    }
    expect(await (await call('service', 'set_notification', args())).json()).toBe(true);
    expect(await subscribed()).toHaveLength(1);
  });

  test('only administrators and the service role check the books', async () => {
    for (const role of roles) {
      const response = await call(role, 'check_invariants', {});
      expect(response.ok, role).toBe(role === 'administrator' || role === 'service');
    }
  });

  test.each(['consume_rate_limit', 'queue_refund', 'is_admin', 'is_allowed_move', 'is_service'])(
    '%s is not offered',
    async (name) => {
      for (const role of roles) expect((await call(role, name, {})).status, role).toBe(404);
    },
  );

  test('administrators can read only their own administrator status', async () => {
    const answers = await Promise.all(
      roles.map(async (role) => [
        role,
        await (await call(role, 'is_administrator', { user_id: world.administrator })).json(),
      ]),
    );
    expect(Object.fromEntries(answers)).toMatchObject({
      owner: false,
      stranger: false,
      administrator: true,
      service: true,
    });
    expect(Object.fromEntries(answers).anon).not.toBe(true);
  });
});

async function send({ role, verb, table, key, row, change }: Attempt): Promise<Answer> {
  const filter = new URLSearchParams(Object.entries(key).map(([column, value]) => [column, `eq.${value}`]));
  const method = { select: 'GET', insert: 'POST', update: 'PATCH', delete: 'DELETE' }[verb];
  const body = verb === 'insert' ? row : verb === 'update' ? change : null;
  const response = await fetch(`${backendUrl}/rest/v1/${table}${verb === 'insert' ? '' : `?${filter}`}`, {
    method,
    headers: { ...headersOf[role], prefer: 'return=minimal', 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  const answer: unknown = text === '' ? [] : JSON.parse(text);
  if (response.status >= 500) throw new Error(`${method} ${table} answered ${response.status}: ${text}`);
  if (response.ok) return { rows: Array.isArray(answer) ? answer.length : 0, refusal: null };
  return { rows: 0, refusal: (answer as { code?: string }).code ?? String(response.status) };
}

/** Takes everything of this file out of the shared shop, in one go. */
async function sweep(): Promise<void> {
  const { owner, productId, vendorId, receiptId, countId } = world;
  await sql.begin((tx) =>
    withoutTriggers(tx, async () => {
      const orders = tx`(select id from public.orders where user_id = ${owner})`;
      await tx`delete from private.order_event_actors where event_id in (select id from public.order_events where order_id in ${orders})`;
      await tx`delete from public.order_events where order_id in ${orders}`;
      await tx`delete from private.placed_items where order_id in ${orders}`;
      await tx`delete from public.order_items where order_id in ${orders}`;
      await tx`delete from private.payments where order_id in ${orders}`;
      await tx`delete from private.refunds where order_id in ${orders}`;
      await tx`delete from public.stock_movements where product_id = ${productId}`;
      await tx`delete from public.orders where user_id = ${owner}`;
      await tx`select private.count_customers(array[${owner}]::uuid[])`;
      await tx`delete from public.notify_subscriptions where product_id = ${productId}`;
      await tx`delete from public.comments where product_id = ${productId}`;
      await tx`delete from public.stock_levels where product_id = ${productId}`;
      await tx`delete from public."Products" where "Id" = ${productId}`;
      await tx`delete from public.stock_counts where id = ${countId}`;
      await tx`delete from public.purchase_receipts where id = ${receiptId}`;
      await tx`delete from public.purchase_order_items where purchase_order_id = ${world.purchaseOrderId}`;
      await tx`delete from public.purchase_orders where vendor_id = ${vendorId}`;
      await tx`delete from public.vendors where id = ${vendorId}`;
    }),
  );
}
