import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { actAs, actAsOwner, type Caller, type Queries } from '../../tests/support/rows.ts';
import { outcomesOf, prepareOutcomes } from './outcomes.ts';
import { expectations, mayDo, type Role, relations, roles, tableOf, verbs } from './permissions.ts';
import { makeWorld, matching, newFixture, type World } from './table-fixtures.ts';
import { type Answer, type Attempt, tryCells } from './try-cell.ts';

const databases: TestDatabase[] = [];
async function ownDatabase(): Promise<Sql> {
  const database = await newDatabase(inject('postgresPath'));
  databases.push(database);
  return database.sql;
}
afterAll(async () => {
  for (const database of databases) await database.drop();
});

test('the table of expectations names every table and view of the shop', async () => {
  const sql = await ownDatabase();
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p', 'f')`;
  expect([...new Set(relations.map(tableOf))].sort()).toEqual(rows.map(({ name }) => name).sort());
});

const grants = [
  { named: 'with the grants of the migrations', statement: 'select' },
  {
    named: 'with everything granted to all roles, as older hosted projects have it',
    statement: 'grant all on all tables in schema public to anon, authenticated',
  },
];

describe.each(grants)('$named', ({ statement }) => {
  let sql: Sql;
  let world: World;
  beforeAll(async () => {
    sql = await ownDatabase();
    await sql.unsafe(statement);
    world = await makeWorld(sql);
  });

  for (const relation of relations) {
    test.each(verbs)(`${relation}: %s`, async (verb) => {
      const outcomes = await rolledBack(sql, (transaction) =>
        tryCells(transaction, { roles, verb, relation }, world, (attempt) => run(transaction, world, attempt)),
      );
      const expected = roles.map((role) => [role, mayDo(role, verb, relation) ? 'done' : 'refused']);
      expect(outcomes, `for ${expectations[relation][verb]}`).toEqual(Object.fromEntries(expected));
    });
  }

  // Without a condition on a column Postgres asks the policies for reading nothing: those for writing must stand alone.
  test.each(['update', 'delete'] as const)(
    'no customer reaches rows of others by %s without a condition',
    async (verb) => {
      for (const relation of relations) {
        const others = roles.filter((one) => one !== 'service' && !mayDo(one, verb, relation));
        const outcomes = await rolledBack(sql, (transaction) =>
          tryCells(transaction, { roles: others, verb, relation }, world, (attempt) =>
            run(transaction, world, { ...attempt, key: {} }),
          ),
        );
        expect(outcomes, relation).toEqual(Object.fromEntries(others.map((role) => [role, 'refused'])));
      }
    },
  );

  test('an upsert cannot create rows in the name of another customer', async () => {
    const { stranger, owner } = world;
    const upsert = (transaction: Queries) =>
      refusalOf(
        transaction,
        { userId: stranger },
        (tx) =>
          tx`insert into public.user_profiles (user_id, city) values (${owner}, 'Delhi')
             on conflict (user_id) do update set city = excluded.city`,
      );
    expect(await rolledBack(sql, upsert)).toBe('42501');
  });
});

describe('with the grants of the migrations', () => {
  let sql: Sql;
  let world: World;
  beforeAll(async () => {
    sql = await ownDatabase();
    world = await makeWorld(sql);
  });

  test('a write that customers and visitors may never make is an error, also where it matches no row', async () => {
    const visitors = ['anon', 'stranger'] as const;
    const never = relations.flatMap((relation) =>
      (['insert', 'update', 'delete'] as const)
        .filter((verb) => !mayDo('owner', verb, relation))
        .flatMap((verb) => visitors.map((role) => ({ relation, verb, role }))),
    );
    expect(never.length).toBeGreaterThan(100);
    const answers: string[] = [];
    for (const { relation, verb, role } of never) {
      const refusal = await rolledBack(sql, async (transaction) => {
        const { row, change } = await newFixture(transaction, relation, world);
        const target = transaction`public.${transaction(tableOf(relation))}`;
        return refusalOf(transaction, callerOf(role, world), (tx) =>
          verb === 'insert'
            ? tx`insert into ${target} ${tx(row)}`
            : verb === 'update'
              ? tx`update ${target} set ${tx(change(role))} where false`
              : tx`delete from ${target} where false`,
        );
      });
      // Of a view that joins tables, PostgreSQL says that it cannot be written before it looks at grants.
      const expected = relation === 'order_details_view' ? '55000' : '42501';
      if (refusal !== expected) answers.push(`${role} ${verb}s ${relation}: ${refusal}`);
    }
    expect(answers).toEqual([]);
  });

  test('customers write the columns that are theirs, and no others', async () => {
    const rows = await sql<{ table: string; verb: string; columns: string[] }[]>`
      select table_name as table, lower(privilege_type) as verb, array_agg(column_name::text order by column_name) as columns
      from information_schema.column_privileges
      where table_schema = 'public' and grantee = 'authenticated' and privilege_type in ('INSERT', 'UPDATE')
        and table_name in ('comments', 'orders', 'notify_subscriptions')
      group by 1, 2 order by 1, 2`;
    expect([...rows]).toEqual([
      { table: 'comments', verb: 'insert', columns: ['content', 'product_id', 'rating', 'user_id'] },
      { table: 'comments', verb: 'update', columns: ['content'] },
      { table: 'notify_subscriptions', verb: 'insert', columns: ['product_id', 'user_id'] },
      { table: 'orders', verb: 'update', columns: ['status'] },
    ]);
  });

  test('no browser may empty a table, put triggers on it or refer to it', async () => {
    const granted = await sql`
      select c.relname as table, r.role, p.privilege
      from pg_class c, unnest(array['anon', 'authenticated']) r (role),
           unnest(array['truncate', 'trigger', 'references']) p (privilege)
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
        and has_table_privilege(r.role, c.oid, p.privilege)`;
    expect([...granted]).toEqual([]);
  });

  test('each table has one permissive policy per verb and role', async () => {
    const overlapping = await sql`
      select p.tablename, r.role, v.verb, array_agg(p.policyname) as policies
      from pg_policies p, unnest(p.roles) r (role), unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) v (verb)
      where p.schemaname = 'public' and p.permissive = 'PERMISSIVE' and p.cmd in ('ALL', v.verb)
      group by 1, 2, 3 having count(*) > 1`;
    expect([...overlapping]).toEqual([]);
  });
});

// A view that joins tables; append-only books.
const cannotBeWritten = ['55000', 'PT403'];

describe('what lives in private', () => {
  test.each([
    { named: 'as migrated', statement: 'select', refused: ['42501'] },
    {
      named: 'even if it was granted by mistake',
      statement: 'grant all on all tables in schema private to anon, authenticated',
      refused: ['42501', 'no rows'],
    },
  ])('is out of reach for every visitor, $named', async ({ statement, refused }) => {
    const sql = await ownDatabase();
    const world = await makeWorld(sql);
    await sql.unsafe(statement);
    const tables = await sql<{ name: string; column: string }[]>`
      select quote_ident(c.relname) as name, quote_ident(min(a.attname)) as column
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and a.attidentity = '' and not a.attisdropped
      where c.relnamespace = 'private'::regnamespace and c.relkind in ('r', 'v', 'm') group by c.relname`;
    expect(tables.length).toBeGreaterThan(10);
    await prepareOutcomes(sql);
    const statements = tables.flatMap(({ name, column }) => [
      `select * from private.${name}`,
      `update private.${name} set ${column} = ${column} where true`,
      `delete from private.${name} where true`,
    ]);
    for (const role of roles.filter((one) => one !== 'service')) {
      const outcomes = await outcomesOf(sql, callerOf(role, world), statements);
      const done = outcomes.filter(({ code }) => ![...refused, ...cannotBeWritten].includes(code));
      expect(done, role).toEqual([]);
    }
    // The edges of order statuses are in every database: without the policies they would have been seen.
    expect((await sql`select from private.order_status_edges`).length).toBeGreaterThan(0);
  });

  test('is no business of the service role either, except through functions', async () => {
    const sql = await ownDatabase();
    const tables = await sql<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'private'::regnamespace and relkind = 'r'
        and has_table_privilege('service_role', oid, 'select, insert, update, delete, truncate')`;
    expect(tables).toEqual([]);
  });
});

function callerOf(role: Role, world: World): Caller {
  return role === 'anon' || role === 'service' ? role : { userId: world[role] };
}

async function run(transaction: Queries, world: World, attempt: Attempt): Promise<Answer> {
  const { role, verb, table, key, row, change } = attempt;
  let rows = 0;
  const refusal = await refusalOf(transaction, callerOf(role, world), async (sql) => {
    const target = sql`public.${sql(table)}`;
    const condition = Object.keys(key).length > 0 ? sql`where ${matching(sql, key)}` : sql`where true`;
    const result = await {
      select: () => sql`select * from ${target} ${condition}`,
      insert: () => sql`insert into ${target} ${sql(row)}`,
      update: () => sql`update ${target} set ${sql(change)} ${condition}`,
      delete: () => sql`delete from ${target} ${condition}`,
    }[verb]();
    rows = result.count;
    return result;
  });
  return { rows, refusal: refusal === 'no rows' || refusal === null ? null : refusal };
}

/** The SQLSTATE of the refusal, 'no rows' where nothing was seen or touched, or null. */
async function refusalOf(
  transaction: Queries,
  caller: Caller,
  work: (sql: Queries) => PromiseLike<{ count: number }>,
): Promise<string | null> {
  const savepoint = (transaction as Queries & { savepoint: Sql['begin'] }).savepoint.bind(transaction);
  try {
    const { count } = await savepoint(async (sql) => {
      await actAs(sql, caller);
      const { count } = await work(sql);
      await actAsOwner(sql);
      return { count };
    });
    return count === 0 ? 'no rows' : null;
  } catch (error) {
    const { code } = error as { code?: string };
    if (!code) throw error;
    return code;
  }
}

class Rollback extends Error {}

async function rolledBack<T>(sql: Sql, work: (transaction: Queries) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  await sql
    .begin(async (transaction) => {
      result = { value: await work(transaction) };
      throw new Rollback();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Rollback)) throw error;
    });
  if (!result) throw new Error('the work was not done');
  return result.value;
}
