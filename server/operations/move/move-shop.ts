import { join } from 'node:path';
import type { Sql, TransactionSql } from 'postgres';
import {
  allMigrations,
  appliedMigrations,
  checkHistory,
  historyProblem,
  readMigrations,
  versionsIn,
} from '../../backends/schema/migration-history.ts';
import { withSetupLock } from '../../backends/schema/prepare-database.ts';
import type { ShopConfig } from '../../config.ts';
import { collectStatistics } from '../../postgres/collect-statistics.ts';
import { type Connection, withConnection } from '../../postgres/shop-database.ts';
import { createEmptyTables, disableTriggers, fillTable, setSequences } from '../backup/load-database.ts';
import { inWords } from '../backup/make-backup.ts';
import {
  allOf,
  filesBelow,
  openFile,
  rowsOf,
  type ShopTable,
  sequencesOf,
  tablesOf,
  withSnapshot,
} from '../backup/read-shop.ts';
import { readKeys, saveKeysTo } from '../instance-keys.ts';
import { beginConfirmed, CommitUnknown } from './confirmed-transaction.ts';
import { tablesToCopy, versionsUpToNewest } from './earlier-shop.ts';
import { comparedSums, type Figure, figuresOf, sumsOf, tableDifferences } from './figures.ts';
import { type FilePlace, sha256 } from './file-places.ts';
import { inspectTarget, refuseIfUsed, type Target } from './inspect-target.ts';
import { movedTables } from './moved-tables.ts';

export type MoveOptions = {
  config: ShopConfig;
  connection: Connection;
  target: Connection;
  /** null: no place for files was given. */
  files: FilePlace | null;
  supabaseDir: string;
  signal: AbortSignal;
  step(message: string): void;
};
export type MoveSummary = { tables: number; rows: number; files: number; figures: Figure[]; kind: Target['kind'] };
/** `only`: the versions it has, when it was made by an earlier version of the shop whose migrations had other texts. */
type Shop = { tables: ShopTable[]; isDemo: boolean; files: string[]; only?: ReadonlySet<string> };

/** Copies a shop into an empty database and compares both: completely, or not at all. */
export async function moveShop(options: MoveOptions): Promise<MoveSummary> {
  const { config, connection, signal, step } = options;
  const { supabaseDir } = options;
  const migrations = await readMigrations(supabaseDir);
  const known = versionsIn(migrations);
  return withSnapshot(connection, async (snapshot) => {
    const shop = await readShop(snapshot);
    return withTarget(options.target, async (sql) =>
      withSetupLock(options.target, async () => {
        const target = await inspectTarget(sql, migrations);
        if (shop.isDemo && target.kind === 'project')
          throw new Error('This is the demo shop, and its people are invented: a Supabase project is for a real one.');
        if (shop.only && target.kind === 'project')
          throw new Error(
            'This shop was made by an earlier version: move it into an empty database of your own first, then from there.',
          );
        const files = await placeOfFiles(shop, target);
        if (target.kind === 'ours') {
          const demo = shop.tables.some(({ schema }) => schema === 'demo');
          await createEmptyTables({
            sql,
            connection: options.target,
            supabaseDir,
            demo,
            ...(shop.only && { only: shop.only }),
          });
          step('The target has empty tables');
        }
        const stored: string[] = [];
        const summary = await beginConfirmed(sql, (transaction) =>
          move(snapshot, transaction, { shop, target, files, stored }),
        ).catch(async (error: Error) => {
          if (error instanceof CommitUnknown) throw withAdvice(error, stored.length > 0 ? files : null);
          await files?.remove(stored).catch(() => {}); // the next move overwrites them
          throw error;
        });
        await collectStatistics(sql).catch((error: Error) => {
          step(`Everything is there, but the target has no statistics yet (${error.message}): run "analyze" in it`);
        });
        return summary;
      }),
    );
  });

  async function readShop(snapshot: TransactionSql): Promise<Shop> {
    const tables = await tablesOf(snapshot);
    const files = await allOf(filesBelow(config.filesDir));
    const isDemo = (await snapshot`select from private.instance where name = 'demo'`).length > 0;
    const history = await appliedMigrations(snapshot);
    const { edited, reworded } = checkHistory(history, allMigrations(migrations));
    if (edited.length > 0) throw new Error(historyProblem({ edited, reworded: [], unrecorded: [] }) ?? '');
    const applied = history.map(({ version }) => version);
    if (reworded.length > 0) return { tables, files, isDemo, only: versionsUpToNewest(applied, known) };
    const needed = migrations.migrations.map(({ version }) => version);
    const other = [...needed, ...applied].find((version) => !known.has(version) || !applied.includes(version));
    if (other)
      throw new Error(
        `This shop and this program are not of the same version (migration ${other}): start it once first.`,
      );
    return { tables, files, isDemo };
  }

  async function placeOfFiles(shop: Shop, { kind }: Target): Promise<FilePlace | null> {
    if (shop.files.length === 0) return null;
    if (options.files) {
      await options.files.check();
      return options.files;
    }
    const how =
      kind === 'project'
        ? 'set SUPABASE_URL and SUPABASE_SECRET_KEY of the project'
        : 'name the folder they go to after the database';
    throw new Error(`The shop has ${inWords(shop.files.length, 'uploaded file')}: ${how}.`);
  }

  async function move(
    snapshot: TransactionSql,
    transaction: TransactionSql,
    { shop, target, files, stored }: { shop: Shop; target: Target; files: FilePlace | null; stored: string[] },
  ): Promise<MoveSummary> {
    await refuseIfUsed(transaction);
    const foreign = (await files?.held(transaction))?.filter((path) => !shop.files.includes(path)) ?? [];
    if (foreign.length > 0)
      throw new Error(
        `${files?.title} holds other files already, ${foreign[0]} for one: files are moved into an empty place.`,
      );
    await disableTriggers(transaction);
    await transaction.unsafe('set local row_security = off; set local idle_in_transaction_session_timeout = 0');
    // movedTables() handles the columns that a project's own Auth lacks.
    const here = target.kind === 'ours' ? await tablesToCopy(shop.tables, snapshot, transaction) : shop.tables;
    const tables = await movedTables(target.kind, here, transaction);
    let rows = 0;
    for (const table of tables) {
      signal.throwIfAborted();
      rows += await fillTable(transaction, table, rowsOf(snapshot, table));
    }
    step(`${inWords(tables.length, 'table')} filled, ${inWords(rows, 'row')}`);
    const digests = files ? await storeFiles(files, shop.files, stored) : new Map<string, string>();
    const { figures, differences } = await compare(snapshot, transaction, { tables, files, digests });
    if (differences.length > 0)
      throw new Error(['What arrived is not what was sent. Nothing was moved:', ...differences].join('\n  '));
    step('Every table, sum and file is the same on both sides');

    const ours = target.kind === 'ours';
    const sequences = await sequencesOf(snapshot);
    await setSequences(
      transaction,
      sequences.filter(({ schema }) => ours || ['public', 'private'].includes(schema)),
    );
    // Keys are copied into a database of ours, so that sessions stay valid. A project has its own keys.
    const keys = ours ? await readKeys(snapshot, config) : null;
    await transaction`delete from private.instance where name = 'keys'`;
    if (keys) await saveKeysTo(transaction, keys);
    signal.throwIfAborted();
    return { tables: tables.length, rows, files: digests.size, figures, kind: target.kind };
  }

  /** The digest of each file of this shop. */
  async function storeFiles(place: FilePlace, paths: string[], stored: string[]): Promise<Map<string, string>> {
    const digests = new Map<string, string>();
    for (const path of paths) {
      signal.throwIfAborted();
      const opened = await openFile(join(config.filesDir, path));
      if (!opened) continue;
      const bytes = Buffer.concat(await allOf(opened.body));
      stored.push(path);
      await place.put({ path, modifiedMs: opened.modifiedMs, bytes });
      digests.set(path, sha256(bytes));
    }
    step(`${inWords(digests.size, 'file')} stored in ${place.title}`);
    return digests;
  }
}

/** Files are not removed, because the move may have succeeded. */
function withAdvice(error: CommitUnknown, files: FilePlace | null): Error {
  const kept = files ? ` The files in ${files.title} were kept.` : '';
  return new Error(
    `The target was lost at the very end (${error.message}): it holds the whole shop, or nothing.${kept} ` +
      'Move once more: a target that has it says that it is not empty, and can be opened.',
    { cause: error },
  );
}

/** Compares figures and tables of both sides. */
async function compare(
  snapshot: TransactionSql,
  transaction: TransactionSql,
  { tables, files, digests }: { tables: ShopTable[]; files: FilePlace | null; digests: Map<string, string> },
): Promise<{ figures: Figure[]; differences: string[] }> {
  const arrived = tables.map(({ values: _asRead, ...table }) => table);
  const rows = tableDifferences(await figuresOf(snapshot, tables), await figuresOf(transaction, arrived));
  const held = new Set(await files?.held(transaction));
  const wrong: string[] = [];
  for (const [path, digest] of digests)
    if (!held.has(path) || (await files?.digest(path)) !== digest) wrong.push(`${path}: not the same file there`);
  const figures = [
    ...comparedSums(await sumsOf(snapshot), await sumsOf(transaction)),
    { what: 'files', here: `${digests.size}`, there: `${digests.size - wrong.length}` },
  ];
  const sums = figures.filter(({ here, there }) => here !== there);
  return {
    figures,
    differences: [...rows, ...sums.map(({ what, here, there }) => `${what}: ${here} here, ${there} there`), ...wrong],
  };
}

/** Names the target in its errors, or they would look like errors of the shop. */
async function withTarget<T>(connection: Connection, use: (sql: Sql) => Promise<T>): Promise<T> {
  return withConnection(connection, async (sql) => {
    await sql`select 1`.catch((error: Error & { code?: string }) => {
      throw new Error(`The target cannot be reached: ${error.message || error.code}`, { cause: error });
    });
    return use(sql);
  });
}
