import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { loadLibrary } from './load-library.ts';

// Each test shows what the library does without our workarounds. When one fails after an upgrade, look at the workaround that names it.

const { App, createPostgresConnection } = await loadLibrary();
const publishableKey = 'sb_publishable_plain';
let database: TestDatabase;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
});
afterAll(() => database.drop());

/** The library without any of our workarounds. */
function plainLibrary(postgresOptions: object) {
  const connection = createPostgresConnection({ url: '', postgresOptions: { onnotice: () => {}, ...postgresOptions } });
  const app = new App({
    connection,
    auth: { enabled: true, jwt_secret: 'plain'.repeat(8), publishable_key: publishableKey, secret_key: 'sb_secret_x' },
    options: { server: { disableStudio: true, disableFallback: true, admin: false } },
  } as unknown as ConstructorParameters<typeof App>[0]);
  return { app, connection };
}

const readSettings = () =>
  new Request('http://localhost/rest/v1/shop_settings?select=name', { headers: { apikey: publishableKey } });

test('loading the library replaces process.emitWarning', async () => {
  const script = `
    const { emitWarning } = process;
    await import('@supabase/lite');
    process.stdout.write(process.emitWarning === emitWarning ? 'same' : 'replaced');`;
  const cwd = join(import.meta.dirname, '../..');
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd });
  expect(stdout).toBe('replaced');
});

test('a statement that took too long is a 500, and is reported with console.error only', async () => {
  await database.sql.unsafe(`
    create function public.take_too_long() returns int language plpgsql volatile as
    $$ begin raise exception 'too long' using errcode = '57014'; end $$;
    grant execute on function public.take_too_long() to anon`);
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { app, connection } = plainLibrary(database.connection);
  Object.assign(connection, { rlsState: 'active' });
  const url = 'http://localhost/rest/v1/rpc/take_too_long';
  const response = await app.fetch(new Request(url, { headers: { apikey: publishableKey } }));
  await connection.close();
  expect(response.status).toBe(500);
  expect(printed.mock.calls.flat().some((part) => (part as { code?: string }).code === '57014')).toBe(true);
  printed.mockRestore();
});

test('a new connection has yet to grant every table', async () => {
  const { connection } = plainLibrary({ path: '/nowhere/.s.PGSQL.5432' });
  expect(connection).toMatchObject({ rlsState: 'unknown' });
  await connection.close();
});

/** The library, and the statements it sends. */
function recordingLibrary() {
  const { app, connection } = plainLibrary(database.connection);
  Object.assign(connection, { rlsState: 'active' });
  const statements: string[] = [];
  const driver = connection.driver as unknown as postgres.Sql;
  const reserve = driver.reserve.bind(driver);
  Object.assign(driver, {
    async reserve() {
      const reserved = await reserve();
      const unsafe = (text: string, ...rest: never[]) => {
        statements.push(text);
        return reserved.unsafe(text, ...rest);
      };
      return new Proxy(reserved, {
        get: (_sql, name) => (name === 'unsafe' ? unsafe : reserved[name as keyof postgres.ReservedSql]),
      });
    },
  });
  return { app, connection, statements };
}

test('every setting of a request is a statement of its own', async () => {
  const { app, connection, statements } = recordingLibrary();
  expect((await app.fetch(readSettings())).status).toBe(200);
  await connection.close();
  expect(statements.filter((text) => /^select set_config\(/i.test(text)).length).toBeGreaterThan(2);
});

test('each of the first requests at once introspects the database', async () => {
  const countOf = async (requests: number) => {
    const { app, connection, statements } = recordingLibrary();
    await Promise.all(Array.from({ length: requests }, () => app.fetch(readSettings())));
    await connection.close();
    return statements.filter((text) => /\bpg_(class|catalog)\b|information_schema/i.test(text)).length;
  };
  expect(await countOf(4)).toBeGreaterThanOrEqual(3 * (await countOf(1)));
});

test('a refresh token gets a UUID as its id', async () => {
  const name = `plain_${process.pid}`;
  await database.sql.unsafe(`create database ${name}`);
  const own = { ...database.connection, database: name };
  const { app, connection } = plainLibrary(own);
  const sql = postgres({ ...own, max: 1, onnotice: () => {} } as postgres.Options<Record<string, never>>);
  try {
    await app.ensureSystemSchema();
    const [id] = await sql`
      select data_type from information_schema.columns
      where table_schema = 'auth' and table_name = 'refresh_tokens' and column_name = 'id'`;
    expect(id?.data_type).not.toBe('bigint');
  } finally {
    await Promise.all([connection.close(), sql.end({ timeout: 1 })]);
    await database.sql.unsafe(`drop database ${name} with (force)`);
  }
});
