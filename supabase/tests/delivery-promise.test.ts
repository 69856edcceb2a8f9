import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { journeyOf, survives, type WorkingDays, workingDayAfter } from '../../domain/delivery/promise.ts';
import { promiseCases, shelfLifeCases, usual } from '../../domain/delivery/promise-cases.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { randomNumbers } from '../../tests/support/random.ts';

// The rule in domain/ and its twin in SQL must not part ways.

let database: TestDatabase;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
});
afterAll(() => database.drop());

async function keep({ cutoff, weeklyOff, closures }: WorkingDays): Promise<void> {
  const { sql } = database;
  await sql`update public.shop_settings set cutoff_time = ${cutoff}, weekly_off = ${weeklyOff as number[]}::smallint[]`;
  await sql`delete from public.closures`;
  for (const { startsOn, endsOn } of closures) {
    // Longer than a year is more than one row may say: two of them do.
    await sql`insert into public.closures (starts_on, ends_on, reason)
      select s, least(s + 366, ${endsOn}::date), 'Test' from generate_series(${startsOn}::date, ${endsOn}::date, '367 days') g, lateral (select g::date as s) d`;
  }
}

async function dayAfterWorking(from: string, workingDays: number): Promise<string | null> {
  const [row] = await database.sql<{ day: string | null }[]>`
    select private.working_day_after(${from}, ${workingDays})::text as day`;
  return row?.day ?? null;
}

test('seven working days from Friday skip two Sundays and a closure of two days', async () => {
  const closures = [{ startsOn: '2026-11-25', endsOn: '2026-11-26' }];
  await keep({ ...usual, closures });
  expect(await dayAfterWorking('2026-11-20', 7)).toBe('2026-12-01');
  expect(workingDayAfter('2026-11-20', 7, { ...usual, closures })).toBe('2026-12-01');
});

async function promised(at: string | Date, workingDays: number): Promise<[string, string] | null> {
  const [row] = await database.sql<{ leaves: string | null; arrives: string | null }[]>`
    select leaves_on::text as leaves, arrives_on::text as arrives
    from private.promise_delivery(${at as string}::timestamptz, ${workingDays})`;
  return row?.leaves && row.arrives ? [row.leaves, row.arrives] : null;
}

test.each(promiseCases)('%s: %s, %i working days', async (_name, at, workingDays, expected, calendar = {}) => {
  await keep({ ...usual, ...calendar });
  expect(await promised(`${at}+05:30`, workingDays)).toEqual(expected);
});

test('the rule and its twin agree on 600 moments of 30 made-up years', { timeout: 30_000 }, async () => {
  const random = randomNumbers(20261116);
  const whole = (below: number) => Math.floor(random() * below);
  const two = (value: number) => String(value).padStart(2, '0');
  let refused = 0;
  for (let year = 0; year < 30; year += 1) {
    const day = (offset: number) => new Date(Date.UTC(2026 + year, 0, 1 + offset)).toISOString().slice(0, 10);
    const calendar: WorkingDays = {
      cutoff: `${two(whole(24))}:${two(whole(60))}`,
      weeklyOff: [0, 1, 2, 3, 4, 5, 6].filter(() => random() < 0.25).slice(0, 6),
      closures: Array.from({ length: whole(12) }, () => {
        const starts = whole(500);
        return { startsOn: day(starts), endsOn: day(starts + whole(random() < 0.1 ? 360 : 9)) };
      }),
    };
    await keep(calendar);
    for (let n = 0; n < 20; n += 1) {
      const at = new Date(Date.UTC(2026 + year, 0, 1) + whole(400 * 86_400) * 1000);
      const workingDays = whole(12);
      const journey = journeyOf(at, workingDays, calendar);
      if (!journey) refused += 1;
      const from = at.toISOString().slice(0, 10);
      expect(await dayAfterWorking(from, workingDays)).toBe(workingDayAfter(from, workingDays, calendar));
      const told = await promised(at.toISOString(), workingDays);
      expect(told, `${at.toISOString()} ${workingDays} ${JSON.stringify(calendar)}`).toEqual(
        journey && [journey.leavesOn, journey.arrivesOn],
      );
    }
  }
  expect(refused).toBeLessThan(300);
});

test('what survives a journey is the same in both', async () => {
  for (const [life, travel, lives] of shelfLifeCases) {
    const [row] = await database.sql`select private.stays_fresh(${life}, ${travel}) as lives`;
    expect([life, travel, row?.lives]).toEqual([life, travel, lives]);
  }
  const rows = await database.sql<{ life: number; travel: number; lives: boolean }[]>`
    select life, travel, private.stays_fresh(life, travel) as lives from generate_series(1, 60) life, generate_series(0, 60) travel`;
  for (const { life, travel, lives } of rows)
    expect([life, travel, lives]).toEqual([life, travel, survives(life, travel)]);
});

test('a shop that works on no day of the week cannot be, nor a closure that ends before it begins', async () => {
  const { sql } = database;
  for (const off of [[0, 1, 2, 3, 4, 5, 6], [7], [-1]])
    await expect(sql`update public.shop_settings set weekly_off = ${off}::smallint[]`).rejects.toThrow(/check/);
  await expect(
    sql`insert into public.closures (starts_on, ends_on, reason) values ('2026-11-02', '2026-11-01', 'Test')`,
  ).rejects.toThrow(/check/);
});

test('a permanent closure is found quickly, with any number of closures', async () => {
  const { sql } = database;
  await keep(usual);
  await sql`insert into public.closures (starts_on, ends_on, reason)
    select d::date, d::date, 'Every day' from generate_series(timestamp '2026-01-01', timestamp '2029-12-31', '1 day') d`;
  const started = performance.now();
  expect(await promised('2026-11-16T09:00:00+05:30', 7)).toBeNull();
  expect(performance.now() - started).toBeLessThan(1_000);
});
