import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { applySchemas } from '../../scripts/schema/apply-schemas.ts';
import { compareCatalogues, readCatalogue } from '../../scripts/schema/catalogue.ts';
import { readSchemas } from '../../scripts/schema/schema-files.ts';
import { migrate } from '../../server/backends/schema/migrate.ts';
import { readMigrations } from '../../server/backends/schema/migration-history.ts';
import { newDatabase, newEmptyDatabase, supabaseDir, type TestDatabase } from '../../tests/support/database.ts';
import { insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';
import { schemaRows } from '../../tests/support/schema-rows.ts';

const open: TestDatabase[] = [];
afterEach(async () => {
  for (const database of open.splice(0)) await database.drop();
});
const kept = async (made: Promise<TestDatabase>) => {
  const database = await made;
  open.push(database);
  return database;
};
/** What the others are compared with, as the migrations make it. Not a copy of the template: settings of a database are not copied. */
let byMigrations: TestDatabase;
beforeAll(async () => {
  byMigrations = await newEmptyDatabase(inject('postgresPath'));
  await migrate(byMigrations.sql, supabaseDir);
});
afterAll(() => byMigrations.drop());
const empty = () => kept(newEmptyDatabase(inject('postgresPath')));
const historyVersions = async () => (await readMigrations(supabaseDir)).history.map(({ version }) => version);

async function expectSame(wanted: TestDatabase, found: TestDatabase): Promise<void> {
  const differences = compareCatalogues(await readCatalogue(wanted.sql), await readCatalogue(found.sql));
  expect(differences).toEqual([]);
}

describe('one catalogue', () => {
  test('comes of the schemas, file by file, and of the migrations: with the same rows', async () => {
    const bySchemas = await empty();
    await applySchemas(bySchemas.connection);
    await expectSame(bySchemas, byMigrations);
    expect(await schemaRows(byMigrations.sql)).toEqual(await schemaRows(bySchemas.sql));
    // Bodies were created unchecked, because they may name what a later file creates.
    await bySchemas.sql`select pg_catalog.plpgsql_validator(p.oid) from pg_proc p join pg_language l on l.oid = p.prolang
      where l.lanname = 'plpgsql' and p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)`;
    await bySchemas.sql`select pg_catalog.fmgr_sql_validator(p.oid) from pg_proc p join pg_language l on l.oid = p.prolang
      where l.lanname = 'sql' and p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)`;
  });

  test('is that of a database which went through the whole history', async () => {
    const older = await empty();
    await migrate(older.sql, supabaseDir, new Set(await historyVersions()));
    const { migrations } = await readMigrations(supabaseDir);
    // The baseline is recorded and does not run.
    expect((await migrate(older.sql, supabaseDir)).applied).toEqual(migrations.slice(1).map(({ file }) => file));
    await expectSame(byMigrations, older);
    expect(await schemaRows(older.sql)).toEqual(await schemaRows(byMigrations.sql));
  });

  test('is compared in all its parts: each of these changes is found', async () => {
    const changes = {
      'table public.closures': 'alter table public.closures disable row level security',
      'grants public.closures': 'grant insert on public.closures to authenticated',
      'column grants public.orders.status': 'grant update (status) on public.orders to anon',
      'column public.closures.more': 'alter table public.closures add column more text',
      'column public.categories."position"': 'alter table public.categories alter column position set default 7',
      'constraint private.checkouts.checkouts_check': 'alter table private.checkouts drop constraint checkouts_check',
      'index private.checkouts_family_idx': 'drop index private.checkouts_family_idx',
      'trigger public.orders.orders_guard': 'alter table public.orders disable trigger orders_guard',
      'policy public.categories."everybody reads categories"':
        'alter policy "everybody reads categories" on public.categories using (false)',
      'function private.is_blank(words text)':
        "create or replace function private.is_blank(words text) returns boolean language sql immutable as 'select true'",
      'function grants private.is_blank(words text)': 'revoke execute on function private.is_blank(text) from anon',
      'setting database': 'do $$ begin execute format($q$alter database %I reset jit$q$, current_database()); end $$',
      'comment table public.categories': "comment on table public.categories is 'other'",
      'publication supabase_realtime': 'alter publication supabase_realtime drop table public.orders',
      'default privileges of postgres in every schema on f':
        'alter default privileges revoke execute on functions from public',
    };
    const { sql } = byMigrations;
    const before = await readCatalogue(sql);
    for (const [key, change] of Object.entries(changes)) {
      await sql.begin(async (transaction) => {
        await transaction.unsafe(change);
        const found = compareCatalogues(before, await readCatalogue(transaction)).map((difference) => difference.key);
        expect(found, change).toContain(key);
        await transaction.unsafe('rollback; begin');
      });
    }
  });
});

describe('a shop made before the baseline', () => {
  test('in the middle of the history keeps every row, catches up and is like a new one', async () => {
    const older = await empty();
    const { sql } = older;
    const versions = await historyVersions();
    await migrate(sql, supabaseDir, new Set(versions.filter((version) => version < '20261118')));
    const userId = await insertUser(sql);
    const productId = await insertProduct(sql, { name: 'Mohanthal', stock: 20 });
    const order = await insertPaidOrder(sql, { userId, productId });
    const { applied } = await migrate(sql, supabaseDir);
    expect(applied[0]).toMatch(/^20261118/);
    expect(applied).not.toContain('20261121000000_create_shop.sql');
    await expectSame(byMigrations, older);
    expect(await sql`select user_id from public.orders where id = ${order.id}`).toEqual([{ user_id: userId }]);
    expect(await sql`select "Name" from public."Products"`).toEqual([{ Name: 'Mohanthal' }]);
    expect(await sql`select * from public.check_invariants()`).toEqual([]);
    expect(await migrate(sql, supabaseDir)).toEqual({ applied: [] });
  });

  test('names a file of the history that was edited since, and one whose text it had in another wording', async () => {
    const { sql } = await kept(newDatabase(inject('postgresPath')));
    const { history } = await readMigrations(supabaseDir);
    const [first] = history;
    await sql`delete from supabase_migrations.schema_migrations`;
    await sql`delete from supabase_migrations.checksums`;
    await sql`insert into supabase_migrations.schema_migrations (version, statements)
      values (${first?.version ?? ''}, ${['select 1']})`;
    await expect(migrate(sql, supabaseDir)).rejects.toThrow(`in which Migration ${first?.file} (`.slice(0, -2));
    await sql`insert into supabase_migrations.checksums (version, sha256) values (${first?.version ?? ''}, 'other')`;
    await expect(migrate(sql, supabaseDir)).rejects.toThrow(`Migration ${first?.file} was edited after it was applied`);
  });
});

describe('the schemas', () => {
  const files = readSchemas();

  test.each(files)('$path opens with what it holds, and fits in one sitting', ({ text }) => {
    const lines = text.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(400);
    for (const line of lines.slice(0, 2)) expect(line).toMatch(/^-- \S/);
  });

  test('state everything once, as it is: nothing is replaced, dropped or added to afterwards', () => {
    const afterwards =
      /^(create or replace|drop|alter table \S+\s+(add|drop|rename)|alter (policy|function|view|index)|update|delete)\b/im;
    expect(files.filter(({ text }) => afterwards.test(withoutBodies(text))).map(({ path }) => path)).toEqual([]);
  });
});

const withoutBodies = (text: string) => text.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$$');
