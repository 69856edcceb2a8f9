import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { customerHeadings } from '../../domain/customers/customer-file.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, deriveFromOrders, insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';
import { datasets } from '../functions/exportCsv/datasets.ts';
import { type Args, callConsole, type Page } from './call-console.ts';

type Customer = { id: string; name: string; last_order_at: string | null; value_paise: number; orders: number };

let database: TestDatabase;
let sql: Sql;
let administrator: { userId: string };
let productId: number;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  administrator = { userId: await insertUser(sql, { administrator: true, name: 'Asha Rao' }) };
  productId = await insertProduct(sql, { stock: 1_000_000, price: 100 });
});
afterAll(() => database.drop());

const ask = <T>(name: string, args: Args = {}) => callConsole<T>(sql, administrator, name, args);
const customers = (args: Args = {}) => ask<Page<Customer>>('admin_list_customers', args);
const namesIn = async (args: Args) => (await customers(args)).rows.map(({ name }) => name);

async function insertCustomer(name: string, { city = '', phone = '' } = {}): Promise<string> {
  const id = await insertUser(sql, { name });
  await sql`insert into public.user_profiles (user_id, city, phone) values (${id}, ${city}, ${phone})`;
  return id;
}

describe('the list', () => {
  let people: Record<'meera' | 'kabir' | 'ravi', string>;
  beforeAll(async () => {
    people = {
      meera: await insertCustomer('Meera Nairkutty', { city: 'Kochi', phone: '9820077701' }),
      kabir: await insertCustomer('Kabir Nairkutty', { city: 'kochi ', phone: '+91 9820077702' }),
      ravi: await insertCustomer('Ravi 100%_Nairkutty', { city: 'Pune' }),
    };
    for (const [userId, quantity] of [
      [people.kabir, 5],
      [people.meera, 2],
      [people.meera, 1],
    ] as const)
      await insertPaidOrder(sql, { userId, productId, quantity });
    await deriveFromOrders(sql);
    await sql`insert into private.customer_records (user_id, tags, blocked_at)
      values (${people.kabir}, '{bulk,regular}', now()), (${people.meera}, '{regular}', null)`;
  });

  test.each([
    ['nairkutty', ['Kabir', 'Meera', 'Ravi']],
    ['NAIRKUTTY  meera', ['Meera']],
    ['+91 98200-77702', ['Kabir']],
    ['9820077701', ['Meera']],
    ['77702', ['Kabir']],
    ['100%_n', ['Ravi']],
    ['100%%', []],
    ['nairkutty zz', []],
    ['me', ['Meera']],
    ["'; drop table private.customer_cards; --", []],
  ])('finds %s by name and phone', async (search, first) => {
    expect(await namesIn({ search, sort: 'name', descending: false })).toEqual(
      first.map((n) => expect.stringContaining(n)),
    );
  });

  test('its file has the same customers, each once, and is for the shop’s own function alone', async () => {
    const rowsOf = async (filter: object) => {
      const [answer] = await sql`select public.export_customers(${sql.json(filter as never)}, null, now()) as page`;
      return answer?.page as { rows: unknown[][]; next: unknown };
    };
    for (const filter of [
      { search: 'nairkutty' },
      { search: '77702' },
      { search: 'me' },
      { city: 'KOCHI' },
      { tag: 'regular', blocked: false },
      { blocked: true },
      { has_ordered: false, search: 'nairkutty' },
      { last_order_from: '2020-01-01', last_order_to: null, search: 'nairkutty' },
    ]) {
      const { rows, next } = await rowsOf(filter);
      expect(
        rows.map(([name]) => name),
        JSON.stringify(filter),
      ).toEqual(await namesIn({ ...(filter as unknown as Args), sort: 'name', descending: false }));
      expect(next).toBeNull();
    }
    const [kabir] = (await rowsOf({ tag: 'bulk' })).rows;
    expect(kabir).toHaveLength(customerHeadings.length);
    const [listed] = (await customers({ tag: 'bulk' })).rows;
    expect(kabir?.slice(8, 10)).toEqual([listed?.orders, String((listed?.value_paise ?? 0) / 100)]);
    expect(kabir?.slice(12)).toEqual(['bulk, regular', 'yes']);
    await expect(
      as(sql, administrator, (tx) => tx`select public.export_customers('{}', null, now())`),
    ).rejects.toMatchObject({ code: '42501' });
    expect(datasets.customers?.read.name).toBe('export_customers');
    await expect(rowsOf({ blocked: 'perhaps' })).rejects.toMatchObject({ code: '22P02' });
  });

  test('finds a customer by the beginning of their email address', async () => {
    expect(await namesIn({ search: `${people.ravi}@EXAM` })).toEqual(['Ravi 100%_Nairkutty']);
    // With a word beside it: a piece that by chance has no letter is looked for among the phones.
    expect(await namesIn({ search: `nair ${people.ravi.slice(4, 20)}` })).toEqual(['Ravi 100%_Nairkutty']);
  });

  test.each([
    [{ city: 'KOCHI' }, ['Kabir', 'Meera']],
    [{ tag: 'bulk' }, ['Kabir']],
    [{ tag: 'regular', blocked: false }, ['Meera']],
    [{ blocked: true }, ['Kabir']],
    [{ has_ordered: true, search: 'nairkutty' }, ['Kabir', 'Meera']],
    [{ has_ordered: false, search: 'nairkutty' }, ['Ravi']],
    [{ last_order_from: '2020-01-01', search: 'nairkutty' }, ['Kabir', 'Meera']],
    [{ last_order_to: '2020-01-01', search: 'nairkutty' }, []],
    [{ last_order_to: '2100-01-01', search: 'nairkutty' }, ['Kabir', 'Meera']],
    [{ last_order_from: '2100-01-01' }, []],
  ] as [Args, string[]][])('filters by %o', async (filter, first) => {
    const names = await namesIn({ ...filter, sort: 'name', descending: false });
    expect(names).toEqual(first.map((name) => expect.stringContaining(name)));
  });

  test('sorts by name, last order, value and orders, both ways', async () => {
    const order = async (sort: string, descending: boolean) =>
      (await namesIn({ search: 'nairkutty', sort, descending })).map((name) => name.split(' ')[0]).join(' ');
    expect(await order('name', false)).toBe('Kabir Meera Ravi');
    expect(await order('name', true)).toBe('Ravi Meera Kabir');
    expect(await order('last_order', true)).toBe('Meera Kabir Ravi');
    expect(await order('value', true)).toBe('Kabir Meera Ravi');
    expect(await order('orders', true)).toBe('Meera Kabir Ravi');
    expect(await order('orders', false)).toBe('Ravi Kabir Meera');
  });

  test('returns what a row of the list shows', async () => {
    const [row] = (await customers({ search: 'kabir nairkutty' })).rows;
    expect(row).toEqual({
      id: people.kabir,
      name: 'Kabir Nairkutty',
      email: `${people.kabir}@example.com`,
      phone: '+91 9820077702',
      city: 'kochi',
      orders: 1,
      value_paise: 56_500,
      last_order_at: expect.any(String),
      tags: ['bulk', 'regular'],
      is_blocked: true,
    });
  });

  test('offers every city and tag once', async () => {
    const choices = await ask<{ cities: string[]; tags: string[] }>('admin_list_customer_choices');
    expect(choices.cities.map((city) => city.toLowerCase())).toEqual(['kochi', 'pune']);
    expect(choices.tags).toEqual(['bulk', 'regular']);
  });

  test.each([
    [{ sort: 'shoe size' }, 'sort'],
    [{ after: 'page two' }, 'after'],
    [{ after: '{"key": 1}' }, 'after'],
    [{ after: '["2026-01-01", 5]' }, 'after'],
    [{ after: '{"key": "yesterday?", "id": "5"}' }, 'after'],
    [{ after: '{"key": "2026-01-01", "id": "5"}' }, 'after'],
    [{ after: '{"key": "\\u0000", "id": "5"}' }, 'after'],
  ] as [Args, string][])('refuses %o with a word on which field it was', async (args, field) => {
    await expect(customers(args)).rejects.toMatchObject({ code: 'PT422', detail: field });
  });
});

test.each(['name', 'last_order', 'value', 'orders'])(
  'pages of 50 sorted by %s show every customer once, in order',
  async (sort) => {
    await sql`insert into auth.users (id, email, raw_user_meta_data)
      select gen_random_uuid(), 'many' || n || '.' || ${sort}::text || '@example.com',
             jsonb_build_object('full_name', ${`Paged ${sort} `}::text || n % 7) from generate_series(1, 120) n`;
    for (const descending of [true, false]) {
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const page: Page<Customer> = await customers({ search: `many paged ${sort}`, sort, descending, after });
        expect(page.count).toBe(120);
        expect(page.count_is_capped).toBe(false);
        seen.push(...page.rows.map(({ id }) => id));
        after = page.next;
      } while (after);
      expect(seen).toHaveLength(120);
      expect(new Set(seen).size).toBe(120);
    }
  },
);

test('a card follows the account and the profile, in whatever form they come', async () => {
  const id = await insertUser(sql, { name: null });
  const card = async () =>
    (await sql`select name, email, phone, city from private.customer_cards where user_id = ${id}`)[0];
  const email = `${id}@example.com`;
  expect(await card()).toEqual({ name: email, email, phone: '', city: '' });
  await as(sql, { userId: id }, async (tx) => {
    await tx`insert into public.user_profiles (user_id, phone, city) values (${id}, '9820011111', ' Nashik ')`;
  });
  await sql`update auth.users set raw_user_meta_data = ${sql.json(JSON.stringify({ name: ' Zoya ' }))} where id = ${id}`;
  expect(await card()).toEqual({ name: 'Zoya', email, phone: '9820011111', city: 'Nashik' });
  await as(sql, { userId: id }, (tx) => tx`update public.user_profiles set city = null where user_id = ${id}`);
  await sql`update auth.users set email = 'zoya@example.org', raw_user_meta_data = ${sql.json({ full_name: 'Z'.repeat(5000) })} where id = ${id}`;
  expect(await card()).toEqual({ name: 'Z'.repeat(80), email: 'zoya@example.org', phone: '9820011111', city: '' });
  await sql`delete from auth.users where id = ${id}`;
  expect(await card()).toBeUndefined();
});

test('a customer card that cannot be written does not prevent signing in, and the first order writes it', async () => {
  await sql`alter table private.customer_cards rename to cards_away`;
  const id = await insertUser(sql, { name: 'Late Card' });
  await sql`update auth.users set email = 'late@example.com' where id = ${id}`;
  await sql`alter table private.cards_away rename to customer_cards`;
  expect(await namesIn({ search: 'late card' })).toEqual([]);
  await insertPaidOrder(sql, { userId: id, productId, quantity: 1 });
  await deriveFromOrders(sql);
  expect((await customers({ search: 'late card' })).rows).toMatchObject([{ orders: 1, value_paise: 14_500 }]);
});

test('a customer’s page shows their favourites, back-in-stock requests, and orders page by page', async () => {
  const id = await insertCustomer('Loyal Person', { city: 'Pune' });
  const laddu = await insertProduct(sql, { name: 'Loyal Laddu', hasSize: true, stock: 100_000 });
  for (let n = 0; n < 22; n++) await insertPaidOrder(sql, { userId: id, productId: laddu, quantity: 1 });
  await insertPaidOrder(sql, { userId: id, productId, quantity: 3 });
  const { id: canceled } = await insertPaidOrder(sql, { userId: id, productId, quantity: 1 });
  await as(sql, { userId: id }, (tx) => tx`update public.orders set status = 'canceled' where id = ${canceled}`);
  await sql`insert into public.notify_subscriptions (product_id, user_id) values (${laddu}, ${id})`;
  await deriveFromOrders(sql);
  const read = await ask<Record<string, unknown>>('admin_read_customer', { customer_id: id });
  expect(read).toMatchObject({
    name: 'Loyal Person',
    city: 'Pune',
    orders: 23,
    canceled: 1,
    value_paise: 22 * 14_500 + 35_500,
    average_paise: Math.round((22 * 14_500 + 35_500) / 23),
    favourites: [
      { product_id: laddu, name: 'Loyal Laddu', orders: 22, grams: 11_000, pieces: null },
      { product_id: productId, orders: 1, grams: null, pieces: 3 },
    ],
    waiting: [{ product_id: laddu, name: 'Loyal Laddu' }],
    is_administrator: false,
    seen: null,
  });
  type Order = { id: string; number: number; items: string };
  const first = await ask<Page<Order>>('admin_list_customer_orders', { customer_id: id });
  const second = await ask<Page<Order>>('admin_list_customer_orders', { customer_id: id, after: first.next });
  expect([first.count, first.rows.length, second.rows.length, second.next]).toEqual([24, 10, 10, expect.any(String)]);
  expect(new Set([...first.rows, ...second.rows].map((order) => order.id)).size).toBe(20);
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
});
