import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertProduct, newMark } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
});
afterAll(() => database.drop());

const entries = async () =>
  (await as(sql, 'anon', (tx) => tx<{ id: string }[]>`select id from public.page_changes order by id`)).map(
    ({ id }) => id,
  );

test('each statement that changes rows shown on pages invalidates them once', async () => {
  const id = await insertProduct(sql);
  const before = await entries();
  await sql`update public."Products" set "Description" = 'Changed' where "Id" = ${id}`;
  await sql`update public.shop_settings set name = ${newMark('Shop')}`;
  expect(await entries()).toHaveLength(before.length + 2);
  await sql`update public."Products" set is_listed = false where "Id" = ${id}`; // what visitors do not see any more
  expect(await entries()).toHaveLength(before.length + 3);
  await sql`insert into public.caurousel (title, background_img, buttonaction, buttontitle)
    values ('Slide', '/a.webp', '/shop', 'Shop')`;
  await sql`delete from public.caurousel where title = 'Slide'`;
  await sql`truncate public.greetings`;
  expect(await entries()).toHaveLength(before.length + 6);
});

test('statements that change no row invalidate nothing', async () => {
  const id = await insertProduct(sql);
  await sql`insert into public.greetings (title, starts_at, ends_at) values ('Diwali', '2026-11-01', '2026-11-20')`;
  await sql`insert into public.caurousel (title, background_img, buttonaction, buttontitle, entry_id)
    values ('Slide', '/a.webp', '/shop', 'Shop', '00000000-0000-4000-8000-000000000001')`;
  const before = await entries();
  for (const table of ['Products', 'caurousel', 'greetings', 'shop_settings']) {
    await sql`delete from public.${sql(table)} where false`;
    // The first column set to itself: every row is written again and is what it was.
    const [first] = await sql<{ name: string }[]>`
      select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and ordinal_position = 2`;
    const column = sql(first?.name ?? '');
    const same = await sql`update public.${sql(table)} set ${column} = ${column} where true`;
    expect(same.count, table).toBeGreaterThan(0);
    await sql`update public.${sql(table)} set ${column} = ${column} where false`;
  }
  await sql`insert into public.caurousel (title, background_img, buttonaction, buttontitle, entry_id)
    values ('Slide', '/a.webp', '/shop', 'Shop', '00000000-0000-4000-8000-000000000001')
    on conflict (entry_id) do update set title = excluded.title`;
  await sql`update public."Products" set "Rating" = "Rating" where "Id" = ${id}`;
  expect(await entries()).toEqual(before);
});

test('entries older than ten minutes are removed with later changes, and new ones stay', async () => {
  await sql`delete from public.page_changes`;
  await sql`insert into public.page_changes (at) select now() - interval '11 minutes' from generate_series(1, 30)`;
  const touch = () => sql`update public.shop_settings set name = ${newMark('Shop')}`;
  for (const left of [11, 2, 3]) {
    await touch();
    expect(await entries()).toHaveLength(left);
  }
});

test('two administrators who change different products do not wait for each other', async () => {
  const [one, other] = [await insertProduct(sql), await insertProduct(sql)];
  await sql`update public.page_changes set at = now() - interval '1 hour'`;
  await sql.begin(async (first) => {
    await first`update public."Products" set "Description" = 'First' where "Id" = ${one}`;
    await sql.begin(async (second) => {
      await second`set local lock_timeout = '1s'`;
      await second`update public."Products" set "Description" = 'Second' where "Id" = ${other}`;
    });
  });
  const rows = await sql`select "Description" from public."Products" where "Id" in ${sql([one, other])} order by "Id"`;
  expect(rows.map(({ Description }) => Description)).toEqual(['First', 'Second']);
});
