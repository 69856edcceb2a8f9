import type { ISql, Sql } from 'postgres';
import {
  allMigrations,
  appliedMigrations,
  checkHistory,
  historyProblem,
  type MigrationFiles,
  versionsIn,
} from '../../backends/schema/migration-history.ts';
import { hasPlatformAuth } from '../../backends/schema/prepare-database.ts';
import { isRestoreUnfinished } from '../backup/restore-marker.ts';
import type { TargetKind } from './moved-tables.ts';

export type Target = { kind: TargetKind; missing: string[] };

// Tables with rows that people enter. All others are derived, filled by migrations, or settings.
const MADE_BY_PEOPLE = [
  'auth.users',
  'private.administrators',
  'private.box_sizes',
  'private.box_sweets',
  'private.checkouts',
  'private.couriers',
  'private.festival_cutoffs',
  'private.invoices',
  'private.offers',
  'private.payments',
  'public."Products"',
  'public.audit_log',
  'public.caurousel',
  'public.closures',
  'public.delivery_zones',
  'public.expenses',
  'public.greetings',
  'public.orders',
  'public.stock_movements',
  'public.testimonials',
  'public.vendors',
];

/** The kind of target and the migrations it lacks. Rejects databases that cannot hold this shop. */
export async function inspectTarget(sql: Sql, files: MigrationFiles): Promise<Target> {
  if (await isRestoreUnfinished(sql))
    throw new Error('A restore into the target was broken off: make a new, empty database and move into that.');
  const kind = (await hasPlatformAuth(sql)) ? 'project' : 'ours';
  const known = versionsIn(files);
  const history = await appliedMigrations(sql);
  const applied = history.map(({ version }) => version);
  const unknown = applied.filter((version) => !known.has(version));
  if (unknown.length > 0)
    throw new Error(
      `The target is of a newer shop (its migration ${unknown.at(-1)} is not known here): update this one first.`,
    );
  const needed = files.migrations.map(({ version }) => version);
  const missing = needed.filter((version) => !applied.includes(version));
  if (kind === 'project' && missing.length > 0)
    throw new Error(
      `The target is of another version: it lacks ${missing.length} of ${needed.length} migrations, from ${missing[0]} on. ` +
        'Push them first: supabase db push',
    );
  const problem = historyProblem(checkHistory(history, allMigrations(files)));
  if (problem) throw new Error(`The target: ${problem}`);
  if (applied.length === 0 && (await isSomebodyElses(sql)))
    throw new Error(
      'The target is not empty: it holds tables of something else. A shop is moved into an empty database.',
    );
  await refuseIfUsed(sql);
  await refuseWithoutRights(sql);
  return { kind, missing };
}

/** Checked again in the transaction that fills it. */
export async function refuseIfUsed(sql: ISql): Promise<void> {
  const there = await sql<{ name: string }[]>`
    select name from unnest(${MADE_BY_PEOPLE}::text[]) name where to_regclass(name) is not null`;
  if (there.length === 0) return;
  const used = await sql.unsafe<{ name: string }[]>(
    there.map(({ name }) => `select '${name}' as name where exists (select from ${name})`).join(' union all '),
  );
  if (used.length > 0)
    throw new Error(
      `The target is not empty: there are rows in ${used.map(({ name }) => name).join(', ')}. ` +
        'A shop is moved into an empty one.',
    );
}

/** Objects in these schemas may be left from an interrupted move. Those of extensions do not count. */
async function isSomebodyElses(sql: Sql): Promise<boolean> {
  const found = await sql`
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname not like 'pg\\_%' and n.nspname not in ('information_schema', 'auth', 'storage', 'supabase_migrations')
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    limit 1`;
  return found.length > 0;
}

async function refuseWithoutRights(sql: Sql): Promise<void> {
  try {
    await sql.begin((transaction) => transaction.unsafe('set local session_replication_role = replica'));
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    throw new Error(
      'The user of the target may not set session_replication_role, so triggers would write everything twice: ' +
        'use a superuser, or on Supabase the user postgres.',
    );
  }
}
