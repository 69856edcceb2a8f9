import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';

/** What a Supabase project has before the first migration: its roles, and the publication that realtime reads. */
export async function prepareRoles(sql: Sql): Promise<void> {
  await sql.unsafe(`
    do $$
    begin
      begin
        perform set_config('log_min_messages', 'error', true); -- the publication needs no wal_level of its own here
      exception when insufficient_privilege then null;
      end;
      if not exists (select from pg_roles where rolname = 'anon') then create role anon nologin; end if;
      if not exists (select from pg_roles where rolname = 'authenticated') then create role authenticated nologin; end if;
      if not exists (select from pg_roles where rolname = 'service_role') then create role service_role nologin bypassrls; end if;
      if not exists (select from pg_publication where pubname = 'supabase_realtime') then create publication supabase_realtime; end if;
      execute format('grant anon, authenticated, service_role to %I', current_user);
    end $$`);
}

export async function grantSystemSchemas(sql: Sql): Promise<void> {
  await sql.unsafe(`
    grant usage on schema public, auth, storage to anon, authenticated, service_role;
    grant all on storage.buckets, storage.objects to anon, authenticated, service_role;`);
}

// As in migrate.ts: nodes that start together on one database seed it once.
const SEED_LOCK = 7_640_113;

/** Fills an empty database with the demo shop, whole or not at all. Answers whether it did. */
export async function seedDemo(sql: Sql, seedsDir: string): Promise<boolean> {
  const files = (await readdir(seedsDir)).filter((name) => name.endsWith('.sql')).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(seedsDir, name), 'utf8')));
  return sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${SEED_LOCK})`;
    const [state] = await transaction<{ used: boolean }[]>`
      select exists (select from public."Products") or exists (select from public.orders)
          or exists (select from auth.users) or exists (select from private.instance where name = 'demo') as used`;
    if (state?.used) return false;
    for (const text of texts) await transaction.unsafe(text).simple();
    await transaction`insert into private.instance (name, value) values ('demo', 'seeded')`;
    return true;
  });
}

export async function isDemoDatabase(sql: Sql): Promise<boolean> {
  const rows = await sql`select from private.instance where name = 'demo'`;
  return rows.length > 0;
}
