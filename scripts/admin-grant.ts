// Makes a signed-in user an administrator: npm run admin:grant -- someone@example.com
// Works beside a running shop, on a stopped one and on DATABASE_URL; for a hosted project it prints the SQL.
import postgres from 'postgres';
import { z } from 'zod';
import { type Connection, explainDatabaseError, withShopDatabase } from '../server/postgres/shop-database.ts';
import { fail, print, readSettings } from './terminal.ts';

type Outcome = 'granted' | 'already' | 'unknown' | 'ambiguous';

const sentences: Record<Outcome, (email: string) => string> = {
  granted: (email) => `${email} is an administrator now.`,
  already: (email) => `${email} is an administrator already.`,
  unknown: (email) => `No user has signed in as ${email} yet: sign in to the shop first, then run this again.`,
  ambiguous: (email) => `More than one person has signed in as ${email}: no one was made an administrator.`,
};

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = fail(explainDatabaseError(error as Error & { code?: string }));
}

async function run(args: string[]): Promise<number> {
  const typed = z.tuple([z.email()]).safeParse(args);
  if (!typed.success) return fail('Usage: npm run admin:grant -- someone@example.com');
  const [email] = typed.data;
  const read = readSettings();
  if (!read.ok) return fail(`Wrong setting: ${read.problem}`);
  if (read.config.hosted) {
    print('This shop has a hosted backend: run the following in the SQL editor of its Supabase project.\n');
    print(`${grantStatement(`'${email.replaceAll("'", "''")}'`)};`);
    return 0;
  }
  const outcome = await withShopDatabase(read.config, (connection) => grant(connection, email));
  const sentence = sentences[outcome](email);
  if (outcome === 'unknown' || outcome === 'ambiguous') return fail(sentence);
  print(sentence);
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
