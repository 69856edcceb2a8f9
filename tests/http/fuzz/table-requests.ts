// Requests of the Data API for tables: every verb, columns, filters, orders, tables inside tables, ranges, preferences.
import fc, { type Arbitrary } from 'fast-check';
import type { Asker, BadCase } from '../bad-input-cases.ts';
import {
  badAddressPart,
  badHeaders,
  badParameterName,
  bodyOf,
  inHundred,
  jsonText,
  mostlyRight,
} from './bad-values.ts';
import type { LikelyValues } from './likely-values.ts';
import type { Column, Row, Table, Targets } from './targets.ts';

const json = { 'Content-Type': 'application/json' };
const reading: Arbitrary<Asker> = fc.constantFrom('visitor', 'customer', 'administrator', 'service');
// The service role may write whatever it likes, wrong books included: it writes through requests alone.
const writing: Arbitrary<Asker> = fc.constantFrom(
  'visitor',
  'customer',
  'customer',
  'administrator',
  'administrator',
  'administrator',
);

const inAddress = (value: unknown) =>
  encodeURIComponent(typeof value === 'object' && value !== null ? jsonText(value) : String(value));

export function tableRequests({ tables }: Targets, likely: LikelyValues): Arbitrary<BadCase> {
  return fc.oneof(
    ...tables.map((table) => {
      const filter = filterOf(table, likely);
      return fc.oneof(
        { weight: 6, arbitrary: reads(table, filter) },
        { weight: 3, arbitrary: inserts(table, likely) },
        { weight: 3, arbitrary: updates(table, likely, filter) },
        { weight: 1, arbitrary: deletes(table, likely, filter) },
        { weight: 1, arbitrary: nonsense(table, likely) },
      );
    }),
  );
}

function filterOf(table: Table, likely: LikelyValues): Arbitrary<string> {
  const filters = table.columns.map(({ name, type }) => {
    const value = likely.of(name, type).map(inAddress);
    const text = type === 'text' ? ['like', 'ilike', 'match', 'fts', 'plfts'] : [];
    const list = type.startsWith('_') ? ['cs', 'cd', 'ov'] : [];
    const plain = fc
      .tuple(fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'not.eq', 'not.lt', ...text, ...list), value)
      .map(([operator, one]) => `${name}=${operator}.${list.includes(operator) ? `{${one}}` : one}`);
    const many = fc.array(value, { minLength: 1, maxLength: 4 }).map((some) => `${name}=in.(${some.join(',')})`);
    const either = fc
      .tuple(value, value)
      .map(([a, b]) => `or=(${name}.eq.${a},and(${name}.gt.${b},${name}.not.is.null))`);
    const empty = fc.constantFrom(
      `${name}=is.null`,
      `${name}=not.is.null`,
      ...(type === 'bool' ? [`${name}=is.true`] : []),
    );
    const bad = fc
      .tuple(fc.constantFrom('eq.', 'in.(', 'is.', 'cs.', 'nope.', ''), badAddressPart)
      .map(([operator, one]) => `${name}=${operator}${one}`);
    return fc.oneof(
      { weight: 5, arbitrary: plain },
      { weight: 2, arbitrary: many },
      { weight: 1, arbitrary: either },
      { weight: 1, arbitrary: empty },
      { weight: 1, arbitrary: bad },
    );
  });
  return fc.oneof(...filters);
}

function selectOf(table: Table): Arbitrary<string> {
  const column = fc.constantFrom(...table.columns.map(({ name }) => name));
  const written = fc.oneof(
    { weight: 20, arbitrary: column },
    { weight: 4, arbitrary: column.map((name) => `x:${name}::text`) },
    { weight: 1, arbitrary: fc.constantFrom('*', '*', 'nope', 'count()', 'id->>a') },
  );
  const inner =
    table.related.length > 0
      ? fc
          .constantFrom(...table.related, ...table.related.map((other) => `${other}!inner`))
          .map((other) => `${other}(*)`)
      : written;
  return fc
    .array(fc.oneof({ weight: 4, arbitrary: written }, { weight: 1, arbitrary: inner }), { minLength: 1, maxLength: 4 })
    .map((columns) => `select=${columns.join(',')}`);
}

function questionOf(table: Table, filter: Arbitrary<string>): Arbitrary<string> {
  const column = fc.constantFrom(...table.columns.map(({ name }) => name));
  const order = fc
    .tuple(column, inHundred(5, fc.constant('.sideways'), fc.constantFrom('', '.asc', '.desc', '.desc.nullslast')))
    .map(([name, way]) => `order=${name}${way}`);
  const page = fc
    .tuple(fc.constantFrom('limit', 'offset'), inHundred(10, badAddressPart, fc.nat({ max: 60 }).map(String)))
    .map(([what, count]) => `${what}=${count}`);
  return fc
    .tuple(
      fc.option(selectOf(table), { nil: '' }),
      fc.array(filter, { maxLength: 2 }),
      fc.option(order, { nil: '' }),
      fc.option(page, { nil: '' }),
    )
    .map(([select, filters, sorted, paged]) => [select, ...filters, sorted, paged].filter(Boolean).join('&'));
}

const readingHeaders: Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { Prefer: 'count=exact' },
      { Prefer: 'count=planned' },
      { Prefer: 'count=estimated' },
      { Range: '0-4' },
      { Range: '3-', Prefer: 'count=exact' },
      { Accept: 'text/csv' },
      { Accept: 'application/vnd.pgrst.object+json' },
      { 'Accept-Profile': 'public' },
    ),
  },
  { weight: 1, arbitrary: badHeaders },
);

function reads(table: Table, filter: Arbitrary<string>): Arbitrary<BadCase> {
  return fc
    .tuple(fc.constantFrom('GET', 'GET', 'GET', 'HEAD'), questionOf(table, filter), readingHeaders, reading)
    .map(([method, question, headers, as]) => ({ method, target: `/rest/v1/${table.name}?${question}`, headers, as }));
}

const givenByTheDatabase = ['id', 'Id', 'created_at', 'updated_at', 'entry_id', 'number'];

const valueIn = (columns: Column[], likely: LikelyValues): Arbitrary<[string, unknown]> =>
  fc.oneof(...columns.map(({ name, type }) => fc.tuple(fc.constant(name), likely.of(name, type))));

/** Like one that is there: the numbers and moments are the database's, and one or two things are different. */
function rowLike(table: Table, likely: LikelyValues): Arbitrary<Row> {
  const own = table.columns.filter(({ name }) => !givenByTheDatabase.includes(name));
  const changes = fc.array(valueIn(own, likely), { maxLength: 2 }).map((pairs) => Object.fromEntries(pairs));
  const kept = likely
    .rowOf(table.name)
    .map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => own.some((column) => column.name === name))),
    );
  return fc.tuple(kept, changes, fc.boolean()).map(([row, changed, isMine]) => ({
    ...row,
    ...changed,
    ...(isMine && 'user_id' in row ? { user_id: '@me' } : {}),
  }));
}

const writingHeaders = fc
  .constantFrom<Record<string, string>>(
    {},
    { Prefer: 'return=representation' },
    { Prefer: 'return=minimal' },
    { Prefer: 'resolution=merge-duplicates' },
    { Prefer: 'resolution=ignore-duplicates,return=representation' },
    { Prefer: 'missing=default' },
    { 'Content-Profile': 'public' },
  )
  .map((headers): Record<string, string> => ({ ...json, ...headers }));

function inserts(table: Table, likely: LikelyValues): Arbitrary<BadCase> {
  const row = mostlyRight(rowLike(table, likely));
  const rows = fc.oneof({ weight: 4, arbitrary: row }, { weight: 1, arbitrary: fc.array(row, { maxLength: 3 }) });
  return fc.tuple(bodyOf(rows), writingHeaders, writing).map(([body, headers, as]) => {
    const conflict = headers.Prefer?.startsWith('resolution') ? `?on_conflict=${table.key.join(',')}` : '';
    return { method: 'POST', target: `/rest/v1/${table.name}${conflict}`, headers, body, as };
  });
}

/** One row by its key. */
function oneOf(table: Table, likely: LikelyValues): Arbitrary<string> {
  return likely.rowOf(table.name).map((row) => table.key.map((name) => `${name}=eq.${inAddress(row[name])}`).join('&'));
}

function updates(table: Table, likely: LikelyValues, filter: Arbitrary<string>): Arbitrary<BadCase> {
  const changes = fc
    .array(valueIn(table.columns, likely), { minLength: 1, maxLength: 3 })
    .map((pairs) => Object.fromEntries(pairs));
  const which = inHundred(10, filter, oneOf(table, likely));
  return fc
    .tuple(
      inHundred(10, fc.constant('PUT'), fc.constant('PATCH')),
      which,
      bodyOf(mostlyRight(changes)),
      writingHeaders,
      writing,
    )
    .map(([method, one, body, headers, as]) => ({
      method,
      target: `/rest/v1/${table.name}?${one}`,
      headers,
      body,
      as,
    }));
}

function deletes(table: Table, likely: LikelyValues, filter: Arbitrary<string>): Arbitrary<BadCase> {
  return fc
    .tuple(inHundred(15, filter, oneOf(table, likely)), writing)
    .map(([one, as]) => ({ method: 'DELETE', target: `/rest/v1/${table.name}?${one}`, as }));
}

const parameters = ['select', 'order', 'limit', 'offset', 'or', 'and', 'not.or', 'on_conflict', 'columns', 'nope'];

function nonsense(table: Table, likely: LikelyValues): Arbitrary<BadCase> {
  return fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'),
      inHundred(30, badAddressPart, fc.constant('')),
      fc.array(
        fc.tuple(
          inHundred(40, badParameterName, fc.constantFrom(...parameters)),
          inHundred(50, fc.constantFrom('eq.1', 'is.null', 'in.(1,2)'), badAddressPart),
        ),
        { maxLength: 3 },
      ),
      badHeaders,
      fc.constantFrom('application/json', 'text/plain', 'text/csv', 'multipart/form-data', ';;'),
      bodyOf(mostlyRight(rowLike(table, likely), 90)),
      fc.constantFrom<Asker>('visitor', 'customer'),
    )
    .map(([method, path, query, headers, type, body, as]) => {
      const target = `/rest/v1/${table.name}${path && `/${path}`}?${query.map((pair) => pair.join('=')).join('&')}`;
      const bodiless = ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method);
      return {
        method,
        target,
        as,
        ...(bodiless ? { headers } : { headers: { ...headers, 'Content-Type': type }, body }),
      };
    });
}
