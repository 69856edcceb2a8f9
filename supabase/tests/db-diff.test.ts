import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { applySchemas } from '../../scripts/schema/apply-schemas.ts';
import { type Catalogue, compareCatalogues, readCatalogue } from '../../scripts/schema/catalogue.ts';
import { migrationBetween } from '../../scripts/schema/diff.ts';
import { readSchemas, type SchemaFile } from '../../scripts/schema/schema-files.ts';
import { schemaStatements } from '../../scripts/schema/statements.ts';
import { migrate } from '../../server/backends/schema/migrate.ts';
import { newEmptyDatabase, supabaseDir, type TestDatabase } from '../../tests/support/database.ts';

let migrated: TestDatabase;
let before: Catalogue;
beforeAll(async () => {
  migrated = await newEmptyDatabase(inject('postgresPath'));
  await migrate(migrated.sql, supabaseDir);
  before = await readCatalogue(migrated.sql);
});
afterAll(() => migrated.drop());

/** The schemas after an edit; every edit applies once. */
function edited(edits: [from: string, to: string][], added = ''): SchemaFile[] {
  const files = readSchemas();
  for (const [from, to] of edits) {
    const file = files.find(({ text }) => text.includes(from));
    if (!file) throw new Error(`no schema has ${from}`);
    file.text = file.text.replace(from, () => to);
  }
  const last = files.at(-1);
  if (last) last.text = last.text.replace('-- From here on PostgreSQL', (found) => `${added}\n${found}`);
  return files;
}

async function diffOf(files: SchemaFile[]): Promise<{ wanted: Catalogue; steps: string[] }> {
  const database = await newEmptyDatabase(inject('postgresPath'));
  try {
    await applySchemas(database.connection, files);
    const wanted = await readCatalogue(database.sql);
    return { wanted, steps: migrationBetween(wanted, before, await schemaStatements(files)) };
  } finally {
    await database.drop();
  }
}

test('the printed migration brings the migrated database to what the schemas say', async () => {
  const files = edited(
    [
      ['select coalesce(offer_percent, 10) in (0, private.calculate_offer(price, regular_price));', 'select true;'],
      [
        'create function private.lock_stock(product_ids bigint[]) returns void',
        "create function private.lock_stock(product_ids bigint[] default '{}') returns void",
      ],
      ['for select to anon, authenticated using (true);', 'for select to authenticated using (true);'],
      [
        'create index checkouts_family_idx on private.checkouts (family_id);',
        'create index checkouts_family_idx on private.checkouts (family_id, created_at);',
      ],
      [
        'grant select on public.categories to anon, authenticated;',
        'grant select on public.categories to authenticated;\ngrant update (name) on public.categories to authenticated;',
      ],
      ['before update on public.categories', 'before update of name on public.categories'],
      [
        '  is_fixed boolean not null default false,\n  updated_at timestamptz not null default now()\n',
        "  is_fixed boolean not null default false,\n  updated_at timestamptz not null default now(),\n  hint text not null default '',\n  constraint hints_are_short check (char_length(hint) <= 80)\n",
      ],
      [
        "comment on table public.categories is 'What products are sorted into.",
        "comment on table public.categories is 'The owner''s sorting.",
      ],
      ['as shipping_tax\n', 'as shipping_tax, o.source\n'],
      [
        'grant execute on function private.is_undo(uuid, text, text) to authenticated, service_role;',
        'grant execute on function private.is_undo(uuid, text, text) to service_role;',
      ],
      ['family_id uuid, address_id uuid, gift jsonb);', 'family_id uuid, address_id uuid, gift jsonb, hint text);'],
      [
        'source text, fulfilment text, todo text, user_id uuid, ids uuid[], is_open boolean,',
        'source text, todo text, user_id text, ids uuid[], is_open boolean,',
      ],
    ],
    `create table public.tins (
  id bigint generated always as identity primary key,
  name text not null check (name <> '')
);
create unique index tins_name_idx on public.tins (lower(name));
alter table public.tins enable row level security;
revoke all on public.tins from anon, authenticated;
grant select on public.tins to anon;
create policy "visitors read tins" on public.tins for select to anon using (true);
comment on column public.tins.name is 'As printed on the lid.';
create trigger tins_audit after insert on public.tins for each row execute function private.record_change('id');
create function public.count_tins() returns bigint language sql stable set search_path = '' as $$ select count(*) from public.tins $$;
revoke execute on function public.count_tins() from public, anon, authenticated;
grant execute on function public.count_tins() to anon;
create type private.tin_order as (tin public.tins, quantity integer);
create function private.tin_of(tin public.tins) returns text language sql immutable as $$ select tin.name $$;`,
  );
  const { wanted, steps } = await diffOf(files);
  expect(steps.filter((step) => step.startsWith('-- '))).toEqual([]);
  const { sql } = migrated;
  const left = await sql
    .begin(async (transaction) => {
      await transaction.unsafe(steps.join('\n')).simple();
      const differences = compareCatalogues(wanted, await readCatalogue(transaction));
      throw Object.assign(new Error('not kept'), { differences });
    })
    .catch((error: Error & { differences?: unknown }) => error.differences ?? error);
  expect(left).toEqual([]);
});

test('a change that loses rows or needs a decision is printed as a comment', async () => {
  const { steps } = await diffOf(
    edited([
      ['  priority integer not null default 0,', '  priority bigint not null default 0,\n  mood text,'],
      ["  image text not null default '' check (image = '' or private.is_safe_link(image)),\n", ''],
    ]),
  );
  expect(steps).toEqual([
    'alter table public.greetings drop constraint greetings_image_check;',
    'alter table public.greetings add column mood text;',
    '-- alter table public.greetings drop column image; -- loses its values',
    '-- column public.greetings.priority: the schemas have 7: bigint not null default 0; the migrations make 8: integer not null default 0.',
    '-- public.greetings: new columns go to the end of the table, in the schema too.',
  ]);
});

test('a type that the schemas no longer have is dropped, without a line for each of its attributes', async () => {
  const entry = (kind: string, name: string, definition: string) =>
    [`${kind} ${name}`, { kind, name, relation: 'private.lid', definition }] as const;
  const found = new Map([
    ...before,
    entry('type', 'private.lid', 'c persistence p owner postgres'),
    entry('column', 'private.lid.colour', '1: text'),
  ]);
  expect(migrationBetween(before, found, new Map())).toEqual(['drop type private.lid;']);
});

test('it prints nothing while the migrations make what the schemas say', async () => {
  expect((await diffOf(readSchemas())).steps).toEqual([]);
});
