import { type Catalogue, type CatalogueEntry, compareCatalogues, type Difference } from './catalogue.ts';

/** Statements of the schemas by key (statements.ts). */
type Statements = ReadonlyMap<string, string>;
type Entry = CatalogueEntry | null;

// What has to go first, then what others need, last what a person has to decide.
const order = ['drop', 'table', 'type', 'column', 'constraint', 'function', 'view', 'index', 'trigger', 'policy'];
const phases = [...order, 'grants', 'comment', 'words'] as const;
type Step = { phase: string; text: string };

// Who applies migrations, and so owns what they make.
const OWNER = 'postgres';

/** What a migration must hold to make `found` into `wanted`: statements where they are plain, words where a person decides. */
export function migrationBetween(wanted: Catalogue, found: Catalogue, statements: Statements): string[] {
  const differences = compareCatalogues(wanted, found);
  const relations = (isOne: (difference: Difference) => boolean) =>
    new Set(
      differences
        .filter((one) => /^(table|view|type) /.test(one.key) && isOne(one))
        .map(({ key }) => key.slice(key.indexOf(' ') + 1)),
    );
  const [added, dropped] = [relations((one) => !one.found), relations((one) => !one.wanted)];
  const steps = differences.flatMap((difference) => {
    const { kind, relation, name } = (difference.wanted ?? difference.found) as CatalogueEntry;
    // A new table's statement brings its columns, constraints and sequences, that of a view or type its columns; with a dropped one
    // everything of it goes.
    const isOfView = wanted.has(`view ${relation}`) || found.has(`view ${relation}`);
    const comesAlong = ['column', 'constraint'].includes(kind) && (added.has(relation ?? '') || isOfView);
    const isOfAdded = /^(sequence|grants)/.test(kind) && [...added].some((table) => name.startsWith(`${table}_`));
    const goesAlong = !/^(table|view|type)$/.test(kind) && dropped.has(relation ?? '');
    return comesAlong || isOfAdded || goesAlong ? [] : stepsFor(difference, wanted, statements);
  });
  steps.push(...misplacedColumns(wanted, found));
  return phases.flatMap((phase) => [...new Set(steps.filter((step) => step.phase === phase).map(({ text }) => text))]);
}

function stepsFor({ key, wanted, found }: Difference, schemas: Catalogue, statements: Statements): Step[] {
  const { kind, name, relation } = (wanted ?? found) as CatalogueEntry;
  const table = relation ?? '';
  const own = name.slice(table.length + 1);
  const words = `-- ${key}: the schemas have ${inWords(wanted)}; the migrations make ${inWords(found)}.`;
  const asWords = [{ phase: 'words', text: words }];
  const drop = (text: string): Step[] => (found ? [{ phase: 'drop', text }] : []);
  const create = (): Step[] => {
    const text = statements.get(key);
    if (!wanted) return [];
    return text ? [{ phase: kind, text }] : asWords;
  };
  switch (kind) {
    case 'function':
      return functionSteps(name, wanted, found, schemas, statements);
    case 'function owner':
      return wanted && found ? asWords : [];
    case 'function grants':
      return wanted ? grantSteps(`function ${name}`, wanted, found) : [];
    case 'grants':
      return wanted ? grantSteps(name, wanted, found) : [];
    case 'column grants':
      return grantSteps(table, wanted, found, own);
    case 'trigger':
      return [...drop(`drop trigger ${own} on ${table};`), ...create()];
    case 'policy':
      return [...drop(`drop policy ${own} on ${table};`), ...create()];
    case 'index':
      return [...drop(`drop index ${name};`), ...create()];
    case 'constraint': {
      const added = wanted && { phase: kind, text: `alter table ${table} add constraint ${own} ${wanted.definition};` };
      return [...drop(`alter table ${table} drop constraint ${own};`), ...(added ? [added] : [])];
    }
    case 'view':
      if (!wanted) return drop(`drop view ${name};`);
      return create().map(({ phase, text }) => ({
        phase,
        text: text.replace(/^create view/, 'create or replace view'),
      }));
    case 'table':
      return tableSteps(name, wanted, found, create()) ?? asWords;
    case 'column':
      if (schemas.has(`type ${table}`)) return attributeSteps(table, own, wanted, found);
      return columnSteps(table, own, wanted, found) ?? asWords;
    case 'type':
      if (!wanted) return drop(`drop type ${name};`);
      return found ? asWords : create();
    case 'comment': {
      // PostgreSQL identifies a column or constraint as one of its table.
      const target = name.replace(/^(?:table|view) (?=column |constraint )/, '');
      return [{ phase: kind, text: `comment on ${target} is ${wanted ? literal(wanted.definition) : 'null'};` }];
    }
    default:
      return asWords;
  }
}

function functionSteps(name: string, wanted: Entry, found: Entry, schemas: Catalogue, statements: Statements): Step[] {
  const drop = { phase: 'drop', text: `drop function ${name};` };
  if (!wanted) return [drop];
  const text = statements.get(`function ${name.slice(0, name.indexOf('('))}`) ?? `${wanted.definition};`;
  // A function can be replaced as long as it takes and returns the same. One that is dropped and created needs its grants again.
  const header = ({ definition }: CatalogueEntry) => definition.slice(0, definition.indexOf('\n LANGUAGE'));
  if (found && header(found) !== header(wanted)) {
    const grants = schemas.get(`function grants ${name}`) ?? null;
    return [drop, { phase: 'function', text }, ...grantSteps(`function ${name}`, grants, null)];
  }
  return [{ phase: 'function', text: found ? text.replace(/^create function/, 'create or replace function') : text }];
}

/** null: for a person to decide. */
function tableSteps(name: string, wanted: Entry, found: Entry, created: Step[]): Step[] | null {
  if (!wanted) return [{ phase: 'words', text: `-- drop table ${name}; -- loses its rows: move them first` }];
  const isSecured = (entry: Entry) => entry?.definition.includes('row level security') ?? false;
  const secured = { phase: 'table', text: `alter table ${name} enable row level security;` };
  const steps = isSecured(wanted) && !isSecured(found) ? [secured] : [];
  return found && steps.length === 0 ? null : [...(found ? [] : created), ...steps];
}

/** null: for a person to decide. */
function columnSteps(table: string, column: string, wanted: Entry, found: Entry): Step[] | null {
  if (!wanted) return [{ phase: 'words', text: `-- alter table ${table} drop column ${column}; -- loses its values` }];
  if (found) return facts(found) === facts(wanted) ? [] : null;
  const text = `alter table ${table} add column ${column} ${facts(wanted)};`;
  const needsValues = / not null/.test(text) && !/ (default|generated) /.test(text);
  const hint = needsValues ? '-- Fails where there are rows: add it without "not null", fill it, then set it.\n' : '';
  return [{ phase: 'column', text: hint + text }];
}

/** A composite type is that of arguments and variables: no rows are lost with an attribute. */
function attributeSteps(type: string, attribute: string, wanted: Entry, found: Entry): Step[] {
  const step = (text: string): Step[] => [{ phase: 'column', text: `alter type ${type} ${text};` }];
  if (!wanted) return step(`drop attribute ${attribute}`);
  if (!found) return step(`add attribute ${attribute} ${facts(wanted)}`);
  return facts(found) === facts(wanted) ? [] : step(`alter attribute ${attribute} set data type ${facts(wanted)}`);
}

/** Of a column, without its place in the table and how it is stored. */
const facts = (entry: CatalogueEntry) => entry.definition.replace(/^\d+: /, '').replace(/ \/ .*$/, '');

const tableOrder = 'new columns go to the end of the table';
const typeOrder = 'new attributes go to the end of the type';

/** In a table that exists, new columns are the last ones: elsewhere a new shop and an old one would differ. */
function misplacedColumns(wanted: Catalogue, found: Catalogue): Step[] {
  const [want, has] = [columnsByTable(wanted), columnsByTable(found)];
  return [...has].flatMap(([table, had]) => {
    const now = want.get(table) ?? [];
    const stays = had.filter((column) => now.includes(column));
    const isInOrder = stays.every((column, index) => now[index] === column);
    return isInOrder
      ? []
      : [
          {
            phase: 'words',
            text: `-- ${table}: ${wanted.has(`type ${table}`) ? typeOrder : tableOrder}, in the schema too.`,
          },
        ];
  });
}

function columnsByTable(catalogue: Catalogue): Map<string, string[]> {
  const columns = [...catalogue.values()].filter(({ kind }) => kind === 'column');
  const tables = new Map<string, string[]>();
  const place = ({ definition }: CatalogueEntry) => Number.parseInt(definition, 10);
  for (const { relation, name } of columns.sort((a, b) => place(a) - place(b)))
    tables.set(relation ?? '', [...(tables.get(relation ?? '') ?? []), name]);
  return tables;
}

function grantSteps(target: string, wanted: Entry, found: Entry, column?: string): Step[] {
  const isNew = !found && !column;
  // Before it grants anything, a migration revokes what is granted by default.
  const [default_, from] = target.startsWith('function ')
    ? ['execute', 'public, anon, authenticated']
    : ['all', 'anon, authenticated'];
  const isReachable = target.replace('function ', '').startsWith('public.') || default_ === 'execute';
  const steps = isNew && isReachable ? [`revoke ${default_} on ${target} from ${from};`] : [];
  const [want, has] = [permissionsOf(wanted), permissionsOf(found)];
  const listed = (what: string[]) => what.map((one) => (column ? `${one} (${column})` : one)).join(', ');
  for (const who of new Set([...has.keys(), ...want.keys()])) {
    if (who === OWNER) continue;
    const [wants, had] = [want.get(who) ?? [], has.get(who) ?? []];
    const [lost, gained] = [had.filter((one) => !wants.includes(one)), wants.filter((one) => !had.includes(one))];
    if (lost.length > 0) steps.push(`revoke ${listed(lost)} on ${target} from ${who};`);
    if (gained.length > 0) steps.push(`grant ${listed(gained)} on ${target} to ${who};`);
  }
  return steps.map((text) => ({ phase: 'grants', text }));
}

function permissionsOf(entry: Entry): Map<string, string[]> {
  const permissions = new Map<string, string[]>();
  for (const [, who = '', what = ''] of entry?.definition.matchAll(/(\S+?)=(\S+)/g) ?? [])
    permissions.set(who, [...(permissions.get(who) ?? []), what]);
  return permissions;
}

const inWords = (entry: Entry) => (entry ? entry.definition.replace(/\s+/g, ' ').slice(0, 300) : 'nothing like it');
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
