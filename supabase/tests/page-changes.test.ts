import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertProduct } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
});
afterAll(() => database.drop());

const told = async () =>
  (await as(sql, 'anon', (tx) => tx<{ id: string }[]>`select id from public.page_changes order by id`)).map(
    ({ id }) => id,
  );

test('whatever pages show tells everybody once for each statement that changes it', async () => {
  const id = await insertProduct(sql);
  const before = await told();
  await sql`update public."Products" set "Description" = 'Changed' where "Id" = ${id}`;
  await sql`update public.shop_settings set name = name`;
  expect(await told()).toHaveLength(before.length + 2);
  await sql`update public."Products" set is_listed = false where "Id" = ${id}`; // what visitors do not see any more
  expect(await told()).toHaveLength(before.length + 3);
});

test('what was told ten minutes ago goes with later changes, and what is new stays', async () => {
  await sql`delete from public.page_changes`;
  await sql`insert into public.page_changes (at) select now() - interval '11 minutes' from generate_series(1, 30)`;
  const touch = () => sql`update public.shop_settings set name = name`;
  for (const left of [11, 2, 3]) {
    await touch();
    expect(await told()).toHaveLength(left);
  }
});

test('two who change different products do not wait for each other', async () => {
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
