import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import { connectAs, platformAdmin, startPlainPostgres } from './plain-postgres.ts';
import { type ServiceRoles, startServiceRoles } from './service-roles.ts';

export type StrictDatabase = {
  /** Of `postgres`, who is no superuser: what the owner of a Supabase project has. */
  address: string;
  stop(): Promise<void>;
};

/** The database of a Supabase project (supabase-ground.sql) for a shop in `dataDir`, where tests look for its socket. */
export async function startStrictDatabase(dataDir: string): Promise<StrictDatabase & { path: string }> {
  const server = await startPlainPostgres(18);
  const socketDir = dirname(server.path);
  await writeFile(join(dataDir, 'postgres-socket-dir'), socketDir);
  return {
    path: server.path,
    address: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(socketDir)}`,
    stop: server.stop,
  };
}

/** The same behind the platform's services: see service-roles.ts. */
export async function startProjectDatabase(dataDir: string): Promise<StrictDatabase> {
  const database = await startStrictDatabase(dataDir);
  let services: ServiceRoles;
  try {
    await runAs(database.path, platformAdmin, loginRights);
    await runAs(database.path, 'postgres', probes);
    services = await startServiceRoles(database.path);
  } catch (error) {
    await database.stop();
    throw error;
  }
  return {
    address: services.address,
    async stop() {
      await services.stop();
      await database.stop();
    },
  };
}

/**
 * PostgREST reads the catalogue, and Auth and Storage their own tables, with rights of their own. The library does all of it,
 * and looks up the user of a token, as its login role, which therefore inherits. A request itself runs with the rights of the
 * role that it is switched to, and no others.
 */
const loginRights = `
  grant anon, authenticated, service_role, supabase_auth_admin, supabase_storage_admin to authenticator with inherit true`;

/** What tests/http/platform.test.ts calls through the Data API. They are there before the Data API reads its catalogue. */
const probes = `
  create function public.probe_session() returns jsonb language sql stable set search_path = '' as $$
    select jsonb_build_object('login', session_user, 'role', current_user,
      'timeout', current_setting('statement_timeout'), 'readOnly', current_setting('transaction_read_only')) $$;
  create function public.probe_nothing() returns void language sql set search_path = '' as $$ select 1 $$;
  create function public.probe_update() returns void language plpgsql set search_path = '' as $$
    begin update storage.buckets set name = name; end $$;
  create function public.probe_write() returns void language plpgsql set search_path = '' as $$
    begin update storage.buckets set name = name where id = 'nothing'; end $$;
  revoke execute on function public.probe_session(), public.probe_nothing(), public.probe_update(), public.probe_write()
    from public;
  grant execute on function public.probe_session(), public.probe_nothing(), public.probe_update(), public.probe_write()
    to anon, authenticated, service_role`;

async function runAs(path: string, user: string, statements: string): Promise<void> {
  const sql = postgres({ ...connectAs(path, user, 'postgres'), max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statements).simple();
  } finally {
    await sql.end();
  }
}
