import type { Queries } from '../../tests/support/rows.ts';
import { type Relation, type Role, tableOf, type Verb } from './permissions.ts';
import { type Fixture, matching, newFixture, type Row, type World } from './table-fixtures.ts';

export type Cells = { roles: readonly Role[]; verb: Verb; relation: Relation };
export type Attempt = { role: Role; verb: Verb; table: string; key: Row; row: Row; change: Row };
/** What the asked one saw, or the SQLSTATE of the refusal. */
export type Answer = { rows: number; refusal: string | null };
export type Outcomes = Partial<Record<Role, 'done' | 'refused'>>;

// No privilege or policy; a guard's refusal; a view that is not writable.
const refusals = ['42501', 'PT403', '55000'];
const rowsLeft = { select: 1, insert: 1, update: 1, delete: 0 };

/**
 * Really tries a verb as each role, and judges by what became of the row and not by what was answered. A row that was
 * refused is still as it was, which is checked each time: the next role tries it on the same one.
 */
export async function tryCells(
  sql: Queries,
  { roles, verb, relation }: Cells,
  world: World,
  attempt: (attempt: Attempt) => Promise<Answer>,
): Promise<Outcomes> {
  const table = tableOf(relation);
  const find = (key: Row) =>
    sql`select to_jsonb(t)::text as row from public.${sql(table)} t where ${matching(sql, key)}`;
  const outcomes: Outcomes = {};
  let fixture: Fixture | null = null;
  let before: unknown;
  try {
    for (const role of roles) {
      if (!fixture) {
        fixture = await newFixture(sql, relation, world);
        if (verb === 'insert') await fixture.clear();
        else await fixture.make();
        before = await find(fixture.key);
      }
      const { key, row, change } = fixture;
      const { rows, refusal } = await attempt({ role, verb, table, key, row, change: change(role) });
      const after = await find(key);

      const changed = JSON.stringify(before) !== JSON.stringify(after);
      const done = verb === 'select' ? rows === 1 : changed;
      if (done && (refusal || after.length !== rowsLeft[verb]))
        throw new Error(`${role}: refused with ${refusal}, ${after.length} rows left`);
      if (!done && changed) throw new Error(`${role}: the row changed although nothing was allowed`);
      if (refusal && !refusals.includes(refusal))
        throw new Error(`${role}: ${refusal} is a mistake in the row, not a refusal`);
      outcomes[role] = done ? 'done' : 'refused';
      if (!changed) continue;
      await fixture.remove();
      fixture = null;
    }
  } finally {
    await fixture?.remove();
  }
  return outcomes;
}
