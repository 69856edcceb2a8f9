import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ground, newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, type Caller } from '../../tests/support/rows.ts';
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

// The stand-in of tests/support/supabase-safeupdate.sql, without which the other SQL tests would prove less than they say.
if (ground === 'platform')
  describe('a Data API session on the strict ground', () => {
    const codeOf = (statement: string, caller: Caller = 'service') =>
      as(database.sql, caller, (transaction) => transaction.unsafe(statement)).then(
        () => null,
        (error: { code: string }) => error.code,
      );
    beforeAll(() =>
      database.sql.unsafe(`
          create table public.parents (id integer primary key, n integer);
          create table public.children (parent integer references public.parents on delete cascade on update cascade);
          insert into public.parents values (1, 1), (2, 2);
          insert into public.children values (1), (2);
          grant all on public.parents, public.children to service_role;
          create function public.run(statement text) returns void language plpgsql as $$ begin execute statement; end $$;
          create function public.delete_all() returns void language plpgsql as $$ begin delete from public.parents; end $$;
          create function public.delete_none() returns void language plpgsql as $$ begin delete from public.parents where id > 5; end $$;
          create function public.delete_all_sql() returns void language sql as $$ select 1; delete from public.parents $$;
          create function public.delete_all_atomic() returns void language sql begin atomic delete from public.parents; end;
          create function public.delete_none_sql() returns void language sql as $$ delete from public.parents where id > 5 $$;
          create function public.empty_children() returns trigger language plpgsql as $$
            begin delete from public.children; return null; end $$`),
    );

    test.each([
      'delete from public.parents',
      'update public.parents set n = 3',
      `update public.parents set n = (select 1 where true)`,
      `with gone as (delete from public.parents returning 1) select 1 from gone where true`,
      `with one as (select 1 as n where true) update public.parents set n = one.n from one`,
      `update public.parents set n = 3 -- where`,
      'select public.delete_all()',
      'select public.delete_all_sql()',
      'select public.delete_all_atomic()',
      `select public.run('update public.parents set n = 3')`,
    ])('refuses %s', async (statement) => {
      expect(await codeOf(statement)).toBe('21000');
    });

    test.each([
      'delete from public.parents where id = 1',
      'update public.parents set id = 11 where id = 1',
      `with one as (select 1 as n) update public.parents set n = one.n from one where true`,
      `insert into public.parents values (1, 1) on conflict (id) do update set n = 3`,
      'select public.delete_none()',
      'select public.delete_none_sql()',
      `select public.run('delete from public.parents where id = 1')`,
      'select * from public.parents for update',
    ])('runs %s', async (statement) => {
      expect(await codeOf(statement)).toBe(null);
    });

    test('refuses it in a trigger, too, and leaves other sessions alone', async () => {
      await database.sql`create trigger empty_children after insert on public.parents
        for each statement execute function public.empty_children()`;
      expect(await codeOf('insert into public.parents values (7, 7)')).toBe('21000');
      await database.sql`insert into public.parents values (8, 8)`;
      await database.sql`delete from public.parents`;
    });
  });
