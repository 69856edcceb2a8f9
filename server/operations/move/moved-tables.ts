import type { ISql } from 'postgres';
import { quoted } from '../../postgres/quoted.ts';
import type { ShopTable } from '../backup/read-shop.ts';

/** Our databases have lite's `auth` and `storage`; a Supabase project manages its own. */
export type TargetKind = 'ours' | 'project';

// Supabase's Auth reads these as texts and cannot read a row where one of them is null.
const TEXTS = [
  'confirmation_token',
  'recovery_token',
  'email_change',
  'email_change_token_new',
  'email_change_token_current',
  'phone_change',
  'phone_change_token',
  'reauthentication_token',
];
// Written as a text of JSON by some versions of the library here, and an object there.
const OBJECTS = ['raw_app_meta_data', 'raw_user_meta_data', 'identity_data'];
const NO_INSTANCE = '00000000-0000-0000-0000-000000000000';

/**
 * What is copied, and how each column is read. Into a project go people, with the identities by which they sign in, and
 * the shop's own tables; sessions do not, because its tokens are signed with another secret, and files bring their rows
 * in `storage` themselves.
 */
export async function movedTables(kind: TargetKind, tables: readonly ShopTable[], target: ISql): Promise<ShopTable[]> {
  if (kind === 'ours') return [...tables];
  const people = new Set(['users', 'identities']);
  return Promise.all(
    tables
      .filter(({ schema, name }) => ['public', 'private'].includes(schema) || (schema === 'auth' && people.has(name)))
      .map((table) => (table.schema === 'auth' ? asAuthHasIt(table, target) : table)),
  );
}

/** The columns both sides have, and what the project's Auth needs besides. */
async function asAuthHasIt(table: ShopTable, target: ISql): Promise<ShopTable> {
  const rows = await target<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = 'auth' and table_name = ${table.name} and is_generated = 'NEVER' order by ordinal_position`;
  const there = new Set(rows.map((row) => row.name));
  const columns = table.columns.filter((column) => there.has(column));
  const values = columns.map(readAs);
  if (table.name === 'users' && there.has('instance_id') && !columns.includes('instance_id')) {
    columns.push('instance_id');
    values.push(`'${NO_INSTANCE}'::uuid`);
  }
  return { ...table, columns, values };
}

function readAs(column: string): string {
  const name = quoted(column);
  if (TEXTS.includes(column)) return `coalesce(${name}, '')`;
  if (!OBJECTS.includes(column)) return name;
  const object = `coalesce(private.metadata_of(${name}), '{}')`;
  return column === 'identity_data' ? `jsonb_build_object('sub', provider_id) || ${object}` : object;
}
