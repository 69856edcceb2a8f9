import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres, { type ISql, type Options, type Sql } from 'postgres';
import { withTimeLimits } from '../../postgres/time-limits.ts';

// Any number that nothing else on the database uses.
const SETUP_LOCK = 7_640_112;

/** Nodes that start together on one database prepare it one after the other. */
export async function withSetupLock<T>(
  connection: Options<Record<string, never>>,
  prepare: () => Promise<T>,
): Promise<T> {
  // A separate client, which releases the lock when it ends: unlocking on a lost connection throws an unhandled error.
  const holder = postgres({
    ...withTimeLimits(connection),
    max: 1,
    max_lifetime: null,
    idle_timeout: 0,
    onnotice: () => {},
  });
  try {
    await holder`select pg_advisory_lock(${SETUP_LOCK})`;
    return await prepare();
  } finally {
    await holder.end({ timeout: 5 });
  }
}

/** What a Supabase project has before the first migration: its roles, and the publication that realtime reads. */
export async function prepareRoles(sql: ISql): Promise<void> {
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
      -- Who has them already may lack the right to grant them.
      if not (pg_has_role('anon', 'member') and pg_has_role('authenticated', 'member') and pg_has_role('service_role', 'member')) then
        execute format('grant anon, authenticated, service_role to %I', current_user);
      end if;
    end $$`);
}

/**
 * Whether the Auth tables are those of a Supabase project, made and owned by its own Auth service, rather than those of our
 * library. Only that service keeps a history of its tables there.
 */
export async function hasPlatformAuth(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ is: boolean }[]>`select to_regclass('auth.schema_migrations') is not null as is`;
  return row?.is ?? false;
}

export async function grantSystemSchemas(sql: Sql): Promise<void> {
  await sql.unsafe(`
    grant usage on schema public, auth, storage to anon, authenticated, service_role;
    grant all on storage.buckets, storage.objects to anon, authenticated, service_role;`);
}

/** Fills an empty database with the demo shop, whole or not at all. Answers whether it did. */
export async function seedDemo(sql: Sql, seedsDir: string): Promise<boolean> {
  const files = (await readdir(seedsDir)).filter((name) => name.endsWith('.sql')).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(seedsDir, name), 'utf8')));
  return sql.begin(async (transaction) => {
    const [state] = await transaction<{ used: boolean }[]>`
      select exists (select from public."Products") or exists (select from public.orders)
          or exists (select from auth.users) or exists (select from private.instance where name in ('demo', 'real')) as used`;
    if (state?.used) return false;
    for (const text of texts) await transaction.unsafe(text).simple();
    await transaction`insert into private.instance (name, value) values ('demo', 'seeded')`;
    return true;
  });
}

/** From its first start without the demo a database is a real shop's, and never becomes a demo again. */
export async function markReal(sql: Sql): Promise<void> {
  await sql`insert into private.instance (name, value) values ('real', 'started') on conflict do nothing`;
}

export async function isDemoDatabase(sql: Sql): Promise<boolean> {
  const rows = await sql`select from private.instance where name = 'demo'`;
  return rows.length > 0;
}
