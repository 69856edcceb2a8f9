import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applySchemas } from '../../scripts/schema/apply-schemas.ts';
import { type Catalogue, compareCatalogues, readCatalogue } from '../../scripts/schema/catalogue.ts';
import { migrate } from '../../server/backends/schema/migrate.ts';
import { readMigrations } from '../../server/backends/schema/migration-history.ts';
import { supabaseDir } from '../support/database.ts';
import {
  connectAs,
  olderDefaults,
  type PlainPostgres,
  platformAdmin,
  prepareProject,
  startPlainPostgres,
} from '../support/plain-postgres.ts';
import { schemaRows } from '../support/schema-rows.ts';

// The newest PostgreSQL is compared by supabase/tests/schemas.test.ts.
describe.each([15, 17] as const)('on a PostgreSQL %i', (major) => {
  let server: PlainPostgres;
  beforeAll(async () => {
    server = await startPlainPostgres(major);
  });
  afterAll(() => server?.stop());

  type Connection = PlainPostgres['connection'];
  type Made = { catalogue: Catalogue; rows: Record<string, string[]> };
  async function madeBy(name: string, make: (connection: Connection) => Promise<unknown>): Promise<Made> {
    const admin = postgres({ ...connectAs(server.path, platformAdmin, 'postgres'), max: 1, onnotice: () => {} });
    await admin.unsafe(`create database ${name} owner postgres`);
    await admin.end();
    await prepareProject(server.path, name, { roles: false });
    const connection = connectAs(server.path, 'postgres', name);
    await make(connection);
    return withSql(connection, async (sql) => ({ catalogue: await readCatalogue(sql), rows: await schemaRows(sql) }));
  }
  async function withSql<T>(connection: Connection, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    const sql = postgres({ ...connection, max: 1, onnotice: () => {} });
    return use(sql).finally(() => sql.end());
  }

  test('the schemas, the migrations and the history create the same catalogue and rows', async () => {
    const bySchemas = await madeBy('by_schemas', applySchemas);
    const byMigrations = await madeBy('by_migrations', (at) => withSql(at, (sql) => migrate(sql, supabaseDir)));
    const { history } = await readMigrations(supabaseDir);
    const versions = new Set(history.map(({ version }) => version));
    const byHistory = await madeBy('by_history', (at) =>
      withSql(at, async (sql) => {
        await migrate(sql, supabaseDir, versions);
        await migrate(sql, supabaseDir);
      }),
    );
    expect(bySchemas.catalogue.size).toBeGreaterThan(3000);
    for (const made of [byMigrations, byHistory]) {
      expect(compareCatalogues(bySchemas.catalogue, made.catalogue)).toEqual([]);
      expect(made.rows).toEqual(bySchemas.rows);
    }
  });

  // Default privileges work alike in all versions: `npm test` compares them on the newer of the two, the soak run on both.
  if (major === 17 || process.env.SOAK)
    test('older projects, which grant everything new to all roles, get the same grants from the baseline as from the history', async () => {
      const onOlder = (name: string, only?: ReadonlySet<string>) =>
        madeBy(name, (at) =>
          withSql(at, async (sql) => {
            await sql.unsafe(olderDefaults).simple();
            await migrate(sql, supabaseDir, only);
            await migrate(sql, supabaseDir);
          }),
        );
      const { history } = await readMigrations(supabaseDir);
      const byHistory = await onOlder('older_by_history', new Set(history.map(({ version }) => version)));
      const byBaseline = await onOlder('older_by_baseline');
      expect(compareCatalogues(byHistory.catalogue, byBaseline.catalogue)).toEqual([]);
    });
});
