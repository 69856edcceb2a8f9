import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';

export type Person = { id: number; name: string; email: string };
export type GrantKind = 'code' | 'token';

/** Codes and tokens of the demo sign-in, each good for a minute. */
export type GrantStore = {
  issue(kind: GrantKind, person: Person, at: number): Promise<string>;
  look(kind: GrantKind, key: string, at: number): Promise<Person | null>;
  /** Looks, and uses it up. */
  take(kind: GrantKind, key: string, at: number): Promise<Person | null>;
};

const LIFETIME_MS = 60_000;

/** Demo only, so no migration. Unlogged: after a crash users sign in again. */
export async function prepareGrants(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create schema if not exists demo;
    revoke all on schema demo from public, anon, authenticated;
    create unlogged table if not exists demo.grants (
      key text primary key,
      kind text not null,
      person jsonb not null,
      expires_at bigint not null
    );
    alter table demo.grants enable row level security;
    revoke all on demo.grants from public, anon, authenticated;`);
}

/** In the database, because the requests of one sign-in may reach different nodes. */
export function createGrantStore(sql: Sql): GrantStore {
  const lasts = (at: number) => sql`expires_at > ${at}`;
  return {
    async issue(kind, person, at) {
      const key = randomBytes(24).toString('base64url');
      await sql`
        with outdated as (
          delete from demo.grants where key in (
            select key from demo.grants where not (${lasts(at)}) limit 100 for update skip locked)
        )
        insert into demo.grants (key, kind, person, expires_at)
        values (${key}, ${kind}, ${sql.json(person)}, ${at + LIFETIME_MS})`;
      return key;
    },
    async look(kind, key, at) {
      const [row] = await sql<{ person: Person }[]>`
        select person from demo.grants where key = ${key} and kind = ${kind} and ${lasts(at)}`;
      return row?.person ?? null;
    },
    async take(kind, key, at) {
      const [row] = await sql<{ person: Person }[]>`
        delete from demo.grants where key = ${key} and kind = ${kind} and ${lasts(at)} returning person`;
      return row?.person ?? null;
    },
  };
}
