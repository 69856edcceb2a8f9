// What the demo shop sells can be bought where its customers live. The seed alone decides: no orders are needed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { dayAfter } from '../../domain/delivery/promise.ts';
import { newDatabase, supabaseDir, type TestDatabase } from '../../tests/support/database.ts';

const cities = {
  Delhi: '110001',
  Bengaluru: '560034',
  Chennai: '600004',
  Hyderabad: '500034',
  Kolkata: '700019',
  Ahmedabad: '380009',
};
/** A Monday; the shop is open all week. Orders come before and after the cut-off. */
const monday = '2027-01-04';
const moments = Array.from({ length: 7 }, (_, day) => dayAfter(monday, day)).flatMap((day) => [
  `${day}T09:00:00+05:30`,
  `${day}T18:00:00+05:30`,
]);

type Sweet = { id: number; name: string; category: string; days: number; ingredients: string };

let database: TestDatabase;
let catalogue: Sweet[];
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  for (const file of ['20_catalogue.sql', '30_shop.sql'])
    await database.sql.unsafe(await readFile(join(supabaseDir, 'seeds', file), 'utf8'));
  catalogue = await database.sql`select "Id"::int as id, "Name" as name, "Category" as category,
    shelf_life_days as days, ingredients from public."Products" where "Category" <> 'Takeaway' and is_listed`;
});
afterAll(() => database.drop());

async function refusedIn(pincode: string, at: string): Promise<string[]> {
  const ids = catalogue.map(({ id }) => id);
  const [row] = await database.sql`select private.check_delivery_at(${pincode}, ${ids}::bigint[], 500, ${at}) as said`;
  expect(row?.said, `${pincode} at ${at}`).toMatchObject({ ok: true });
  return row?.said.spoiled.map(({ product }: { product: string }) => product);
}

test.each(Object.entries(cities))('14 of every 16 sweets can be sent to %s, on any day', async (_, pincode) => {
  expect(catalogue.length).toBeGreaterThanOrEqual(30);
  for (const at of moments) {
    const refused = await refusedIn(pincode, at);
    expect(refused.length, `${at}: ${refused.join(', ')}`).toBeLessThanOrEqual((catalogue.length * 2) / 16);
    const gifts = catalogue.filter(({ category }) => category === 'Gift').map(({ name }) => name);
    expect(refused.filter((name) => gifts.includes(name))).toEqual([]);
  }
});

test('a box keeps as long as the first of its sweets to go', () => {
  const keeps = new Map(catalogue.map(({ name, days }) => [name, days]));
  keeps.set('Kaju Katli', keeps.get('Kaju Katli Silver Box') ?? 0);
  const boxes = catalogue.filter(({ category, name }) => category === 'Gift' && name !== 'Kaju Katli Silver Box');
  for (const { name, days, ingredients } of boxes) {
    const sweets = [...keeps].filter(([sweet]) => ingredients.includes(`${sweet} (`));
    expect(sweets.length, name).toBeGreaterThan(1);
    expect(days, name).toBe(Math.min(...sweets.map(([, life]) => life)));
  }
});

test('all of India takes at most five working days, and charges grow with the way', async () => {
  const zones = await database.sql`select max_days, first_kg_charge::float as charge from public.delivery_zones
    order by max_days, first_kg_charge`;
  expect(zones.length).toBeGreaterThan(4);
  expect(zones.at(0)).toEqual({ max_days: 1, charge: 40 });
  expect(zones.at(-1)).toEqual({ max_days: 5, charge: 180 });
});

test('gifts for Christmas are taken until a day that the calendar names, and reminders go out before it', async () => {
  const days = await database.sql`
    select d.day::text, d.festival, d.order_by::text, d.reason
    from private.delivery_days(private.zone_of('400001'), '2026-12-01T09:00:00+05:30') d where d.festival is not null`;
  expect(days).toEqual(
    ['2026-12-22', '2026-12-23', '2026-12-24', '2026-12-25'].map((day) => ({
      day,
      festival: 'Christmas',
      order_by: '2026-12-18',
      reason: null,
    })),
  );
  const due = await database.sql`select festival from private.festivals_to_remind('2026-12-09T09:00:00+05:30')`;
  expect(due).toEqual([{ festival: 'Christmas' }]);
});
