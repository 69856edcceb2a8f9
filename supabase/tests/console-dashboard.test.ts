// The dashboard's figures against sums over the orders themselves, written without any of its functions.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';

type Figures = Record<
  'orders' | 'canceled' | 'sales_paise' | 'goods_paise' | 'cost_paise' | 'uncosted_paise' | 'refunds_paise',
  number
>;
type Dashboard = {
  from: string;
  to: string;
  before_from: string;
  before_to: string;
  now: Figures;
  before: Figures;
  timeline: { from: string; orders: number; sales_paise: number }[];
  categories: { category: string; goods_paise: number }[];
  best: { product_id: number; name: string; grams: number; pieces: number; goods_paise: number }[];
  cities: { city: string; orders: number; goods_paise: number }[];
};
const periods = ['today', 'week', 'month', 'year'] as const;

let database: TestDatabase;
let sql: Sql;
let owner: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'), 'demo');
  sql = database.sql;
  owner = { userId: await insertUser(sql, { administrator: true }) };
});
afterAll(() => database.drop());

async function read(period: string, at: Date): Promise<Dashboard> {
  const [row] = await as(
    sql,
    owner,
    (tx) => tx<{ answer: Dashboard }[]>`select public.admin_read_dashboard(${period}, ${at}) as answer`,
  );
  if (!row) throw new Error('no answer');
  return row.answer;
}

async function sumsBetween(from: string, to: string): Promise<Figures> {
  const [sums] = await sql<Record<keyof Figures, string>[]>`
    with placed as (select * from public.orders where created_at >= ${from} and created_at < ${to}),
         good as (select * from placed where status <> 'canceled')
    select (select count(*) from good) as orders,
           (select count(*) from placed where status = 'canceled') as canceled,
           (select coalesce(sum(total_amount), 0) * 100 from good) as sales_paise,
           (select coalesce(sum(sub_total), 0) * 100 from good) as goods_paise,
           (select coalesce(round(sum(p.unit_cost * p.quantity * p.size / 5)), 0)
              from private.placed_items p where p.order_id in (select id from good)) as cost_paise,
           (select coalesce(sum(p.unit_price * p.quantity * p.size / 5), 0)
              from private.placed_items p where p.order_id in (select id from good) and p.unit_cost is null) as uncosted_paise,
           (select coalesce(sum(amount_paise), 0) from private.refunds
             where created_at >= ${from} and created_at < ${to} and status <> 'failed') as refunds_paise`;
  return Object.fromEntries(Object.entries(sums ?? {}).map(([name, sum]) => [name, Number(sum)])) as Figures;
}

async function expectTrue(period: string, at: Date): Promise<Dashboard> {
  const shown = await read(period, at);
  for (const [side, from, to] of [
    ['now', shown.from, shown.to],
    ['before', shown.before_from, shown.before_to],
  ] as const) {
    const { cost_paise, ...expected } = await sumsBetween(from, to);
    expect(shown[side], `${side} of ${period} at ${at.toISOString()}`).toMatchObject(expected);
    // Each day is rounded to the paisa separately.
    expect(Math.abs(shown[side].cost_paise - cost_paise)).toBeLessThanOrEqual(400);
  }
  const products = await sql`
    select i.product_id::int, sum(i.unit_price * i.quantity * i.size / 5)::float8 as goods_paise,
           coalesce(sum(i.size * i.quantity) filter (where i.has_size), 0)::int as grams,
           coalesce(sum(i.quantity) filter (where not i.has_size), 0)::int as pieces
    from public.orders o join public.order_items i on i.order_id = o.id
    where o.created_at >= ${shown.from} and o.created_at < ${shown.to} and o.status <> 'canceled'
    group by 1 order by 2 desc, 1`;
  const best = shown.best.map(
    ({ name, category, ...figures }: Dashboard['best'][0] & { category?: string }) => figures,
  );
  // Of two that sold for the same, either may be the tenth.
  expect(best.map(({ goods_paise }) => goods_paise)).toEqual(
    products.slice(0, 10).map(({ goods_paise }) => goods_paise),
  );
  for (const one of best) expect(products).toContainEqual(one);
  const categories = await sql`
    select p."Category" as category, sum(i.unit_price * i.quantity * i.size / 5)::float8 as goods_paise
    from public.orders o join public.order_items i on i.order_id = o.id join public."Products" p on p."Id" = i.product_id
    where o.created_at >= ${shown.from} and o.created_at < ${shown.to} and o.status <> 'canceled'
    group by 1 order by 2 desc`;
  expect(shown.categories).toEqual([...categories]);
  const cities = await sql`
    select case when fulfilment = 'pickup' then 'Collected at the counter' else coalesce(nullif(initcap(trim(delivery_city)), ''), 'Not known') end as city,
           count(*)::int as orders, (sum(sub_total) * 100)::float8 as goods_paise
    from public.orders where created_at >= ${shown.from} and created_at < ${shown.to} and status <> 'canceled'
    group by 1 order by 3 desc, 1 limit 10`;
  expect(shown.cities).toEqual([...cities]);
  expect(shown.timeline.reduce((sum, step) => sum + step.sales_paise, 0)).toBe(shown.now.sales_paise);
  expect(shown.timeline.reduce((sum, step) => sum + step.orders, 0)).toBe(shown.now.orders);
  return shown;
}

describe.each(periods)('the figures of %s', (period) => {
  test.each([0, 1, 40, 200])('are those of the orders, seen %i days ago', async (daysAgo) => {
    await expectTrue(period, new Date(Date.now() - daysAgo * 86_400_000));
  });
});

test.each(['00:00:01', '00:05:00', '00:09:59', '00:10:00', '01:05:00', '23:59:59'])(
  'the figures are those of the orders at %s, when yesterday or the last hour may not be kept yet',
  async (time) => {
    const day = new Date(Date.now() - 8 * 86_400_000).toISOString().slice(0, 10);
    for (const period of periods) await expectTrue(period, new Date(`${day}T${time}+05:30`));
  },
);

test('periods begin with a day in India and are compared with as much of the one before', async () => {
  const noon = new Date('2026-11-16T06:30:00Z');
  expect(await read('today', noon)).toMatchObject({
    from: '2026-11-15T18:30:00+00:00',
    before_from: '2026-11-14T18:30:00+00:00',
    before_to: '2026-11-15T06:30:00+00:00',
  });
  expect(await read('week', noon)).toMatchObject({
    from: '2026-11-09T18:30:00+00:00',
    before_from: '2026-11-02T18:30:00+00:00',
    before_to: '2026-11-09T06:30:00+00:00',
  });
  expect(await read('year', noon)).toMatchObject({
    from: '2026-03-31T18:30:00+00:00',
    before_from: '2025-03-31T18:30:00+00:00',
    before_to: '2025-11-16T06:30:00+00:00',
  });
  expect(await read('year', new Date('2027-03-31T18:29:59Z'))).toMatchObject({ from: '2026-03-31T18:30:00+00:00' });
  expect(await read('year', new Date('2027-03-31T18:30:00Z'))).toMatchObject({ from: '2027-03-31T18:30:00+00:00' });
  await expect(read('decade', noon)).rejects.toMatchObject({ code: 'PT422' });
});

test('a cancelled order and a late order of a cached day are in the figures immediately', async () => {
  const now = new Date();
  const before = await expectTrue('month', now);
  const productId = await insertProduct(sql, { stock: 100, price: 250 });
  const order = await insertPaidOrder(sql, { userId: null, productId, quantity: 2 });
  await sql`alter table public.orders disable trigger orders_guard`;
  await sql`update public.orders set created_at = now() - interval '9 days' where id = ${order.id}`;
  await sql`alter table public.orders enable trigger orders_guard`;
  await sql`select private.invalidate_sales(now() - interval '9 days')`;
  expect((await expectTrue('month', now)).now.goods_paise).toBe(before.now.goods_paise + 50_000);

  await sql`update public.orders set status = 'canceled' where id = ${order.id}`;
  const after = await expectTrue('month', now);
  expect(after.now).toMatchObject({ goods_paise: before.now.goods_paise, canceled: before.now.canceled + 1 });
});

test('an order of a cached day that is sent to another city is counted there', async () => {
  const now = new Date();
  await expectTrue('month', now);
  const [order] = await sql<{ id: string }[]>`
    select id from public.orders where created_at < now() - interval '2 days' and fulfilment = 'delivery'
    and status <> 'canceled' order by created_at desc limit 1`;
  await sql`update public.orders set delivery_city = 'Atlantis' where id = ${order?.id ?? ''}`;
  await expectTrue('month', now);
  await expectTrue('year', now);
});

test('a request for tomorrow caches no figure of today', async () => {
  await read('week', new Date(Date.now() + 86_400_000));
  const productId = await insertProduct(sql, { stock: 10, price: 100 });
  await insertPaidOrder(sql, { userId: null, productId });
  await expectTrue('week', new Date(Date.now() + 1000));
});

test('a refund that fails is no longer among the refunds of its day', async () => {
  const [refund] = await sql<{ id: string; created_at: Date }[]>`
    select id, created_at from private.refunds where status = 'processed' and created_at < now() - interval '3 days'
    order by created_at desc limit 1`;
  const at = new Date((refund?.created_at.getTime() ?? 0) + 2 * 86_400_000);
  await expectTrue('month', at);
  await sql`update private.refunds set status = 'failed', processed_at = null where id = ${refund?.id ?? ''}`;
  await expectTrue('month', at);
});

test('figures calculated while an old order is being cancelled are not cached wrong', async () => {
  const [order] = await sql<{ id: string; created_at: Date }[]>`
    select id, created_at from public.orders where status in ('Pending', 'Confirmed', 'Preparing')
    and created_at < now() - interval '1 day' order by created_at limit 1`;
  if (!order) throw new Error('the seed has no open order of an earlier day');
  const at = new Date();
  await sql`select private.invalidate_sales(${order.created_at})`;
  let reading: Promise<Dashboard> | undefined;
  await sql.begin(async (tx) => {
    await tx`update public.orders set status = 'canceled' where id = ${order.id}`;
    reading = read('month', at);
    await new Promise((done) => setTimeout(done, 150));
  });
  await reading;
  await expectTrue('month', at);
});

test('the worker has calculated the figures before the dashboard is opened', async () => {
  await sql`delete from private.sales_steps`;
  await sql`delete from private.profit_days`;
  let months = 0;
  for (; (await sql`select public.refresh_figures() as more`)[0]?.more; months += 1) expect(months).toBeLessThan(30);
  expect(months).toBeGreaterThan(12);
  const [kept] = await sql`
    select (select count(*) from private.sales_steps where step = 'day')::int as days,
           (select count(*) from private.sales_steps where step = 'month')::int as months`;
  expect(kept?.days).toBeGreaterThan(365);
  expect(kept?.months).toBeGreaterThan(0);
  await expectTrue('year', new Date());
});

test('the to-do list counts open tasks', async () => {
  const productId = await insertProduct(sql, { stock: 100 });
  const tagged = await insertProduct(sql);
  await sql`update public."Products" set offer_percent = null, regular_price = null where "Id" = ${tagged}`;
  for (const payment of ['paid_offline', 'partially_refunded', 'refunded', 'unpaid']) {
    const { id } = await insertPaidOrder(sql, { userId: null, productId, paid: false, status: 'canceled' });
    await sql`update public.orders set payment_status = ${payment} where id = ${id}`;
  }
  const [row] = await as(
    sql,
    owner,
    (tx) => tx<{ todo: Record<string, number> }[]>`select public.admin_read_todo() as todo`,
  );
  const [counted] = await sql`
    select (select count(*) from public.orders where status = 'Pending')::int as unconfirmed,
           (select count(*) from public.orders where payment_status = 'refund_failed'
              or status = 'canceled' and payment_status in ('paid_offline', 'partially_refunded'))::int as to_give_back,
           (select count(*) from public.stock_levels s join public."Products" p on p."Id" = s.product_id
             where p.is_listed and s.on_hand > 0 and s.on_hand - s.reserved <= s.low_at)::int as low_stock,
           (select count(distinct n.product_id) from public.notify_subscriptions n
             join public.stock_levels s using (product_id) where s.on_hand = 0)::int as waited_for`;
  expect(row?.todo).toMatchObject(counted ?? {});
  // As many as the list of products shows: the tile leads there.
  const filter = sql.json({ state: 'offer_unbacked' });
  const listed = await as(
    sql,
    owner,
    (tx) => tx`select public.admin_list_products(${filter}, page_size => 100) as list`,
  );
  expect(listed[0]?.list.rows.map(({ id }: { id: number }) => id)).toContain(tagged);
  expect(row?.todo.unbacked_offers).toBe(listed[0]?.list.count);
});

test('the kitchen sheet totals the products of open orders', async () => {
  type Sheet = {
    orders: number;
    sweets: { product_id: number; grams: number; pieces: number; half_kilos: number; kilos: number }[];
  };
  const [row] = await as(sql, owner, (tx) => tx<{ sheet: Sheet }[]>`select public.admin_read_kitchen() as sheet`);
  const items = await sql<{ product_id: number; size: number; quantity: number; has_size: boolean }[]>`
    select i.product_id::int, i.size, i.quantity, i.has_size from public.order_items i join public.orders o on o.id = i.order_id
    where o.status in ('Pending', 'Confirmed', 'Preparing')
      and (o.pack_on is null or o.pack_on <= (now() at time zone 'Asia/Kolkata')::date)`;
  expect(items.length).toBeGreaterThan(0);
  for (const sweet of row?.sheet.sweets ?? []) {
    const own = items.filter(({ product_id }) => product_id === sweet.product_id);
    const sum = (chosen: typeof own, of: (item: (typeof own)[0]) => number) =>
      chosen.reduce((all, item) => all + of(item), 0);
    expect(sweet.grams).toBe(
      sum(
        own.filter(({ has_size }) => has_size),
        ({ size, quantity }) => size * quantity,
      ),
    );
    expect(sweet.pieces).toBe(
      sum(
        own.filter(({ has_size }) => !has_size),
        ({ quantity }) => quantity,
      ),
    );
    expect(sweet.half_kilos * 500 + sweet.kilos * 1000).toBe(sweet.grams);
  }
  expect(new Set(row?.sheet.sweets.map(({ product_id }) => product_id))).toEqual(
    new Set(items.map(({ product_id }) => product_id)),
  );
});
