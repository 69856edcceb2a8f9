import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Statement, statementsFromBooks } from '../../tests/support/books.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, type Queries } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
let owner: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'), 'demo');
  sql = database.sql;
  const [row] = await sql<{ id: string }[]>`select user_id as id from private.administrators limit 1`;
  owner = { userId: row?.id ?? '' };
});
afterAll(() => database.drop());

type Figures = Record<string, number> & { expenses: Record<string, number> };

async function profitOf(month: string): Promise<Figures> {
  const [row] = await sql`select to_jsonb(f) as figures
    from private.profit_and_loss(${`${month}-01`}::date, (${`${month}-01`}::date + interval '1 month')::date - 1) f`;
  return row?.figures;
}

function asStatement(figures: Figures): Statement {
  const paise = (name: string) => figures[`${name}_paise`] ?? Number.NaN;
  return {
    orders: figures.orders as number,
    goods: paise('goods'),
    discount: paise('discount'),
    canceled: paise('canceled'),
    refunded: paise('refunded'),
    cost: paise('cost'),
    unknownCostLines: figures.unknown_cost_lines as number,
    unknownCostGoods: paise('unknown_cost_goods'),
    fee: paise('fee'),
    feeTax: paise('fee_tax'),
    unknownFees: figures.unknown_fee_payments as number,
    shipping: paise('shipping'),
    shippingTax: paise('shipping_tax'),
    courier: paise('courier'),
    wastage: paise('wastage'),
    unknownWastage: figures.unknown_wastage_moves as number,
    expenses: figures.expenses,
    profit: paise('profit'),
  };
}

async function expectBooksToAgree() {
  const fromBooks = await statementsFromBooks(sql);
  const fromShop = new Map<string, Statement>();
  for (const month of fromBooks.keys()) fromShop.set(month, asStatement(await profitOf(month)));
  expect(Object.fromEntries(fromShop)).toEqual(Object.fromEntries(fromBooks));
  return fromBooks;
}

const keptDays = async () => Number((await sql`select count(*) from private.profit_days`)[0]?.count);
const monthsAgo = (count: number) =>
  sql<{ at: Date; month: string }[]>`
    select (date_trunc('month', now() at time zone 'Asia/Kolkata') - make_interval(months => ${count}) + interval '9 days 12 hours')
             at time zone 'Asia/Kolkata' as at,
           to_char(date_trunc('month', now() at time zone 'Asia/Kolkata') - make_interval(months => ${count}), 'YYYY-MM') as month`;

describe('every line of every month', () => {
  test('is what the books say, calculated fresh and from cached figures', async () => {
    expect(await keptDays()).toBe(0);
    const months = await expectBooksToAgree();
    expect(months.size).toBeGreaterThan(11);
    expect(await keptDays()).toBeGreaterThan(300);
    await expectBooksToAgree();
    // The seed has something of everything.
    const all = [...months.values()];
    for (const line of ['goods', 'canceled', 'refunded', 'cost', 'fee', 'shipping', 'courier', 'wastage'] as const)
      expect(all.some((month) => month[line] > 0)).toBe(true);
  });

  test('adds up over the year', async () => {
    const [row] = await sql`select to_jsonb(f) as year from private.profit_and_loss('2000-01-01', '2100-01-01') f`;
    const months = [...(await statementsFromBooks(sql)).values()];
    const sum = (line: 'goods' | 'discount' | 'cost' | 'profit' | 'shipping') =>
      months.reduce((total, month) => total + month[line], 0);
    expect(row?.year).toMatchObject({
      goods_paise: sum('goods'),
      discount_paise: sum('discount'),
      cost_paise: sum('cost'),
      shipping_paise: sum('shipping'),
      profit_paise: sum('profit'),
    });
    expect(row?.year.net_sales_paise).toBe(
      row?.year.goods_paise - row?.year.discount_paise - row?.year.canceled_paise - row?.year.refunded_paise,
    );
    expect(row?.year.gross_profit_paise).toBe(row?.year.net_sales_paise - row?.year.cost_paise);
  });
});

/** Each changes what a month said that was over and kept. */
const changes: [what: string, change: (at: Date) => Promise<unknown>][] = [
  [
    'an order of an old day is entered',
    async (at) => {
      const [product] = await sql`select "Id" as id from public."Products" where "hasSize" and isavailable limit 1`;
      await sql.begin(async (tx) => {
        const [order] = await tx`
          insert into public.orders (source, fulfilment, sub_total, tax, shipping_charge, total_amount, delivery_name, delivery_phone,
                                     created_at, payment_status)
          values ('manual', 'pickup', 200, 10, 0, 210, 'Old Caller', '9000000001', ${at}, 'paid_offline') returning id`;
        await tx`insert into public.order_items (order_id, product_id, product_name, quantity, size, unit_price, gst_percent, hsn, has_size)
          values (${order?.id}, ${product?.id}, 'Old', 1, 1000, 100, 5, '2106', true)`;
        await tx`insert into public.stock_movements (product_id, quantity, reason, order_id) values (${product?.id}, -1000, 'sale', ${order?.id})`;
      });
    },
  ],
  [
    'an old order was refunded whole on an old day',
    (at) =>
      sql.begin(async (tx) => {
        const [order] = await tx`select id from public.orders where status = 'Delivered' and payment_status = 'paid'
          and created_at < ${at} order by created_at desc limit 1`;
        await tx`select set_config('shop.event_at', ${at.toISOString()}, true)`;
        await tx`update public.orders set status = 'Refunded' where id = ${order?.id}`;
      }),
  ],
  [
    'an old order is refunded in part, twice',
    async (at) => {
      const [payment] = await sql`select p.payment_id, p.order_id, p.amount_paise from private.payments p
        join public.orders o on o.id = p.order_id
        where p.captured_at < ${at} and o.payment_status = 'paid' and o.status = 'Delivered' order by p.captured_at desc limit 1`;
      for (const share of [3, 2])
        await sql`insert into private.refunds (payment_id, order_id, amount_paise, reason, created_at)
          values (${payment?.payment_id}, ${payment?.order_id}, ${Math.floor(payment?.amount_paise / share)}, 'late', ${at})`;
    },
  ],
  [
    'an old refund failed after all',
    () =>
      sql`update private.refunds set status = 'failed' where reason = 'late' and amount_paise = (select min(amount_paise) from private.refunds where reason = 'late')`,
  ],
  [
    'the fee of an old payment is not known any more',
    (at) => sql`update private.payments set fee_paise = null where payment_id = (
      select payment_id from private.payments where captured_at < ${at} order by captured_at desc limit 1)`,
  ],
  [
    'an old payment that never became an order turns up',
    (
      at,
    ) => sql`insert into private.payments (payment_id, provider_order_id, amount_paise, fee_paise, status, captured_at)
      values ('pay_lost', 'order_lost', 50000, 1180, 'refunded', ${at})`,
  ],
  [
    'waste of an old day is entered',
    (at) => sql`insert into public.stock_movements (product_id, quantity, reason, created_at)
      select product_id, -1, 'wastage', ${at} from public.stock_levels where on_hand > reserved + 10 order by product_id limit 3`,
  ],
  [
    'a cost turns out to have been another',
    (at) => sql`insert into private.product_costs (product_id, valid_from, unit_cost)
      select distinct product_id, ${at}::timestamptz - interval '100 days', 77.77 from public.stock_movements where reason = 'wastage'`,
  ],
  [
    'a cost is forgotten',
    () =>
      sql`delete from private.product_costs where product_id in (select min(product_id) from public.stock_movements where reason = 'wastage')`,
  ],
  [
    'what was sold long ago turns out to have cost something else',
    (at) => sql`update private.placed_items set unit_cost = case when order_item_id % 2 = 0 then 55 end
      where order_id in (select id from public.orders where created_at < ${at} order by created_at desc limit 4)`,
  ],
];

describe('a month that is over and kept', () => {
  test.each(changes)('changes when %s', async (_what, change) => {
    await expectBooksToAgree();
    const before = JSON.stringify([...(await statementsFromBooks(sql))]);
    const [then] = await monthsAgo(2);
    await change(then?.at as Date);
    const after = await expectBooksToAgree();
    expect(JSON.stringify([...after])).not.toBe(before);
  });

  test('belongs to the day in India', async () => {
    const feesOf = async () =>
      (
        await sql<
          { fee: number }[]
        >`select fee_paise::int as fee from private.day_figures('2026-03-31', '2026-04-01') order by day`
      ).map(({ fee }) => fee);
    const [march = 0, april = 0] = await feesOf();
    await sql`insert into private.payments (payment_id, provider_order_id, amount_paise, fee_paise, status, captured_at) values
      ('pay_march', 'order_midnight', 50000, 3, 'captured', '2026-03-31T18:29:59Z'),
      ('pay_april', 'order_midnight', 50000, 4, 'captured', '2026-03-31T18:30:00Z')`;
    expect(await feesOf()).toEqual([march + 3, april + 4]);
  });

  test.each<[string, (tx: Queries, at: Date) => Promise<unknown>]>([
    [
      'payment',
      (
        tx,
        at,
      ) => tx`insert into private.payments (payment_id, provider_order_id, amount_paise, fee_paise, status, captured_at)
        values ('pay_under_way', 'order_x', 50000, 4321, 'captured', ${at})`,
    ],
    [
      'refund',
      (tx, at) => tx`insert into private.refunds (payment_id, order_id, amount_paise, reason, created_at)
        select p.payment_id, p.order_id, 4321, 'under way', ${at} from private.payments p join public.orders o on o.id = p.order_id
        where p.captured_at < ${at} and o.status = 'Delivered' and o.payment_status = 'paid' order by p.captured_at limit 1`,
    ],
  ])('is not kept while a %s of it is under way', async (_what, write) => {
    const [then] = await monthsAgo(3);
    const month = then?.month ?? '';
    const before = await profitOf(month);
    await sql`delete from private.profit_days`;
    await sql.begin(async (tx) => {
      await write(tx, then?.at as Date);
      // A reader in between must not cache figures without rows it cannot see yet.
      expect(await profitOf(month)).toEqual(before);
    });
    expect((await profitOf(month)).profit_paise).toBeLessThan(before.profit_paise as number);
  });
});

describe('the part of today that is over and kept', () => {
  const enter = (at: Date, mark: string) => sql`
    insert into private.payments (payment_id, provider_order_id, amount_paise, fee_paise, status, captured_at)
    values (${`pay_${mark}`}, ${`order_${mark}`}, 50000, 1180, 'captured', ${at})`;
  const partsKept = async () =>
    (await sql<{ until: Date }[]>`select until from private.profit_days where until is not null`).map(
      (row) => row.until,
    );
  const hourOver = async () =>
    (await sql<{ at: Date }[]>`select private.stored_until('hour', now()) as at`)[0]?.at as Date;

  test('equals the books together with the rest of the day', async () => {
    const hour = await hourOver();
    await enter(new Date(hour.getTime() - 60_000), 'before_the_hour');
    await expectBooksToAgree();
    expect(await partsKept()).toHaveLength(1);
    await enter(new Date(hour.getTime() + 60_000), 'after_the_hour');
    await expectBooksToAgree();
  });

  test('is calculated again when something is entered late', async () => {
    await expectBooksToAgree();
    const hour = await hourOver();
    await enter(new Date(hour.getTime() - 1), 'late');
    await expectBooksToAgree();
  });

  test('is replaced by the next hour, and by the whole day', async () => {
    await expectBooksToAgree();
    await sql`update private.profit_days set until = until - interval '1 hour', fee_paise = -1 where until is not null`;
    await sql`update private.profit_days set until = private.start_of(day), fee_paise = -1
      where day = (select max(day) from private.profit_days where until is null)`;
    await expectBooksToAgree();
    expect(await partsKept()).toHaveLength(1);
  });

  test.each([1, 9, 13, 20])('and the rest make the whole of any day: cut after %i hours', async (hours) => {
    // One order refunded twice on the same day: the second depends on the first.
    await sql`insert into private.refunds (payment_id, order_id, amount_paise, reason, created_at)
      select p.payment_id, p.order_id, 100, 'twice a day', private.start_of(private.day_of(p.captured_at) + 5) + make_interval(hours => h)
      from (select p.* from private.payments p join public.orders o on o.id = p.order_id
            where o.status = 'Delivered' and o.payment_status = 'paid' and p.captured_at < now() - interval '30 days'
            order by p.captured_at limit 3) p
      cross join unnest(array[8, 12, 18]) h`;
    const cut = await sql<{ day: Date }[]>`
      with days as (
        select day, private.start_of(day) + make_interval(hours => ${hours}) as at
        from (
          select private.day_of(r.created_at) as day from private.refunds r
          union
          select private.day_of(e.created_at) from public.order_events e where e.to_status in ('canceled', 'Refunded')
          limit 40) d
      ), figures as (
        select d.day, w.key, w.value::bigint as whole, a.value::bigint + b.value::bigint as parts
        from days d
        cross join lateral private.day_figures(d.day, d.day) f
        cross join lateral private.day_figures(d.day, d.day, to_time => d.at) x
        cross join lateral private.day_figures(d.day, d.day, from_time => d.at) y
        cross join lateral jsonb_each_text(to_jsonb(f) - 'day' - 'until') w
        join lateral jsonb_each_text(to_jsonb(x)) a on a.key = w.key
        join lateral jsonb_each_text(to_jsonb(y)) b on b.key = w.key
      )
      select day from figures where whole <> parts`;
    expect(cut).toEqual([]);
  });
});

test('the year as the console shows it has its months, their sum and the day', async () => {
  const [{ year } = { year: 0 }] = await sql<
    { year: number }[]
  >`select private.first_financial_year(private.day_of(now()))::int as year`;
  const years = await Promise.all(
    [year, year + 1].map((one) => as(sql, owner, (tx) => tx`select public.admin_read_profit(${one}) as answer`)),
  );
  const answers = years.map(([row]) => row?.answer);
  expect(answers[0].first_year).toBe(year);
  type Month = { month: string; figures: Figures; bill_tax_paise: number };
  const months = answers.flatMap(({ months: those }) => those as Month[]);
  const billed = await sql<{ month: string; paise: number }[]>`
    select to_char(billed_on, 'YYYY-MM') as month, (sum(gst) * 100)::int as paise
    from public.vendor_bills where canceled_at is null group by 1`;
  const billTax = new Map(billed.map(({ month, paise }) => [month, paise]));
  expect(months.some(({ bill_tax_paise }) => bill_tax_paise > 0)).toBe(true);
  for (const { month, bill_tax_paise } of months)
    expect([month, bill_tax_paise]).toEqual([month, billTax.get(month.slice(0, 7)) ?? 0]);
  const fromBooks = await statementsFromBooks(sql);
  for (const { month, figures } of months)
    expect([month, figures.profit_paise]).toEqual([month, fromBooks.get(month.slice(0, 7))?.profit ?? 0]);
  for (const answer of answers) {
    const sum = answer.months.reduce(
      (total: number, { figures }: { figures: Figures }) => total + (figures.profit_paise as number),
      0,
    );
    expect(answer.total.profit_paise).toBe(sum);
  }
});
