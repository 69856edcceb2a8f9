// Upstream: the library inserts a UUID as the id of a refresh token; in a Supabase project that column is a bigint.
// Can go when upstream-defects.test.ts, "a refresh token gets a UUID as its id", fails.
import type { ReservedSql } from 'postgres';

const insertOfToken = /^(insert into "auth"\."refresh_tokens" \("id", [^)]*\) values \()\$1(?=, )/;
/** Ignores the UUID, but keeps it as a parameter: the numbers of the others stay as they are. */
const nextId = `coalesce(nullif($1::text, $1::text)::bigint, nextval(pg_get_serial_sequence('auth.refresh_tokens', 'id')))`;

/** Inserts a refresh token as Supabase's Auth does, with the next number as its id; the library would insert a UUID. */
export function withNumberedToken(text: string): string {
  return text.replace(insertOfToken, (_whole, before: string) => before + nextId);
}

/** For the Auth tables of a Supabase project, where `refresh_tokens.id` is a bigint. */
export function numberTokens(sql: ReservedSql): ReservedSql {
  const unsafe = (text: string, ...rest: never[]) => sql.unsafe(withNumberedToken(text), ...rest);
  return new Proxy(sql, {
    get: (_sql, name) => (name === 'unsafe' ? unsafe : sql[name as keyof ReservedSql]),
  });
}
