import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertProduct, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import { openConsole } from './order-console.ts';

let database: TestDatabase;
let till: Till;
let besan: number;
let motichoor: number;
let jalebi: number;

// A Monday in India, at nine; in a future year, because old orders cause no emails.
const monday = '2054-11-16T03:30:00Z';

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  const { sql } = database;
  till = openTill(database.connection, sql);
  await insertZone(sql, { prefixes: ['400'], firstKg: 40, extraKg: 15, maxDays: 1 });
  await insertZone(sql, { prefixes: ['11'], firstKg: 100, extraKg: 45, maxDays: 5 });
  const sweet = async (name: string, days: number | null, category = 'Laddu') => {
    const id = await insertProduct(sql, { name, hasSize: category === 'Laddu', stock: 20_000 });
    await sql`update public."Products" set shelf_life_days = ${days}, "Category" = ${category} where "Id" = ${id}`;
    return id;
  };
  besan = await sweet('Besan Laddu', 15);
  motichoor = await sweet('Motichoor Laddu', 4);
  jalebi = await sweet('Hot Jalebi', 1, 'Takeaway');
});
beforeEach(async () => {
  till.clock.at = Date.parse(monday);
  await database.sql`delete from public.closures`;
  await database.sql`delete from private.rate_limits`;
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

const close = (from: string, to = from, reason = 'Diwali') =>
  database.sql`insert into public.closures (starts_on, ends_on, reason) values (${from}, ${to}, ${reason})`;
const of = (productId: number, quantity = 1, size: 500 | 1000 = 500) => ({ productId, quantity, size });

describe('what a visitor reads about a pincode', () => {
  async function told(pincode: string | null, ids: number[] = [], { grams = 500, at = monday } = {}) {
    const [row] = await database.sql`
      select private.check_delivery_at(${pincode}, ${ids}::bigint[], ${grams}, ${at}::timestamptz) as answer`;
    return row?.answer as Record<string, unknown>;
  }

  test('the day, the charge by zone and weight, the charge of a cart, and until when that holds', async () => {
    expect(await told('400028', [besan], { grams: 2500 })).toMatchObject({
      ok: true,
      today: '2054-11-16',
      leaves_on: '2054-11-16',
      arrives_on: '2054-11-17',
      charge_paise: 7000,
      cart_charge_paise: 4000,
      closed: null,
      collect_from: '2054-11-16',
      spoiled: [],
    });
    const { order_before } = await told('400028');
    expect(new Date(String(order_before)).toISOString()).toBe('2054-11-16T08:30:00.000Z');
  });

  test('the same that an order of that moment costs and is promised', async () => {
    const customer = await till.customer('110001');
    const { body } = await till.quote(customer, [of(besan, 3, 1000)], { pincode: '110001' });
    const { charge_paise, arrives_on } = await told('110001', [besan], { grams: 3000 });
    expect([charge_paise, arrives_on]).toEqual([Number(body.shipping_rate) * 100, body.delivery_by]);
  });

  test('sweets that would not survive, and no others', async () => {
    expect((await told('110001', [besan, motichoor, jalebi])).spoiled).toEqual([
      {
        product_id: motichoor,
        product: 'Motichoor Laddu',
        shelf_life_days: 4,
        travel_days: 5,
        can_be_collected: false,
      },
      { product_id: jalebi, product: 'Hot Jalebi', shelf_life_days: 1, travel_days: 5, can_be_collected: true },
    ]);
    expect((await told('400028', [besan, motichoor])).spoiled).toEqual([]);
  });

  test('what can be sent instead: of the same kind first, available, and never takeaway', async () => {
    const { sql } = database;
    const sweet = async (name: string, category: string, days: number, rating: number, stock = 10) => {
      const id = await insertProduct(sql, { name, stock });
      await sql`update public."Products" set shelf_life_days = ${days}, "Category" = ${category}, "Rating" = ${rating} where "Id" = ${id}`;
      return id;
    };
    const ids = [
      await sweet('Asked Halwa', 'Halwa', 2, 5),
      await sweet('Plain Halwa', 'Halwa', 30, 3),
      await sweet('Loved Halwa', 'Halwa', 30, 5),
      await sweet('Fresh Halwa', 'Halwa', 3, 5),
      await sweet('Sold-out Halwa', 'Halwa', 30, 5, 0),
      await sweet('Long Samosa', 'Takeaway', 90, 5),
      await sweet('Loved Bark', 'Chocolate', 90, 5),
    ];
    const instead = async (asked: number[], pincode = '110001') =>
      ((await told(pincode, asked)).instead as { product: string }[]).map(({ product }) => product);
    expect(await instead([ids[0] as number])).toEqual(['Loved Halwa', 'Plain Halwa', 'Loved Bark']);
    // It reaches Mumbai; and cards of a page only want to know whether.
    expect(await instead([ids[0] as number], '400028')).toEqual([]);
    expect(await instead([ids[0] as number, motichoor])).toEqual([]);
    await sql`update public."Products" set archived_at = now() where "Id" = any (${ids}::bigint[])`;
  });

  test('all cards of a page in one request', async () => {
    const missing = Array.from({ length: 298 }, (_, index) => 1_000_000 + index);
    const names = async (ids: number[]) =>
      ((await told('110001', ids)).spoiled as { product: string }[]).map(({ product }) => product);
    expect(await names([...missing, besan, motichoor])).toEqual(['Motichoor Laddu']);
    expect(await names([...missing, besan, besan, motichoor])).toEqual([]);
  });

  test('a closure moves the day, and is named while it lasts', async () => {
    await close('2054-11-16', '2054-11-18');
    expect(await told('400028')).toMatchObject({
      arrives_on: '2054-11-20',
      closed: { from: '2054-11-16', until: '2054-11-18', reason: 'Diwali' },
      collect_from: '2054-11-19',
    });
  });

  test('and before it begins, as soon as it moves the day', async () => {
    await close('2054-11-17', '2054-11-18');
    expect(await told('400028')).toMatchObject({
      arrives_on: '2054-11-19',
      closed: { from: '2054-11-17', until: '2054-11-18', reason: 'Diwali' },
    });
    await database.sql`delete from public.closures`;
    // Neither a Sunday, on which nothing moves anyway, nor what comes after the arrival.
    await close('2054-11-22');
    await close('2054-11-24', '2054-11-25');
    expect(await told('110001', [], { at: '2054-11-17T03:30:00Z' })).toMatchObject({
      arrives_on: '2054-11-23',
      closed: null,
    });
  });

  test('nothing of sweets that are not on the shelf', async () => {
    const hidden = await insertProduct(database.sql, { name: 'Secret Sweet', listed: false });
    await database.sql`update public."Products" set shelf_life_days = 1 where "Id" = ${hidden}`;
    expect((await told('110001', [hidden, 999_999])).spoiled).toEqual([]);
  });

  test.each([
    ['799001', 'outside-zones'],
    ['', 'not-a-pincode'],
    [null, 'not-a-pincode'],
    ['040028', 'not-a-pincode'],
    ['४०००२८', 'not-a-pincode'],
    ['4'.repeat(10_000), 'not-a-pincode'],
    ["400028' or true --", 'not-a-pincode'],
  ])('why not: %s', async (pincode, reason) => {
    expect(await told(pincode)).toEqual({ ok: false, reason });
  });

  test('that the shop is closed for longer than can be promised', async () => {
    await close('2054-11-01', '2055-10-31');
    await close('2055-11-01', '2056-10-31');
    expect(await told('400028')).toEqual({ ok: false, reason: 'closed' });
  });

  test('from visitors and customers alike', async () => {
    for (const caller of ['anon', { userId: await till.customer() }] as const) {
      const answer = await as(
        database.sql,
        caller,
        async (tx) => (await tx`select public.check_delivery('400028') as told`)[0],
      );
      expect(answer?.told.ok).toBe(true);
    }
  });
});

describe('a quote', () => {
  test('refuses what would not arrive fresh, by name and with the reason', async () => {
    const customer = await till.customer('110001');
    for (const source of ['cart', 'direct']) {
      const { status, body } = await till.quote(customer, [of(besan), of(motichoor)], { pincode: '110001', source });
      expect([status, body.error]).toEqual([
        409,
        {
          code: 'would-spoil',
          message: 'Motichoor Laddu can’t reach 110001 fresh (5 days in transit, stays fresh for 4).',
          lines: [
            { product_id: motichoor, message: 'Can’t reach 110001 fresh (5 days in transit, stays fresh for 4).' },
          ],
        },
      ]);
    }
    expect((await till.quote(customer, [of(besan)], { pincode: '110001' })).status).toBe(200);
  });

  test('of the same sweet to the city is fine, over a Sunday too, but not over a long closure', async () => {
    const customer = await till.customer();
    till.clock.at = Date.parse('2054-11-14T03:30:00Z');
    expect((await till.quote(customer, [of(motichoor)])).body).toMatchObject({ delivery_by: '2054-11-16' });
    await close('2054-11-16', '2054-11-17');
    expect((await till.quote(customer, [of(motichoor)])).body.error?.code).toBe('would-spoil');
  });

  test('never refuses what is picked up, and says when the counter is open', async () => {
    const customer = await till.customer();
    const { body } = await till.quote(customer, [of(jalebi)]);
    expect(body.error?.message).toMatch(/You can pick it up at our counter\.$/);
    expect((await till.quote(customer, [of(jalebi)], { fulfilment: 'pickup' })).body).toMatchObject({
      delivery_by: null,
      collect_from: '2054-11-16',
    });
    await close('2054-11-16', '2054-11-17');
    expect((await till.quote(customer, [of(jalebi)], { fulfilment: 'pickup' })).body).toMatchObject({
      collect_from: '2054-11-18',
    });
  });

  test('is refused when no day can be promised, delivered or picked up', async () => {
    await close('2054-11-01', '2055-10-31');
    await close('2055-11-01', '2056-10-31');
    const customer = await till.customer();
    for (const fulfilment of ['delivery', 'pickup'])
      expect((await till.quote(customer, [of(jalebi)], { fulfilment })).body.error?.code).toBe('closed');
  });
});

describe('when the checkout opens', () => {
  const opened = async (customer: string, minutes: number, between: () => Promise<unknown>) => {
    const { body } = await till.quote(customer, [of(motichoor)]);
    till.later(minutes);
    await between();
    const { total, quote_id } = body as unknown as { total: number; quote_id: string };
    return [await till.create(customer, total, quote_id), await till.create(customer, total)].map(
      (answer) => answer.body.error?.code ?? answer.status,
    );
  };

  test('a quote keeps its day past the cut-off', async () => {
    till.clock.at = Date.parse('2054-11-16T08:25:00Z');
    expect(await opened(await till.customer(), 10, async () => {})).toEqual([201, 201]);
  });

  test('but not past a closure, in which it may spoil: a new quote is needed', async () => {
    expect(await opened(await till.customer(), 5, () => close('2054-11-17', '2054-11-19'))).toEqual([
      'quote-expired',
      'quote-expired',
    ]);
  });

  test('nor past a shorter shelf life', async () => {
    const { sql } = database;
    const keeps = (days: number) =>
      sql`update public."Products" set shelf_life_days = ${days} where "Id" = ${motichoor}`;
    const outcome = await opened(await till.customer(), 5, () => keeps(1));
    await keeps(4);
    expect(outcome).toEqual(['quote-expired', 'quote-expired']);
  });

  test('nor past the end of its zone', async () => {
    const { sql } = database;
    const outcome = await opened(
      await till.customer(),
      5,
      () => sql`update public.delivery_zones set is_published = false`,
    );
    await sql`update public.delivery_zones set is_published = true`;
    expect(outcome).toEqual(['quote-expired', 'quote-expired']);
  });

  test('a closure after the day of arrival changes nothing', async () => {
    expect(await opened(await till.customer(), 5, () => close('2054-11-18', '2054-11-25'))).toEqual([201, 201]);
  });
});

test('the day is the same in the quote, the order, the order history and the mail', async () => {
  const customer = await till.customer();
  await close('2054-11-17');
  const { body } = await till.quote(customer, [of(besan)]);
  expect(body.delivery_by).toBe('2054-11-18');
  const { orderId } = await till.checkout(customer, [of(besan)]);
  await till.place(customer, await till.pay(orderId));
  const [order] =
    await database.sql`select id, delivery_by::text as day from public.orders where user_id = ${customer}`;
  const [shown] =
    await database.sql`select delivery_by::text as day from public.order_details_view where order_id = ${order?.id}`;
  expect([order?.day, shown?.day]).toEqual(['2054-11-18', '2054-11-18']);
  await till.work();
  expect(till.mails.map(({ text }) => text).join('\n')).toMatch(/Expected by: 18 Nov 2054/);
});

test.each<[string, number, string, () => Promise<unknown>]>([
  ['at once', 1, '2054-11-17', async () => {}],
  ['after the cut-off of the same day', 10 * 60, '2054-11-17', async () => {}],
  ['a day later', 24 * 60, '2054-11-18', async () => {}],
  ['four days later', 4 * 24 * 60, '2054-11-21', async () => {}],
  ['in a closure that began in between', 24 * 60, '2054-11-20', () => close('2054-11-17', '2054-11-18')],
  ['on the same day, when we close tomorrow', 60, '2054-11-18', () => close('2054-11-17')],
  [
    'when its zone is gone',
    24 * 60,
    '2054-11-18',
    () => database.sql`update public.delivery_zones set is_published = false`,
  ],
])(
  'what is paid %s is promised a day that can be kept, in the order and in the mail',
  async (_when, minutes, day, between) => {
    const customer = await till.customer();
    const { orderId } = await till.checkout(customer, [of(besan)]);
    till.later(minutes);
    await between();
    expect((await till.place(customer, await till.pay(orderId))).status).toBe(201);
    await database.sql`update public.delivery_zones set is_published = true`;
    const [order] = await database.sql`select delivery_by::text as day from public.orders where user_id = ${customer}`;
    expect(order?.day).toBe(day);
    till.mails.length = 0;
    await till.work();
    expect(till.mails.map(({ text }) => text).join('\n')).toContain(`Expected by: ${Number(day.slice(8))} Nov 2054`);
  },
);

test('an administrator who takes an order by phone sees what would not arrive fresh, and can still take it', async () => {
  const asha = await openConsole(database.sql);
  const lines = JSON.stringify([{ product_id: motichoor, size: 500, quantity: 1 }]);
  const priced = await asha.ask<{ problem: unknown; delivery_by: string; total_paise: number; spoiled: unknown[] }>(
    'admin_price_order',
    { lines: JSON.parse(lines), fulfilment: 'delivery', pincode: '110001' },
  );
  expect(priced.problem).toBeNull();
  expect(priced.spoiled).toMatchObject([{ product: 'Motichoor Laddu', shelf_life_days: 4 }]);
  const delivery = {
    name: 'Kamla',
    phone: '9820012345',
    building_no: '1',
    street: 'Ring Road',
    city: 'Delhi',
    state: 'Delhi',
    zip: '110001',
  };
  const taken = await asha.ask<{ id: string; is_new: boolean }>('admin_create_phone_order', {
    order_id: crypto.randomUUID(),
    lines: JSON.parse(lines),
    fulfilment: 'delivery',
    delivery,
    total_paise: priced.total_paise,
  });
  expect(taken.is_new).toBe(true);
  const [order] = await database.sql`select delivery_by::text as day from public.orders where id = ${taken.id}`;
  expect(order?.day).toBe(priced.delivery_by);
  // Another address: promised from now on, and emailed again.
  const near = await asha.act<{ delivery_by: string; spoiled: unknown[] }>('admin_change_address', taken.id, {
    delivery: { ...delivery, zip: '400028' },
  });
  expect(near.spoiled).toEqual([]);
  expect(near.delivery_by < priced.delivery_by).toBe(true);
  const far = await asha.act<{ spoiled: unknown[] }>('admin_change_address', taken.id, { delivery });
  expect(far.spoiled).toMatchObject([{ product: 'Motichoor Laddu' }]);
  // No day can be promised: the order keeps its address and its day.
  const today = new Date().toISOString().slice(0, 10);
  await database.sql`insert into public.closures (starts_on, ends_on, reason)
    select ${today}::date + n, ${today}::date + n + 360, 'Rebuilding' from unnest(array[-1, 359]) n`;
  await expect(
    asha.act('admin_change_address', taken.id, { delivery: { ...delivery, zip: '400028' } }),
  ).rejects.toMatchObject({ message: expect.stringMatching(/closed for too long to promise a date/) });
  const [kept] =
    await database.sql`select delivery_by::text as day, delivery_zip as zip from public.orders where id = ${taken.id}`;
  expect(kept).toEqual({ day: priced.delivery_by, zip: '110001' });
});
