import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, supabaseDir, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertUser, insertZone } from '../../tests/support/rows.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
});
afterAll(() => database.drop());

// The form and admin_save_zone are tested with the console's delivery settings.
test('no zone takes more than the 7 business days of the terms, not even past the console', async () => {
  const { sql } = database;
  const asha = { userId: await insertUser(sql, { name: 'Asha', administrator: true }) };
  await insertZone(sql, { prefixes: ['56'], maxDays: 7 });
  for (const write of [
    () => as(sql, asha, (tx) => tx`update public.delivery_zones set max_days = 8 where max_days = 7`),
    () => insertZone(sql, { prefixes: ['57'], maxDays: 8 }),
  ])
    await expect(write()).rejects.toMatchObject({ code: '23514', constraint_name: 'delivery_zones_at_most_7_days' });
});

test('a shop whose zone took longer keeps delivering there, in 7 days', async () => {
  const { sql } = database;
  const migration = await readFile(join(supabaseDir, 'history', '20261118007200_limit_zone_days.sql'), 'utf8');
  await sql`alter table public.delivery_zones drop constraint delivery_zones_at_most_7_days`;
  await insertZone(sql, { prefixes: ['79'], maxDays: 12 });
  await sql.unsafe(migration);
  expect(
    await sql`select min_days, max_days, is_published from public.delivery_zones where '79' = any (pincode_prefixes)`,
  ).toEqual([{ min_days: 1, max_days: 7, is_published: true }]);
});
