// The outcome or error of thousands of statements, in one round trip.
import type { Sql } from 'postgres';
import { as, type Caller } from '../../tests/support/rows.ts';

export type Outcome = {
  statement: string;
  /** SQLSTATE, 'no rows' where nothing was seen or touched, or 'done'. */
  code: string;
  message: string;
};

/** Once for each database. */
export async function prepareOutcomes(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create schema trial;
    grant usage on schema trial to anon, authenticated;
    create function trial.outcome(statement text) returns text[] language plpgsql as $$
    declare
      touched bigint;
    begin
      execute statement;
      get diagnostics touched = row_count;
      return array[case touched when 0 then 'no rows' else 'done' end, ''];
    exception when others then
      return array[sqlstate, sqlerrm];
    end $$`);
}

/** Each on its own: one that fails leaves the others as they are. */
export async function outcomesOf(sql: Sql, caller: Caller, statements: string[]): Promise<Outcome[]> {
  const rows = await as(
    sql,
    caller,
    (tx) => tx<{ statement: string; outcome: [string, string] }[]>`
      select s.statement, trial.outcome(s.statement) as outcome
      from jsonb_array_elements_text(${tx.json(statements)}) s (statement)`,
  );
  if (rows.length !== statements.length) throw new Error(`${rows.length} of ${statements.length} were tried`);
  return rows.map(({ statement, outcome: [code, message] }) => ({ statement, code, message }));
}
