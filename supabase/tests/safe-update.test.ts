import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { type FunctionBody, functionBodies, statementsOf, withoutWhere } from '../../tests/support/statements.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
});
afterAll(() => database.drop());

const refusedIn = async (body: FunctionBody) => {
  const statements = await statementsOf(body);
  return (await Promise.all(statements.map(withoutWhere))).flat();
};

test('no function updates or deletes without WHERE, which Supabase refuses in every Data API session', async () => {
  const bodies = await functionBodies(database.sql);
  expect(bodies.length).toBeGreaterThan(200);
  const refused: string[] = [];
  for (const body of bodies) for (const each of await refusedIn(body)) refused.push(`${body.name}: ${each}`);
  expect(refused).toEqual([]);
});

test('the search finds such statements in loops, WITH, exception handlers, dynamic SQL and SQL functions', async () => {
  await database.sql.unsafe(`
    create function public.careless() returns setof integer language plpgsql as $$
    declare
      each record;
    begin
      delete from first;
      for each in update second set x = 1 returning 1 loop null; end loop;
      return query with gone as (delete from third returning 1) select 1 from gone;
      execute format('delete from %I', 'named');
      update fifth set x = 1 from a join b on a.id = b.id;
      delete from safe where true;
      insert into safe values (1) on conflict (id) do update set x = 1;
    exception when others then
      update sixth set x = 1;
    end $$;
    create function public.careless_sql() returns void language sql
      begin atomic delete from public.page_changes; update public.page_changes set id = id where id > 0; end`);
  const bodies = await functionBodies(database.sql);
  const refused = async (name: string) => refusedIn(bodies.find((body) => body.name === name) as FunctionBody);
  expect(await refused('careless()')).toEqual([
    'delete from first',
    'update second',
    'delete from third',
    'delete from x',
    'update fifth',
    'update sixth',
  ]);
  expect(await refused('careless_sql()')).toEqual(['delete from page_changes']);
});
