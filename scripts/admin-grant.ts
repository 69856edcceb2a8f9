// Makes an administrator of somebody who has signed in: npm run admin:grant -- someone@example.com
// Works beside a running shop, on a stopped one and on DATABASE_URL; for a hosted project it prints the SQL.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres, { type Options } from 'postgres';
import { z } from 'zod';
import { readConfig, type ShopConfig } from '../server/config.ts';
import { databaseAt } from '../server/database-address.ts';
import { lockDataDir } from '../server/postgres/data-dir-lock.ts';
import { startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts';
import { socketFile } from '../server/postgres/socket-dir.ts';

type Outcome = 'granted' | 'already' | 'unknown' | 'ambiguous';
type Connection = Options<Record<string, never>>;

const sentences: Record<Outcome, (email: string) => string> = {
  granted: (email) => `${email} is an administrator now.`,
  already: (email) => `${email} is an administrator already.`,
  unknown: (email) => `Nobody has signed in as ${email} yet: sign in to the shop first, then run this again.`,
  ambiguous: (email) => `More than one person has signed in as ${email}: nobody was made an administrator.`,
};

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = fail(explain(error as Error & { code?: string }));
}

async function run(args: string[]): Promise<number> {
  const typed = z.tuple([z.email()]).safeParse(args);
  if (!typed.success) return fail('Usage: npm run admin:grant -- someone@example.com');
  const [email] = typed.data;
  if (existsSync('.env')) process.loadEnvFile('.env');
  const read = readConfig(process.env);
  if (!read.ok) return fail(`Wrong setting: ${read.problem}`);
  if (read.config.hosted) {
    say('This shop has a hosted backend: run the following in the SQL editor of its Supabase project.\n');
    say(`${grantStatement(`'${email.replaceAll("'", "''")}'`)};`);
    return 0;
  }
  const outcome = await withDatabase(read.config, (connection) => grant(connection, email));
  const sentence = sentences[outcome](email);
  if (outcome === 'unknown' || outcome === 'ambiguous') return fail(sentence);
  say(sentence);
  return 0;
}

/** `email` is an SQL expression. A social identity is what proves an address; a row in auth.users alone proves nothing. */
function grantStatement(email: string): string {
  return `with person as (
  select u.id from auth.users u
  where lower(u.email) = lower(${email}) and u.last_sign_in_at is not null
    and exists (select from auth.identities i where i.user_id = u.id and i.provider in ('google', 'github'))
), granted as (
  insert into private.administrators (user_id)
  select id from person where (select count(*) from person) = 1
  on conflict do nothing
  returning user_id
)
select case
  when (select count(*) from person) = 0 then 'unknown'
  when (select count(*) from person) > 1 then 'ambiguous'
  when exists (select from granted) then 'granted'
  else 'already'
end as outcome`;
}

async function grant(connection: Connection, email: string): Promise<Outcome> {
  const sql = postgres({ ...connection, max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    const [row] = await sql.unsafe<{ outcome: Outcome }[]>(grantStatement('$1::text'), [email]);
    return row?.outcome ?? 'unknown';
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function withDatabase<T>(config: ShopConfig, use: (connection: Connection) => Promise<T>): Promise<T> {
  if (config.databaseUrl) return use(databaseAt(config.databaseUrl));
  const { dataDir } = config;
  if (!existsSync(join(dataDir, 'postgres'))) {
    throw new Error(`There is no shop in ${dataDir} yet: start it and sign in first, then run this again.`);
  }
  const locked = lockDataDir(dataDir);
  if (!locked.ok) return use({ path: socketFile(socketDirIn(dataDir)), user: 'postgres', database: 'postgres' });
  try {
    const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
    try {
      return await use(server.connection);
    } finally {
      await server.stop();
    }
  } finally {
    locked.lock.release();
  }
}

/** Where the shop that holds the folder noted its socket (server/postgres/socket-dir.ts). */
function socketDirIn(dataDir: string): string {
  return readFileSync(join(dataDir, 'postgres-socket-dir'), 'utf8').trim();
}

function explain(error: Error & { code?: string }): string {
  // Away: no record of a socket, or nobody behind it. Empty: the tables are not there yet.
  const away = ['ENOENT', 'ECONNREFUSED', 'CONNECT_TIMEOUT', '57P03'];
  const empty = ['42P01', '3F000'];
  if (away.includes(error.code ?? '')) return `The database does not answer (${error.code}): try again in a moment.`;
  if (empty.includes(error.code ?? '')) return 'There is no shop in this database yet: start it and sign in first.';
  return error.message;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(line: string): number {
  process.stderr.write(`${line}\n`);
  return 1;
}
