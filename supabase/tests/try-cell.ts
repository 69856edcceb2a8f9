import type { Queries } from '../../tests/support/rows.ts';
import { type Relation, type Role, tableOf, type Verb } from './permissions.ts';
import { matching, newSpecimen, type Row, type World } from './specimens.ts';

export type Cell = { role: Role; verb: Verb; relation: Relation };
export type Attempt = { role: Role; verb: Verb; table: string; key: Row; row: Row; change: Row };
/** What the asked one saw, or the SQLSTATE of the refusal. */
export type Answer = { rows: number; refusal: string | null };

// No privilege or policy; a guard's refusal; a view that nobody can write to.
const refusals = ['42501', 'PT403', '55000'];

/** Really tries a cell on a fresh row, and judges by what became of the row and not by what was answered. */
export async function tryCell(
  sql: Queries,
  { role, verb, relation }: Cell,
  world: World,
  attempt: (attempt: Attempt) => Promise<Answer>,
): Promise<'done' | 'refused'> {
  const table = tableOf(relation);
  const specimen = await newSpecimen(sql, relation, world);
  const { key, row, change } = specimen;
  const find = () => sql`select to_jsonb(t)::text as row from public.${sql(table)} t where ${matching(sql, key)}`;
  try {
    if (verb === 'insert') await specimen.clear();
    else await specimen.make();
    const before = await find();
    const { rows, refusal } = await attempt({ role, verb, table, key, row, change: change(role) });
    const after = await find();

    const changed = JSON.stringify(before) !== JSON.stringify(after);
    const count = { select: 1, insert: 1, update: 1, delete: 0 }[verb];
    const done = verb === 'select' ? rows === 1 : changed;
    if (done && (refusal || after.length !== count))
      throw new Error(`refused with ${refusal}, ${after.length} rows left`);
    if (!done && changed) throw new Error('the row changed although nothing was allowed');
    if (refusal && !refusals.includes(refusal)) throw new Error(`${refusal} is a mistake in the row, not a refusal`);
    return done ? 'done' : 'refused';
  } finally {
    await specimen.remove();
  }
}
