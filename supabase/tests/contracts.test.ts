import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { allContracts } from '../../tests/support/contracts.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
});
afterAll(() => database.drop());

const contracts = await allContracts();

type Signature = {
  name: string;
  args: string[] | null;
  types: string[] | null;
  defaults: number;
  returns: string;
  set: boolean;
};

async function signatures(): Promise<Signature[]> {
  return sql<Signature[]>`
    select p.proname as name, p.proargnames[1:p.pronargs] as args, p.pronargdefaults as defaults, r.typname as returns, p.proretset as set,
           (select array_agg(t.typname order by k.n) from unnest(p.proargtypes::oid[]) with ordinality k (oid, n)
              join pg_type t on t.oid = k.oid) as types
    from pg_proc p join pg_type r on r.oid = p.prorettype
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and r.typname <> 'trigger'
    order by p.proname`;
}

test('every public function outside the console has a contract, and every contract a function', async () => {
  const names = (await signatures()).map(({ name }) => name).filter((name) => !name.startsWith('admin_'));
  const stated = [...contracts.keys()].filter((name) => !name.startsWith('admin_'));
  expect(stated.sort()).toEqual(names.sort());
});

test('arguments have the names and types that the function takes, and are optional where it has a default', async () => {
  const stated: Record<string, unknown> = {};
  const real: Record<string, unknown> = {};
  for (const { name, args, types, defaults } of await signatures()) {
    const contract = contracts.get(name);
    if (!contract) continue;
    const shape = (contract.args as unknown as z.ZodObject).shape as Record<string, z.ZodType>;
    stated[name] = Object.fromEntries(Object.entries(shape).map(([key, type]) => [key, describe(type)]));
    const all = args ?? [];
    real[name] = Object.fromEntries(
      all.map((key, place) => [
        key,
        {
          // What a caller may send as jsonb only the function knows.
          kind: isJson(types?.[place]) ? describe(shape[key]).kind : kindOf(types?.[place] ?? ''),
          optional: place >= all.length - defaults,
        },
      ]),
    );
  }
  expect(stated).toEqual(real);
});

const isJson = (type: string | undefined) => type === 'jsonb' || type === 'json';

function kindOf(type: string): string {
  if (type.startsWith('_')) return `${kindOf(type.slice(1))}[]`;
  if (/^(int\d|numeric|float\d)$/.test(type)) return 'number';
  return type === 'bool' ? 'boolean' : 'string';
}

/** In JSON's words, without what only narrows it. */
function describe(type: z.ZodType | undefined): { kind: string; optional: boolean } {
  if (!type) return { kind: 'missing', optional: false };
  if (type instanceof z.ZodOptional) return { ...describe(type.unwrap() as z.ZodType), optional: true };
  if (type instanceof z.ZodNullable) return describe(type.unwrap() as z.ZodType);
  if (type instanceof z.ZodArray) return { kind: `${describe(type.element as z.ZodType).kind}[]`, optional: false };
  if (type instanceof z.ZodEnum) return { kind: 'string', optional: false };
  return { kind: type.def.type, optional: false };
}
