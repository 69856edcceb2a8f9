import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareCatalogues, readCatalogue } from '../../scripts/schema/catalogue.ts';
import { readMigrations } from '../../server/backends/schema/migration-history.ts';
import { readConfig } from '../../server/config.ts';
import { restoreBackup } from '../../server/operations/backup/restore-backup.ts';
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts';
import { recordHistory } from '../support/before-baseline.ts';
import { supabaseDir } from '../support/database.ts';
import { copyFilledShop } from '../support/filled-shop.ts';
import { newDataDir, removeDataDir, startShop } from '../support/shop.ts';
import { demoCounts, withSql } from './processes.ts';

const versionsOf = (sql: Sql) =>
  sql<{ version: string }[]>`select version from supabase_migrations.schema_migrations order by 1`.then((rows) =>
    rows.map(({ version }) => version),
  );
const { history, migrations } = await readMigrations(supabaseDir);
const everyVersion = [...history, ...migrations].map(({ version }) => version);
let folder: string;

beforeAll(async () => {
  folder = await newDataDir();
});
afterAll(() => removeDataDir(folder));

/** Reads the database of a stopped shop. */
async function withStopped<T>(dataDir: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const sql = postgres({ ...server.connection, max: 1, onnotice: () => {} });
  try {
    return await use(sql);
  } finally {
    await sql.end();
    await server.stop();
  }
}

describe('a data folder made before the baseline', () => {
  test('starts, keeps every row, and then has the schema of a new shop', async () => {
    const dataDir = await copyFilledShop(join(folder, 'older'));
    const before = await withStopped(dataDir, async (sql) => {
      const facts = { rows: await demoCounts(sql), catalogue: await readCatalogue(sql) };
      await recordHistory(sql);
      return facts;
    });
    const shop = await startShop({ dataDir });
    // Nothing ran: everything that the baseline creates was there.
    expect(shop.output()).not.toContain('Database migrated');
    await withSql(dataDir, async (sql) => {
      expect(await demoCounts(sql)).toEqual({ ...before.rows, migrations: everyVersion.length });
      expect(compareCatalogues(before.catalogue, await readCatalogue(sql))).toEqual([]);
      expect(await versionsOf(sql)).toEqual(everyVersion);
    });
    expect(await shop.stop()).toBe(0);
  });
});

describe('a backup made before the baseline', () => {
  const fixture = join(import.meta.dirname, '../fixtures/shop-before-baseline.backup');

  test('restores with every row and file, and the shop opens on it', async () => {
    const env = { DATA_DIR: join(folder, 'restored'), SHOP_DEMO: '0' };
    const read = readConfig(env);
    if (!read.ok) throw new Error(read.problem);
    const restored = await restoreBackup({ config: read.config, file: fixture, supabaseDir, step: () => {} });
    expect(restored).toMatchObject({ tables: 95, rows: 722, files: 1 });
    const fresh = await withStopped(await copyFilledShop(join(folder, 'fresh')), readCatalogue);
    const shop = await startShop({ dataDir: env.DATA_DIR, env });
    await withSql(env.DATA_DIR, async (sql) => {
      expect(await versionsOf(sql)).toEqual(everyVersion);
      // The demo has tables of its own, and the schema of extensions is the superuser's, who restored.
      const differences = compareCatalogues(fresh, await readCatalogue(sql)).map(({ key }) => key);
      expect(differences.filter((key) => !/ demo\b|^schema extensions$/.test(key))).toEqual([]);
      expect(await sql`select "Name" as name from public."Products" order by 1`).toEqual([
        { name: 'Besan Laddu' },
        { name: 'Kaju Katli Box' },
        { name: 'Soan Papdi' },
      ]);
      const orders = await sql`select source, payment_status, delivery_name from public.orders order by number`;
      expect(orders).toEqual([
        { source: 'direct', payment_status: 'paid', delivery_name: 'Meera Till' },
        { source: 'manual', payment_status: 'unpaid', delivery_name: 'Sudha Kamble' },
      ]);
      expect(await sql`select content from public.comments`).toEqual([{ content: 'Fresh and soft' }]);
      expect(await sql`select state from private.checkouts order by state = 'paid' desc`).toMatchObject([
        { state: 'paid' },
        {},
      ]);
      expect(await sql`select * from public.check_invariants()`).toEqual([]);
    });
    expect(await shop.stop()).toBe(0);
  });
});
