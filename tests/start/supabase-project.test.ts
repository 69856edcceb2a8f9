import { randomUUID } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../server/backends/schema/migrate.ts';
import { readMigrations, recordedChecksum } from '../../server/backends/schema/migration-history.ts';
import { recordHistory } from '../support/before-baseline.ts';
import { supabaseDir } from '../support/database.ts';
import { functionNames, functionsDir, offline, runDeno } from '../support/deno.ts';
import {
  connectAs,
  olderDefaults,
  type PlainPostgres,
  platformAdmin,
  prepareProject,
  startPlainPostgres,
} from '../support/plain-postgres.ts';
import { actAs, type Queries } from '../support/rows.ts';
import { newDataDir, removeDataDir } from '../support/shop.ts';
import { runSupabase } from '../support/supabase-cli.ts';

const root = join(supabaseDir, '..');
let folder: string;

beforeAll(async () => {
  folder = await newDataDir();
  await cp(supabaseDir, join(folder, 'project/supabase'), { recursive: true });
  await mkdir(join(folder, 'fresh'));
});
afterAll(() => removeDataDir(folder));

/** On a copy of the project. */
const supabase = (args: string[], workdir = join(folder, 'project')) => runSupabase(args, { home: folder, workdir });

describe('the Supabase CLI', () => {
  test('accepts the settings of the project, and refuses an unknown value', async () => {
    // Reads all settings; there are no buckets to make in them.
    const accepted = await supabase(['seed', 'buckets', '--yes']);
    expect(accepted, accepted.said).toMatchObject({ code: 0 });
    if (!process.env.SOAK) return;
    const file = join(folder, 'broken/supabase/config.toml');
    await mkdir(join(folder, 'broken/supabase'), { recursive: true });
    const settings = await readFile(join(supabaseDir, 'config.toml'), 'utf8');
    await writeFile(file, settings.replace('verify_jwt = false', 'verify_jwt = "no"'));
    expect(await supabase(['seed', 'buckets', '--yes'], join(folder, 'broken'))).toMatchObject({ code: 1 });
  });

  test('lets the functions check sessions themselves: there is a setting for each function', async () => {
    const settings = await readFile(join(supabaseDir, 'config.toml'), 'utf8');
    const set = [...settings.matchAll(/^\[functions\.(\w+)\]\nverify_jwt = false$/gm)].map(([, name]) => name);
    expect(set.sort()).toEqual([...functionNames].sort());
  });

  test('knows every setting: it would silently ignore an unknown one', async () => {
    await supabase(['init', '--yes'], join(folder, 'fresh'));
    const known = keysOf(await readFile(join(folder, 'fresh/supabase/config.toml'), 'utf8'), /^#? ?/);
    const ours = keysOf(await readFile(join(supabaseDir, 'config.toml'), 'utf8'), /^/);
    // Of these the first part is ours to name.
    const named = ours.map((key) =>
      key
        .replace(/^auth\.external\.google\./, 'auth.external.apple.')
        .replace(/^db\.vault\..*/, 'db.vault.secret_key')
        .replace(/^functions\.\w+\./, 'functions.'),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((key) => !known.includes(key) && key !== 'functions.verify_jwt')).toEqual([]);
  });
});

/** `section.key` of every line that sets something; `before` is what may stand before it. */
function keysOf(settings: string, before: RegExp): string[] {
  let section = '';
  return settings.split('\n').flatMap((line) => {
    const text = line.replace(before, '');
    const header = /^\[([\w.-]+)\]$/.exec(text)?.[1];
    if (header) section = `${header}.`;
    const key = /^(\w+) = /.exec(text)?.[1];
    return key ? [section + key] : [];
  });
}

const majors = process.env.SOAK ? ([15, 17, 18] as const) : ([15] as const);
describe.each(majors)('on a PostgreSQL %i as every Supabase project has it, without a superuser', (major) => {
  let server: PlainPostgres;
  let sql: Sql;
  beforeAll(async () => {
    server = await startPlainPostgres(major);
    sql = postgres({ ...server.connection, max: 2, onnotice: () => {} });
  });
  afterAll(async () => {
    await sql?.end();
    await server?.stop();
  });

  test('`supabase db push` applies every migration to an empty project, and has nothing to do afterwards', async () => {
    const pushed = await supabase(['db', 'push', '--yes', '--skip-vault', '--db-url', server.address]);
    expect(pushed, pushed.said).toMatchObject({ code: 0 });
    if (!process.env.SOAK) return;
    const again = await supabase(['db', 'push', '--yes', '--skip-vault', '--db-url', server.address]);
    expect(again.said).toContain('up to date');
  });

  test('the migration texts that the CLI recorded are recognized, file by file', async () => {
    const { migrations: files } = await readMigrations(supabaseDir);
    const own = Object.fromEntries(files.map(({ version, text }) => [version, recordedChecksum([text])]));
    const [row] = await sql<{ checksums: unknown; most: number }[]>`
      select public.schema_checksums() as checksums, max(cardinality(statements))::int as most
      from supabase_migrations.schema_migrations`;
    expect(row?.checksums).toEqual(own);
    expect(row?.most).toBeGreaterThan(10); // it has recorded statements, not files
  });

  test('the prepared database is as strict as the platform: postgres changes no table of Auth or Storage', async () => {
    const tried = (statement: string) =>
      sql
        .begin(async (tx) => {
          await tx.unsafe(statement);
          throw new Error('allowed');
        })
        .catch((error: { code?: string; message: string }) => error.code ?? error.message);
    for (const statement of [
      'alter table auth.users add column more text',
      'create table auth.more ()',
      'alter table storage.objects disable row level security',
      'create index on storage.objects (owner)',
      'drop table storage.objects cascade',
      'drop table auth.refresh_tokens',
    ])
      expect(await tried(statement), statement).toBe('42501');
  });

  test('visitors can read which migrations it has, all of them', async () => {
    const { migrations } = await readMigrations(supabaseDir);
    const versions = await sql.begin(async (tx) => {
      await actAs(tx, 'anon');
      return (await tx`select public.schema_versions() as versions`)[0]?.versions;
    });
    expect(versions).toEqual(migrations.map(({ version }) => version));
  });

  test('an older project, which grants everything new to all roles, exposes no additional functions', async () => {
    const admin = postgres({ ...connectAs(server.path, platformAdmin, 'postgres'), max: 1, onnotice: () => {} });
    await admin.unsafe('create database older owner postgres');
    await admin.end();
    await prepareProject(server.path, 'older', { roles: false });
    const older = postgres({ ...server.connection, database: 'older', max: 2, onnotice: () => {} });
    const callable = (database: Sql) => database`select r.name as role, p.oid::regprocedure::text as function
      from pg_proc p, unnest(array['anon', 'authenticated']) r (name)
      where p.pronamespace = 'public'::regnamespace and has_function_privilege(r.name, p.oid, 'execute') order by 1, 2`;
    try {
      await older.unsafe(olderDefaults);
      await migrate(older, supabaseDir);
      expect(await callable(older)).toEqual(await callable(sql));
    } finally {
      await older.end();
    }
  });

  test('a project made before the baseline refuses the push, and accepts it after the two commands of docs/deploy.md', async () => {
    const push = () => supabase(['db', 'push', '--yes', '--skip-vault', '--db-url', server.address]);
    const repair = (status: string, versions: string[]) =>
      supabase(['migration', 'repair', '--yes', '--status', status, '--db-url', server.address, ...versions]);
    const { history, migrations } = await readMigrations(supabaseDir);
    await recordHistory(sql);
    const refused = await push();
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.said).toContain('Remote migration versions not found in local migrations directory');
    const versions = history.map(({ version }) => version);
    for (const done of [await repair('reverted', versions), await repair('applied', [migrations[0]?.version ?? ''])])
      expect(done, done.said).toMatchObject({ code: 0 });
    const again = await push();
    expect(again, again.said).toMatchObject({ code: 0 });
    const [row] = await sql`select public.schema_versions() as versions, public.schema_checksums() as checksums`;
    expect(row).toEqual({
      versions: migrations.map(({ version }) => version),
      checksums: Object.fromEntries(migrations.map(({ version, text }) => [version, recordedChecksum([text])])),
    });
  });

  test('every table has row level security, buckets and file policies are there, and realtime publishes changes', async () => {
    expect(
      await sql`select c.oid::regclass::text from pg_class c where c.relkind = 'r' and not c.relrowsecurity
        and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)`,
    ).toEqual([]);
    const buckets = await sql<{ id: string; public: boolean }[]>`select id, public from storage.buckets order by id`;
    expect(buckets.map(({ id, public: isPublic }) => `${id} ${isPublic}`)).toEqual([
      'banners true',
      'products true',
      'receipts false',
    ]);
    expect(await sql`select from pg_policies where schemaname = 'storage' and tablename = 'objects'`).toHaveLength(8);
    const published = await sql<{ name: string }[]>`
      select tablename as name from pg_publication_tables where pubname = 'supabase_realtime'`;
    expect(published.map(({ name }) => name)).toEqual(expect.arrayContaining(['orders', 'Products', 'page_changes']));
    expect(await sql`select * from public.check_invariants()`).toEqual([]);
  });

  test('a sign-in by the project’s own Auth keeps the name set in the shop, is recorded, and its session is listed and ended', async () => {
    const [id, session] = [randomUUID(), randomUUID()];
    /** As Auth's own role, where the test's role may become it. */
    const asAuth = (work: (tx: Queries) => Promise<unknown>) =>
      sql.begin(async (tx) => {
        const [row] = await tx`select pg_has_role('supabase_auth_admin', 'member') as may_be`;
        if (row?.may_be) await tx`set local role supabase_auth_admin`;
        await work(tx);
      });
    const sent = { full_name: 'Name at Google', name: 'Name at Google', more: 'x'.repeat(9000) };
    await asAuth(
      (tx) =>
        tx`insert into auth.users (id, email, raw_user_meta_data) values (${id}, 'm@example.com', ${tx.json(sent)})`,
    );
    const asCustomer = <T>(work: (tx: Queries) => Promise<T>) =>
      sql.begin(async (tx) => {
        await actAs(tx, { userId: id });
        return work(tx);
      });
    await asCustomer((tx) => tx`insert into public.user_profiles (user_id, full_name) values (${id}, 'Meena K.')`);
    await asAuth(async (tx) => {
      await tx`update auth.users set raw_user_meta_data = ${tx.json(sent)} where id = ${id}`;
      await tx`insert into auth.identities (provider_id, user_id, identity_data, provider) values (${id}, ${id}, ${tx.json(sent)}, 'google')`;
      await tx`insert into auth.sessions (id, user_id, created_at, ip, user_agent) values (${session}, ${id}, now(), '198.51.100.7', 'Chrome')`;
    });
    expect(await sql`select raw_user_meta_data as data from auth.users where id = ${id}`).toEqual([
      { data: { full_name: 'Meena K.', name: 'Meena K.' } },
    ]);
    expect(await sql`select kind, address, user_agent from private.security_events where user_id = ${id}`).toEqual([
      { kind: 'signed-in', address: '198.51.100.7', user_agent: 'Chrome' },
    ]);
    expect(await asCustomer((tx) => tx`select id, user_agent from public.my_sessions()`)).toEqual([
      { id: session, user_agent: 'Chrome' },
    ]);
    expect(await asCustomer((tx) => tx`select public.end_my_sessions() as ended`)).toEqual([{ ended: 1 }]);
    const admin = postgres({ ...connectAs(server.path, platformAdmin, 'postgres'), max: 1, onnotice: () => {} });
    await admin.begin(async (tx) => {
      await tx`set local role supabase_auth_admin`;
      await tx`insert into auth.sessions (id, user_id, created_at, ip) values (${randomUUID()}, ${id}, now(), '198.51.100.8')`;
      await tx`delete from auth.sessions where user_id = ${id}`;
    });
    await admin.end();
    const loggedOut =
      await sql`select address from private.security_events where user_id = ${id} and kind = 'logged-out'`;
    expect(loggedOut).toEqual([{ address: '198.51.100.8' }]);
    await sql`select public.sweep_sign_ins()`;
    await sql`delete from auth.users where id = ${id}`;
    expect(await sql`select from private.security_events where user_id = ${id}`).toHaveLength(0);
  });

  test('the Data API checks the session before every request', async () => {
    const [role] = await sql`select rolconfig as settings from pg_roles where rolname = 'authenticator'`;
    expect(role?.settings).toContain('pgrst.db_pre_request=private.check_session');
  });

  test('jobs are scheduled where the extensions exist, and nothing is called before the vault has the address', async () => {
    const schedule = async () => (await sql`select private.schedule_jobs() as did`)[0]?.did;
    expect(await schedule()).toContain('not scheduled');
    await standIns(sql);
    expect(await schedule()).toBe(
      'every 20 seconds, but nothing is called yet: the vault lacks project_url and jobs_secret',
    );
    expect(await sql`select name, every, command from cron.told order by name desc`).toEqual([
      { name: 'run-jobs', every: '20 seconds', command: 'select private.call_jobs()' },
      {
        name: 'forget-runs',
        every: '17 21 * * *',
        command: expect.stringMatching(/^delete from cron.job_run_details/),
      },
      { name: 'derive-from-changes', every: '2 seconds', command: 'select private.derive_from_changes()' },
    ]);
    await sql`insert into cron.job_run_details values (now() - interval '2 days'), (now() - interval '6 hours')`;
    await sql.unsafe((await sql`select command from cron.told where name = 'forget-runs'`)[0]?.command);
    expect(await sql`select from cron.job_run_details`).toHaveLength(1);
    const call = async () => (await sql`select private.call_jobs() as called`)[0]?.called;
    expect(await call()).toBe(false);
    await sql`select vault.create_secret('env(SUPABASE_URL)', 'project_url'), vault.create_secret('hush-hush', 'jobs_secret')`;
    expect(await call()).toBe(false);
    expect(await schedule()).toMatch(/: the vault lacks project_url$/);
    // Only one of the two exists, as after a manual change.
    await sql`delete from vault.secrets where name = 'jobs_secret'`;
    const guide = await readFile(join(root, 'docs/deploy.md'), 'utf8');
    const byHand = /```sql\n(.*?vault\.update_secret.*?)```/s.exec(guide)?.[1] ?? '';
    await sql.unsafe(
      byHand.replace('https://PROJECT.supabase.co', 'https://project.example/').replace('…', 'hush-hush'),
    );
    expect(await schedule()).toBe('every 20 seconds');
    expect(await call()).toBe(true);
    expect(await sql`select url, headers ->> 'x-jobs-secret' as secret from net.sent`).toEqual([
      { url: 'https://project.example/functions/v1/runJobs', secret: 'hush-hush' },
    ]);
    for (const caller of ['anon', 'service'] as const)
      await expect(
        sql.begin(async (tx) => {
          await actAs(tx, caller);
          await tx`select private.call_jobs()`;
        }),
      ).rejects.toMatchObject({ code: '42501' });
  });
});

/** What pg_cron, pg_net and the vault offer, as far as we use it; no package brings them. */
async function standIns(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create schema cron; create schema net; create schema vault;
    create table cron.told (name text primary key, every text, command text);
    create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql as
      $$ insert into cron.told values (job_name, schedule, command) on conflict do nothing; select 1::bigint $$;
    create table cron.job_run_details (end_time timestamptz);
    create table net.sent (url text, headers jsonb, body jsonb);
    create function net.http_post(url text, body jsonb default '{}', params jsonb default '{}', headers jsonb default '{}',
                                  timeout_milliseconds integer default 5000) returns bigint language sql as
      $$ insert into net.sent values (url, headers, body); select 1::bigint $$;
    create table vault.secrets (id uuid primary key default gen_random_uuid(), name text unique, secret text);
    create view vault.decrypted_secrets as select id, name, secret as decrypted_secret from vault.secrets;
    create function vault.create_secret(new_secret text, new_name text default null) returns uuid language sql as
      $$ insert into vault.secrets (name, secret) values (new_name, new_secret) returning id $$;
    create function vault.update_secret(secret_id uuid, new_secret text default null) returns void language sql as
      $$ update vault.secrets set secret = new_secret where id = secret_id $$;`);
}

describe('under Deno', () => {
  test('every function type-checks, with only the packages of the shop', async () => {
    const files = functionNames.map((name) => join(functionsDir, name, 'index.ts'));
    const { code, said } = await deno(['check', ...offline, '--no-config', ...files]);
    expect(code, said).toBe(0);
    if (!process.env.SOAK) return;
    await writeFile(join(folder, 'wrong.ts'), 'export const price: number = "ten";');
    expect((await deno(['check', ...offline, '--no-config', join(folder, 'wrong.ts')])).code).toBe(1);
  });

  test.each(functionNames)('%s lists exactly the packages it uses, in the versions of the shop', async (name) => {
    const versions = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).dependencies;
    const { imports } = JSON.parse(await readFile(join(functionsDir, name, 'deno.json'), 'utf8'));
    const reached = await packagesFrom(join(functionsDir, name, 'index.ts'));
    expect(imports).toEqual(Object.fromEntries(reached.map((each) => [each, `npm:${each}@${versions[each]}`])));
  });
});

async function deno(args: string[]): Promise<{ code: number | null; said: string }> {
  const child = runDeno(args);
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  child.stderr.on('data', (chunk) => (said += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said };
}

/** Of packages that a file and whatever it imports name; types alone are not loaded, and Deno has Node's own. */
async function packagesFrom(entry: string): Promise<string[]> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = async (file: string): Promise<void> => {
    if (seen.has(file)) return;
    seen.add(file);
    const source = await readFile(file, 'utf8');
    const imports = source.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)'|import\('([^']+)'\)/gm);
    for (const [, written, asked] of imports) {
      const target = written ?? asked ?? '';
      if (target.startsWith('.')) await visit(join(file, '..', target));
      else if (!target.startsWith('node:')) packages.add(target);
    }
  };
  await visit(entry);
  return [...packages].sort();
}
