import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { serve } from '@hono/node-server';
import postgres, { type Options, type Sql } from 'postgres';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../server/backends/schema/migrate.ts';
import { readConfig, type ShopConfig } from '../../server/config.ts';
import { createLite } from '../../server/lite/lite.ts';
import { type FilePlace, storageOfProject } from '../../server/operations/move/file-places.ts';
import { moveShop } from '../../server/operations/move/move-shop.ts';
import { databaseAt } from '../../server/postgres/database-address.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts';
import { type BreakingLine, startBreakingLine } from '../support/breaking-line.ts';
import { buyOverHttp, setAddress } from '../support/buying.ts';
import { supabaseDir } from '../support/database.ts';
import { copyFilledShop } from '../support/filled-shop.ts';
import { type PlainPostgres, startPlainPostgres } from '../support/plain-postgres.ts';
import { newDataDir, plainEnvironment, type RunningShop, removeDataDir, startShop } from '../support/shop.ts';
import { type ShopClient, signInAs, userIdOf } from '../support/visitor.ts';
import { eventually, leftoversOf } from './processes.ts';

// The tests of this file tell one story, in order: a shop, and the places it moves to.
const root = join(import.meta.dirname, '../..');
const upload = 'products/before/kaju-katli-960.webp';
const movedCustomer = { name: 'Moved Customer', email: 'moved@example.com' };
let folder: string;
let shop: RunningShop;
let server: EmbeddedPostgres;
let project: PlainPostgres;
let customer: ShopClient;
let orders: string[];

const at = (name: string) => join(folder, name);
const addressOf = (database: string) =>
  `postgres://postgres@localhost/${database}?host=${encodeURIComponent(server.socketDir)}`;

beforeAll(async () => {
  folder = await newDataDir();
  [shop, server, project] = await Promise.all([
    copyFilledShop(at('old')).then((dataDir) => startShop({ dataDir })),
    startEmbeddedPostgres({ dataDir: at('server'), log: () => {} }),
    startPlainPostgres(17),
  ]);
  customer = await signInAs(shop.url, movedCustomer);
  await setAddress(customer);
  orders = [
    await buyOverHttp(shop.url, customer, [{ productId: 1, quantity: 1, size: 500 }]),
    await buyOverHttp(shop.url, customer, [{ productId: 2, quantity: 2, size: 500 }]),
  ];
  // Refunded, by the worker.
  const canceled = await customer
    .from('orders')
    .update({ status: 'canceled' })
    .eq('id', orders[1] as string);
  expect(canceled.error).toBeNull();
  const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#f4a300' } })
    .webp()
    .toBuffer();
  const administrator = await signInAs(shop.url, { account: 'Asha Rao' });
  const [bucket = '', ...name] = upload.split('/');
  const stored = await administrator.storage
    .from(bucket)
    .upload(name.join('/'), new Blob([new Uint8Array(picture)], { type: 'image/webp' }));
  expect(stored.error).toBeNull();
  await shop.stop();
  await withDatabase('postgres', async (sql) => {
    for (const database of ['taken', 'fresh']) await sql.unsafe(`create database ${database}`).simple();
  });
});

afterAll(async () => {
  await shop?.stop();
  await server?.stop();
  await project?.stop();
  await removeDataDir(folder);
});

async function withDatabase<T>(database: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres({ ...server.connection, database, max: 2, onnotice: () => {} });
  return use(sql).finally(() => sql.end({ timeout: 5 }));
}

async function inProject<T>(use: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres({ ...project.connection, max: 2, onnotice: () => {} });
  return use(sql).finally(() => sql.end({ timeout: 5 }));
}

type Env = Record<string, string>;
const plainEnv = (env: Env): Env => ({ ...plainEnvironment(), DATA_DIR: at('old'), ...env });

function run(args: string[], env: Env = {}): Promise<{ code: number; said: string; complained: string }> {
  return new Promise((resolve) => {
    const options = { cwd: root, env: plainEnv(env) };
    execFile(process.execPath, ['scripts/move.ts', ...args], options, (error, said, complained) =>
      resolve({ code: error ? Number(error.code) : 0, said: said.trim(), complained: complained.trim() }),
    );
  });
}

function settings(env: Env): ShopConfig {
  const read = readConfig(env);
  if (!read.ok) throw new Error(read.problem);
  return read.config;
}

/** What the command does with a shop at a DATABASE_URL, without a process of its own. */
function moveHere(
  from: string,
  target: Options<Record<string, never>>,
  files: FilePlace | null,
  step: (message: string) => void = () => {},
) {
  const config = settings({ DATABASE_URL: addressOf(from), FILES_DIR: at('new-files') });
  const connection = databaseAt(addressOf(from));
  const { signal } = new AbortController();
  return moveShop({ config, connection, target, files, supabaseDir, signal, step });
}

const rowsIn = (sql: Sql) =>
  sql<{ people: number; orders: number; products: number }[]>`
    select (select count(*)::int from auth.users) as people, (select count(*)::int from public.orders) as orders,
      (select count(*)::int from public."Products") as products`.then(([row]) => ({ ...row }));
const nothing = { people: 0, orders: 0, products: 0 };

test('a wrong target prints one line without its password', async () => {
  const usage = 'Usage: npm run move -- postgres://user:password@host:5432/database [folder for files]';
  const cases: [string[], string | RegExp, Env?][] = [
    [['https://project.supabase.co'], usage],
    [['postgres://me:hush-hush@127.0.0.1:6543/postgres'], /^This is the address of a transaction pooler: [^\n]*$/],
    [['postgres://me:hush-hush@127.0.0.1:9/postgres'], /^The target cannot be reached: [^\n]*$/],
    [[addressOf('nowhere')], 'The target cannot be reached: database "nowhere" does not exist'],
    [[addressOf('fresh')], 'The shop has 1 uploaded file: name the folder they go to after the database.'],
    [[addressOf('fresh')], /^Wrong setting: SUPABASE_URL must be [^\n]*$/, { SUPABASE_SECRET_KEY: 'hush-hush' }],
  ];
  for (const [args, sentence, env] of cases) {
    const { code, complained } = await run(args, env);
    if (typeof sentence === 'string') expect(complained).toBe(sentence);
    else expect(complained).toMatch(sentence);
    expect(complained).not.toContain('hush-hush');
    expect(code).toBe(1);
  }
  expect(leftoversOf(at('old'))).toEqual([]);
});

test('a target that is not empty is refused and stays unchanged', async () => {
  await withDatabase('taken', (sql) => sql.unsafe('create table notes (line text)'));
  expect(await run([addressOf('taken'), at('new-files')])).toMatchObject({
    code: 1,
    complained: 'The target is not empty: it holds tables of something else. A shop is moved into an empty database.',
  });
  mkdirSync(at('other-files/products'), { recursive: true });
  writeFileSync(at('other-files/products/mine.webp'), '');
  expect((await run([addressOf('fresh'), at('other-files')])).complained).toMatch(
    /other-files holds other files already, products\/mine\.webp for one: files are moved into an empty place\.$/,
  );
  expect(readdirSync(at('other-files/products'))).toEqual(['mine.webp']);
  expect(await withDatabase('fresh', rowsIn)).toEqual(nothing);
});

test('a move that is killed or stopped leaves nothing in the target', async () => {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    await withDatabase('fresh', async (sql) => {
      const busy = await sql.reserve();
      // One of the last tables is locked: the others are filled by then.
      await busy.unsafe('begin; lock table public.vendors in share mode').simple();
      const moving = spawn(process.execPath, ['scripts/move.ts', addressOf('fresh'), at('new-files')], {
        cwd: root,
        env: plainEnv({}),
      });
      const ended = new Promise((resolve) => moving.once('exit', (code, killedBy) => resolve(killedBy ?? code)));
      const isWaiting = async () =>
        (await sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%"vendors"%'`).length >
        0;
      await eventually(isWaiting, 'the move has come to the last tables');
      moving.kill(signal);
      if (signal === 'SIGKILL') expect(await ended).toBe('SIGKILL');
      await busy.unsafe('commit').simple();
      busy.release();
      if (signal === 'SIGTERM') expect(await ended).toBe(1);
      const isOver = async () =>
        (
          await sql`select from pg_stat_activity where xact_start is not null and pid <> pg_backend_pid()
          and datname = current_database()`
        ).length === 0;
      await eventually(isOver, 'the database has noticed');
      expect(await rowsIn(sql)).toEqual(nothing);
    });
    expect(existsSync(at('new-files')) ? readdirSync(at('new-files'), { recursive: true }) : []).toEqual([]);
  }
});

test('a second attempt moves every row, sum and file, and says so', async () => {
  // As a machine that lost its power in the middle would leave it.
  mkdirSync(dirname(join(at('new-files'), upload)), { recursive: true });
  writeFileSync(join(at('new-files'), upload), 'half a picture');
  const { code, said, complained } = await run([addressOf('fresh'), at('new-files')]);
  expect({ code, complained }).toEqual({ code: 0, complained: '' });
  expect(said).toMatch(/^ {2}Every table, sum and file is the same on both sides$/m);
  expect(said).toMatch(/\nMoved: \d+ tables, [\d,]+ rows, 1 file\. Sessions stay valid\. /);
  const figures = [...said.matchAll(/^ {2}([a-z ]+?) +([\d.]+) +([\d.]+)$/gm)].map(([, what, here, there]) => ({
    what,
    here: Number(here),
    there: Number(there),
  }));
  expect(figures.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['people', 'orders', 'order totals', 'payments', 'refunds', 'stock on hand', 'files']),
  );
  for (const { here, there } of figures) expect(there).toBe(here);
  expect(figures.find(({ what }) => what === 'refunds')?.here).toBeGreaterThan(0);
  expect(readFileSync(join(at('new-files'), upload))).toEqual(readFileSync(join(at('old/files'), upload)));
  expect(
    await withDatabase('fresh', (sql) => sql`select * from public.check_invariants()`.then((rows) => [...rows])),
  ).toEqual([]);
});

test('a shop is never moved over another shop', async () => {
  const before = await withDatabase('fresh', rowsIn);
  const { code, complained } = await run([addressOf('fresh'), at('new-files')]);
  expect(complained).toMatch(
    /^The target is not empty: there are rows in auth\.users, [^\n]*A shop is moved into an empty one\.$/,
  );
  expect(code).toBe(1);
  expect(await withDatabase('fresh', rowsIn)).toEqual(before);
  expect(existsSync(join(at('new-files'), upload))).toBe(true);
});

const keys = {
  publishableKey: `sb_publishable_${randomUUID()}`,
  secretKey: `sb_secret_${randomUUID()}`,
  jwtSecret: randomUUID() + randomUUID(),
};

test('into a Supabase project: the same people with their sign-in identities, rows its Auth can read, and the files in its Storage', async () => {
  const target = project.connection;
  await inProject((sql) => migrate(sql, supabaseDir));
  await expect(moveHere('fresh', target, null)).rejects.toThrow('This is the demo shop, and its people are invented');
  // From here on it is taken for a real one.
  await withDatabase('fresh', (sql) => sql`update private.instance set name = 'real' where name = 'demo'`);
  await expect(moveHere('fresh', target, null)).rejects.toThrow(
    'The shop has 1 uploaded file: set SUPABASE_URL and SUPABASE_SECRET_KEY of the project.',
  );
  const lite = await createLite({
    connection: project.connection,
    keys,
    siteUrl: 'http://localhost',
    apiUrl: 'http://localhost',
    redirectUrls: [],
    social: { name: 'google', clientId: 'unused', clientSecret: 'unused' },
    filesDir: at('storage'),
    log: () => {},
  });
  const storage = serve({ fetch: (request) => lite.fetch(request), port: 0 });
  await new Promise((listening) => storage.once('listening', listening));
  const url = `http://127.0.0.1:${(storage.address() as AddressInfo).port}`;
  try {
    const wrongKey = storageOfProject({ url, secretKey: keys.secretKey.slice(1) });
    await expect(moveHere('fresh', target, wrongKey)).rejects.toThrow('is this its secret key?');
    const place = storageOfProject({ url, secretKey: keys.secretKey });
    await refusesWhatChangesOnTheWay(target, place);
    await losesNoFileWithTheConnection(target, place);
    const stored = await fetch(`${url}/storage/v1/object/public/${upload}`);
    expect(Buffer.from(await stored.arrayBuffer())).toEqual(readFileSync(join(at('new-files'), upload)));
  } finally {
    storage.close();
    await lite.close();
  }
  const id = await userIdOf(customer);
  await inProject(async (sql) => {
    const people = await sql`select * from auth.users where id = ${id}`;
    expect(people).toMatchObject([
      {
        instance_id: '00000000-0000-0000-0000-000000000000',
        aud: 'authenticated',
        role: 'authenticated',
        email: movedCustomer.email,
        confirmation_token: '',
        recovery_token: '',
        email_change: '',
        email_change_token_new: '',
        raw_user_meta_data: { full_name: movedCustomer.name },
      },
    ]);
    const identities =
      await sql`select provider, provider_id, identity_data from auth.identities where user_id = ${id}`;
    expect(identities).toMatchObject([{ provider: 'github', identity_data: { sub: identities[0]?.provider_id } }]);
    const [unreadable] = await sql`select count(*)::int as people from auth.users
      where num_nulls(confirmation_token, recovery_token, email_change, email_change_token_new, instance_id) > 0
        or jsonb_typeof(raw_user_meta_data) <> 'object' or jsonb_typeof(raw_app_meta_data) <> 'object'`;
    expect(unreadable?.people).toBe(0);
    expect(await sql`select name from private.instance order by name`).toEqual([{ name: 'real' }]);
    expect(await sql`select * from public.check_invariants()`).toEqual([]);
    const [numbers] = await sql<{ next: number; last: number }[]>`
      select nextval('public.orders_number_seq')::int as next, (select max(number)::int from public.orders) as last`;
    expect(numbers?.next).toBeGreaterThan(numbers?.last ?? Number.NaN);
  });
});

/** A trigger that runs in any case stands for whatever could go wrong. */
async function refusesWhatChangesOnTheWay(target: Options<Record<string, never>>, place: FilePlace): Promise<void> {
  await inProject(async (sql) => {
    await sql.unsafe(`
      create function public.careless() returns trigger language plpgsql as $$ begin new.name := 'somebody'; return new; end $$;
      create trigger careless before insert on public.vendors for each row execute function public.careless();
      alter table public.vendors enable always trigger careless`);
    await expect(moveHere('fresh', target, place)).rejects.toThrow(
      /^What arrived is not what was sent\. Nothing was moved:\n {2}public\.vendors: \d+ rows on both sides, but not the same$/,
    );
    expect(await rowsIn(sql)).toEqual(nothing);
    expect((await sql`select from storage.objects`).length).toBe(0);
    await sql.unsafe('drop function public.careless() cascade');
    const [last] = await sql`delete from supabase_migrations.schema_migrations where version = (
      select max(version) from supabase_migrations.schema_migrations) returning *`;
    await expect(moveHere('fresh', target, place)).rejects.toThrow(/it lacks 1 of \d+ migrations, from \d+ on\./);
    await sql`insert into supabase_migrations.schema_migrations ${sql({ ...last, version: '29991231000000' })}`;
    await expect(moveHere('fresh', target, place)).rejects.toThrow('The target is of a newer shop');
    await sql`update supabase_migrations.schema_migrations set version = ${last?.version} where version > '2999'`;
    await sql`drop table if exists supabase_migrations.checksums`; // the Supabase CLI makes none
    await sql`update supabase_migrations.schema_migrations set statements = array_append(statements, 'select 1')
      where version = ${last?.version}`;
    await expect(moveHere('fresh', target, place)).rejects.toThrow(
      /^The target: .* in which Migration \S+ had another text/,
    );
    await sql`update supabase_migrations.schema_migrations set statements = ${last?.statements}
      where version = ${last?.version}`;
  });
}

/** The last of these moves is a whole one, whatever its connection has gone through. */
async function losesNoFileWithTheConnection(target: Options<Record<string, never>>, place: FilePlace): Promise<void> {
  const moveOverALine = async (spoil: (line: BreakingLine) => void) => {
    const line = await startBreakingLine(project.path, at('line'));
    const said: string[] = [];
    const step = (message: string) => {
      said.push(message);
      if (message.startsWith('Every table, sum and file is the same')) spoil(line);
    };
    const overIt = { ...target, path: at('line'), prepare: false } as Options<Record<string, never>>;
    return moveHere('fresh', overIt, place, step)
      .then((summary) => ({ ...summary, said }))
      .finally(line.stop);
  };
  await expect(moveOverALine((line) => line.breakForEverAt('commit'))).rejects.toThrow(
    /^The target was lost at the very end \([^)]+\): it holds the whole shop, or nothing\. The files in \S+ were kept\. /,
  );
  expect(await inProject((sql) => sql`select from storage.objects`)).toHaveLength(1);
  const { figures, files, said } = await moveOverALine((line) => line.breakAfter(/commit\0/, /analyze "/));
  expect(said.at(-1)).toMatch(
    /^Everything is there, but the target has no statistics yet \(.+\): run "analyze" in it$/,
  );
  expect(files).toBe(1);
  for (const { here, there } of figures) expect(there).toBe(here);
}

test('the moved shop opens: sessions still work, signing in finds the same person, and order numbers continue', async () => {
  await withDatabase('fresh', (sql) => sql`update private.instance set name = 'demo' where name = 'real'`);
  const { port } = new URL(shop.url); // where the session believes the shop to be
  shop = await startShop({
    dataDir: at('new'),
    env: { PORT: port, DATABASE_URL: addressOf('fresh'), FILES_DIR: at('new-files') },
  });
  expect((await customer.auth.refreshSession()).error).toBeNull();
  const again = await signInAs(shop.url, movedCustomer);
  expect(await userIdOf(again)).toBe(await userIdOf(customer));
  const stored = await fetch(`${shop.url}/storage/v1/object/public/${upload}`);
  expect(Buffer.from(await stored.arrayBuffer())).toEqual(readFileSync(join(at('old/files'), upload)));
  const newer = await buyOverHttp(shop.url, again, [{ productId: 1, quantity: 1, size: 500 }]);
  const { data } = await again.from('orders').select('id').order('number');
  expect(data?.map(({ id }) => id)).toEqual([...orders, newer]);
});
