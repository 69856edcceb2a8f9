import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { type Cutoff, deliveryDays } from '../../domain/delivery/delivery-day.ts';
import { dayAfter, survives, type WorkingDays } from '../../domain/delivery/promise.ts';
import { calendarDay } from '../../domain/time.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { fuzzSeed } from '../../tests/support/properties.ts';
import { insertProduct, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';

let database: TestDatabase;
let till: Till;
let customer: string;
let laddu: number;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  till = openTill(database.connection, database.sql);
  await insertZone(database.sql, { prefixes: ['400'], maxDays: 2 });
  await insertZone(database.sql, { prefixes: ['7'], maxDays: 7 });
  customer = await till.customer();
  laddu = await insertProduct(database.sql, { name: 'Besan Laddu', price: 249.5, hasSize: true, stock: 50_000 });
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

const usual: WorkingDays = { cutoff: '14:00', weeklyOff: [0], closures: [] };
type Settings = WorkingDays & { cutoffs?: readonly Cutoff[] };

async function keep({ cutoff, weeklyOff, closures, cutoffs = [] }: Settings): Promise<void> {
  const { sql } = database;
  await sql`update public.shop_settings set cutoff_time = ${cutoff}, weekly_off = ${weeklyOff as number[]}::smallint[]`;
  await sql`delete from public.closures`;
  await sql`delete from private.festival_cutoffs`;
  for (const { startsOn, endsOn } of closures)
    await sql`insert into public.closures (starts_on, ends_on, reason) values (${startsOn}, ${endsOn}, 'Diwali')`;
  for (const { name, startsOn, endsOn, orderBy, isOfZone } of cutoffs)
    await sql`insert into private.festival_cutoffs (name, starts_on, ends_on, order_by, zone_id)
      values (${name}, ${startsOn}, ${endsOn}, ${orderBy},
              ${isOfZone ? sql`(select z.id from public.delivery_zones z where z.pincode_prefixes = '{400}')` : null})`;
}

/** 16 November 2037 is a Monday, and far ahead: events a day older than now() cause no emails. */
function turnTo(day: string, time = '09:00'): void {
  till.clock.at = Date.parse(`${day}T${time}+05:30`);
}
beforeEach(async () => {
  await keep(usual);
  await database.sql`update public."Products" set shelf_life_days = 30 where "Id" = ${laddu}`;
  await database.sql`update public.delivery_zones set min_days = 1, max_days = 2 where pincode_prefixes = '{400}'`;
  await database.sql`delete from private.rate_limits`;
  turnTo('2037-11-16');
});

const line = (quantity = 1) => [{ productId: laddu, quantity, size: 500 as const }];
const quoteFor = (delivery_on: string, pincode = '400001') => till.quote(customer, line(), { delivery_on, pincode });

const instant = fc.date({ min: new Date('2037-01-01'), max: new Date('2038-06-01'), noInvalidDate: true });
const span = (longest: number) =>
  fc
    .tuple(instant.map(calendarDay), fc.integer({ min: 0, max: longest }))
    .map(([startsOn, days]) => ({ startsOn, endsOn: dayAfter(startsOn, days) }));
const settings: fc.Arbitrary<Required<Settings>> = fc.record({
  cutoff: fc.constantFrom('00:00', '09:30', '14:00', '23:59'),
  weeklyOff: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 6 }),
  closures: fc.array(span(30), { maxLength: 8 }),
  cutoffs: fc.array(
    fc.tuple(span(40), fc.integer({ min: 0, max: 60 }), fc.boolean()).map(([days, ahead, isOfZone]) => ({
      ...days,
      name: 'Diwali',
      orderBy: dayAfter(days.startsOn, -ahead),
      isOfZone,
    })),
    { maxLength: 6 },
  ),
});

test('the rule and its SQL twin agree on made-up zones, closures, cut-offs and shelf lives', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      settings,
      fc.integer({ min: 0, max: 7 }),
      fc.array(instant, { minLength: 3, maxLength: 3 }),
      fc.option(fc.integer({ min: 1, max: 30 })),
      async (shop, workingDays, moments, shelfLife) => {
        const { sql } = database;
        await keep(shop);
        await sql`update public.delivery_zones set min_days = 0, max_days = ${workingDays} where pincode_prefixes = '{400}'`;
        // Nothing chosen keeps for ever.
        const sweets = shelfLife === null ? [] : [laddu];
        await sql`update public."Products" set shelf_life_days = ${shelfLife ?? 30} where "Id" = ${laddu}`;
        for (const at of moments) {
          const rows = await sql<{ day: string; pack_on: string | null; reason: string | null }[]>`
            select d.day::text, d.pack_on::text, d.reason
            from private.delivery_days(private.zone_of('400001'), ${at.toISOString()}::timestamptz) d order by d.day`;
          const days = deliveryDays(at, workingDays, shop, shop.cutoffs);
          expect([...rows]).toEqual(days.map(({ day, packOn, reason }) => ({ day, pack_on: packOn, reason })));
          const [row] = await sql<{ calendar: { days: { day: string; reason?: string; pack_on?: string }[] } }[]>`
            select private.delivery_calendar_at('400001', ${sweets}, ${at.toISOString()}::timestamptz) as calendar`;
          expect(row?.calendar.days.map(({ day, reason, pack_on }) => [day, reason ?? null, pack_on ?? null])).toEqual(
            days.map(({ day, packOn, reason }) => {
              const travel = packOn === null ? 0 : (Date.parse(day) - Date.parse(packOn)) / 86_400_000;
              const why = reason ?? (survives(shelfLife, travel) ? null : 'would-spoil');
              return [day, why, why === null ? packOn : null];
            }),
          );
        }
      },
    ),
    { seed: fuzzSeed, numRuns: process.env.SOAK ? 500 : 60 },
  );
});

describe('a quote for a chosen day', () => {
  test('freezes the day and the day on which it is packed, at the same price', async () => {
    const [chosen, earliest] = [await quoteFor('2037-12-10'), await till.quote(customer, line())];
    expect(chosen.body).toMatchObject({ delivery_by: '2037-12-10' });
    expect(earliest.body).toMatchObject({ delivery_by: '2037-11-18', total: chosen.body.total });
    const rows = await database.sql`
      select deliver_on::text, pack_on::text, delivery_by::text from private.quotes
      where id in (${String(chosen.body.quote_id)}, ${String(earliest.body.quote_id)}) order by delivery_by`;
    expect([...rows]).toEqual([
      { deliver_on: null, pack_on: null, delivery_by: '2037-11-18' },
      { deliver_on: '2037-12-10', pack_on: '2037-12-08', delivery_by: '2037-12-10' },
    ]);
  });

  test.each([
    ['2037-11-15', 'day-past', 'Sun, 15 Nov is over. Please choose a later delivery day.'],
    ['2037-11-17', 'day-too-soon', 'Tue, 17 Nov is too soon for your pincode.'],
    ['2037-11-22', 'day-off', 'We don’t deliver on Sun, 22 Nov: it’s our weekly day off.'],
    ['2037-11-24', 'day-closed', 'We don’t deliver on Tue, 24 Nov: Diwali.'],
    [
      '2037-12-24',
      'day-cutoff-passed',
      'Orders for Christmas closed on Sun, 15 Nov: Thu, 24 Dec can’t be chosen any more.',
    ],
    ['2038-01-16', 'day-too-far', 'You can choose a delivery day up to Fri, 15 Jan.'],
  ])('%s is refused: %s', async (day, code, message) => {
    await keep({
      ...usual,
      closures: [{ startsOn: '2037-11-24', endsOn: '2037-11-25' }],
      cutoffs: [
        { name: 'Christmas', startsOn: '2037-12-24', endsOn: '2037-12-26', orderBy: '2037-11-15', isOfZone: false },
      ],
    });
    const before = await database.sql`select count(*) from private.quotes`;
    const { status, body } = await quoteFor(day);
    expect([status, body.error]).toEqual([409, { code, message }]);
    expect(await database.sql`select count(*) from private.quotes`).toEqual(before);
  });

  test('is refused for sweets that would be on their way for too long, by name', async () => {
    await database.sql`update public."Products" set shelf_life_days = 4 where "Id" = ${laddu}`;
    // Packed on Saturday, two working days later it is Tuesday.
    const { body } = await quoteFor('2037-11-24');
    expect(body.error).toMatchObject({ code: 'would-spoil', lines: [{ product_id: laddu }] });
    // Packed on Tuesday for Thursday: as fresh as ever, weeks later, too.
    for (const day of ['2037-11-19', '2037-12-31']) expect((await quoteFor(day)).status).toBe(200);
  });

  test('can be for a day on which sweets arrive fresh though the earliest one would spoil them', async () => {
    await keep({ ...usual, closures: [{ startsOn: '2037-11-17', endsOn: '2037-11-19' }] });
    await database.sql`update public."Products" set shelf_life_days = 4 where "Id" = ${laddu}`;
    expect((await till.quote(customer, line())).body.error?.code).toBe('would-spoil');
    expect((await quoteFor('2037-11-25')).status).toBe(200);
  });

  test('is possible for the earliest day, which is the one promised without choosing', async () => {
    expect((await quoteFor('2037-11-18')).body).toMatchObject({ delivery_by: '2037-11-18' });
  });

  test('is for a delivery: pick-ups have no delivery day', async () => {
    const { status, body } = await till.quote(customer, line(), { fulfilment: 'pickup', delivery_on: '2037-12-10' });
    expect([status, body.error?.code]).toEqual([400, 'day-of-pickup']);
  });
});

describe('paying', () => {
  const orderOf = async (orderId: string) => {
    const [row] = await database.sql`
      select o.deliver_on::text, o.pack_on::text, o.delivery_by::text, o.missed_day::text
      from public.orders o join private.checkouts c on c.order_id = o.id where c.provider_order_id = ${orderId}`;
    return row;
  };

  /** What a visitor sees at this moment: the reason of each day, or that it is possible. */
  const calendarOf = async (productId: number) => {
    const [row] = await database.sql<{ days: { day: string; reason?: string }[] }[]>`
      select private.delivery_calendar_at('400001', array[${productId}]::bigint[], ${new Date(till.clock.at)}) -> 'days' as days`;
    return Object.fromEntries((row?.days ?? []).map(({ day, reason }) => [day, reason ?? 'possible']));
  };

  test('makes an order for that day', async () => {
    const { orderId } = await till.checkout(customer, line(), { delivery_on: '2037-12-10' });
    await till.place(customer, await till.pay(orderId));
    expect(await orderOf(orderId)).toEqual({
      deliver_on: '2037-12-10',
      pack_on: '2037-12-08',
      delivery_by: '2037-12-10',
      missed_day: null,
    });
  });

  test('is not opened for a day that has become impossible since the quote', async () => {
    const { body } = await quoteFor('2037-12-10');
    await keep({ ...usual, closures: [{ startsOn: '2037-12-10', endsOn: '2037-12-10' }] });
    const created = await till.create(customer, Number(body.total), String(body.quote_id));
    expect([created.status, created.body.error?.code]).toEqual([409, 'quote-expired']);
    expect((await quoteFor('2037-12-10')).body.error?.code).toBe('day-closed');
  });

  test('is not opened once the packing day of the quote is over', async () => {
    await keep({ ...usual, cutoff: '23:59' });
    turnTo('2037-11-16', '23:55');
    const { body } = await quoteFor('2037-11-18');
    turnTo('2037-11-17', '00:01');
    const created = await till.create(customer, Number(body.total), String(body.quote_id));
    expect([created.status, created.body.error?.code]).toEqual([409, 'quote-expired']);
    expect((await quoteFor('2037-11-18')).body.error?.code).toBe('day-too-soon');
  });

  test('too late for the day moves it to the next one on which the sweets arrive fresh', async () => {
    // Friday is too late for Saturday. On Monday and Tuesday a parcel has rested over Sunday.
    await database.sql`update public."Products" set shelf_life_days = 3 where "Id" = ${laddu}`;
    const { orderId } = await till.checkout(customer, line(), { delivery_on: '2037-11-21' });
    const paid = await till.pay(orderId);
    turnTo('2037-11-20');
    expect(await calendarOf(laddu)).toMatchObject({
      '2037-11-23': 'would-spoil',
      '2037-11-24': 'would-spoil',
      '2037-11-25': 'possible',
    });
    await till.place(customer, paid);
    expect(await orderOf(orderId)).toMatchObject({
      deliver_on: '2037-11-25',
      pack_on: '2037-11-23',
      missed_day: '2037-11-21',
    });
  });

  test('while a closure lengthens the journey moves the day, unless no other one is better', async () => {
    await database.sql`update public."Products" set shelf_life_days = 3 where "Id" = ${laddu}`;
    const pay = async (change: () => Promise<unknown>) => {
      const { orderId } = await till.checkout(customer, line(), { delivery_on: '2037-11-19' });
      const paid = await till.pay(orderId);
      await change();
      await till.place(customer, paid);
      return orderOf(orderId);
    };
    const closed = { ...usual, closures: [{ startsOn: '2037-11-18', endsOn: '2037-11-18' }] };
    expect(await pay(() => keep(closed))).toMatchObject({ deliver_on: '2037-11-21', missed_day: '2037-11-19' });
    await keep(usual);
    const neverFresh = () => database.sql`update public."Products" set shelf_life_days = 1 where "Id" = ${laddu}`;
    expect(await pay(neverFresh)).toMatchObject({ deliver_on: '2037-11-19', missed_day: null });
  });

  test('too late for the day keeps the order, on the next possible day, and says which one was missed', async () => {
    const { orderId } = await till.checkout(customer, line(), { delivery_on: '2037-11-19' });
    const paid = await till.pay(orderId);
    turnTo('2037-11-18');
    await till.place(customer, paid);
    expect(await orderOf(orderId)).toEqual({
      deliver_on: '2037-11-20',
      pack_on: '2037-11-18',
      delivery_by: '2037-11-20',
      missed_day: '2037-11-19',
    });
    await till.work();
    const told = till.mails.filter(({ text }) => text.includes('too late for 19 Nov 2037'));
    expect(told.filter(({ text }) => text.includes('arrives on 20 Nov 2037'))).toHaveLength(1);
  });

  test('on the packing day itself keeps the day, after the cut-off, too', async () => {
    const { orderId } = await till.checkout(customer, line(), { delivery_on: '2037-11-18' });
    const paid = await till.pay(orderId);
    turnTo('2037-11-16', '18:00');
    await till.place(customer, paid);
    expect(await orderOf(orderId)).toMatchObject({ deliver_on: '2037-11-18', missed_day: null });
  });

  test('after a festival’s cut-off keeps a day that was chosen in time', async () => {
    const { orderId } = await till.checkout(customer, line(), { delivery_on: '2037-12-24' });
    const paid = await till.pay(orderId);
    const christmas = { name: 'Christmas', startsOn: '2037-12-24', endsOn: '2037-12-24', isOfZone: false };
    await keep({ ...usual, cutoffs: [{ ...christmas, orderBy: '2037-11-16' }] });
    turnTo('2037-11-17');
    await till.place(customer, paid);
    expect(await orderOf(orderId)).toMatchObject({ deliver_on: '2037-12-24', missed_day: null });
  });
});
