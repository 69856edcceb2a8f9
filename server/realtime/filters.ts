import type { Column, PublishedTable } from './change-feed.ts';

type Scalar = string | number | boolean;
/** True for rows to send. */
export type Filter = (record: Record<string, unknown>) => boolean;
export type FilterResult = { ok: true; filter: Filter } | { ok: false; reason: string };

const maxConditions = 10;
const maxListValues = 100;
const isValues = new Map([
  ['null', null],
  ['true', true],
  ['false', false],
]);

/**
 * Reads `column=operator.value`, several of them joined by commas, each perhaps negated by `not.`, as supabase-js
 * writes them. As in SQL, a comparison with null is never true, negated or not.
 */
export function parseFilter(text: string, table: PublishedTable): FilterResult {
  const parts = splitOutsideQuotes(text);
  if (!parts || parts.length > maxConditions) return refused('the filter cannot be read');
  const filters: Filter[] = [];
  for (const part of parts) {
    const condition = parseCondition(part, table);
    if (!condition.ok) return condition;
    filters.push(condition.filter);
  }
  return { ok: true, filter: (record) => filters.every((matches) => matches(record)) };
}

function parseCondition(text: string, table: PublishedTable): FilterResult {
  const [, name, not, operator, operand] = /^([^=]+)=(not\.)?([a-z]+)\.(.*)$/s.exec(text.trim()) ?? [];
  if (name === undefined || operator === undefined || operand === undefined) {
    return refused('a filter is written column=operator.value');
  }
  const column = table.columns.find((candidate) => candidate.name === name);
  if (!column) return refused(`the table has no column ${name}`);
  const negated = not !== undefined;

  if (operator === 'is') {
    const wanted = isValues.get(operand);
    if (wanted === undefined) return refused('is. takes null, true or false');
    return { ok: true, filter: (record) => (record[name] === wanted) !== negated };
  }
  const read = readerFor(column);
  if (!read) return refused(`column ${name} cannot be filtered`);
  const test = parseTest(operator, operand, read);
  if (!test) return refused(`the filter on ${name} has an unknown operator or a value of the wrong type`);
  return {
    ok: true,
    filter: (record) => {
      const value = read(record[name]);
      return value !== null && test(value) !== negated;
    },
  };
}

function parseTest(operator: string, operand: string, read: ReadScalar): ((value: Scalar) => boolean) | null {
  if (operator === 'in') {
    const [, list] = /^\((.*)\)$/s.exec(operand) ?? [];
    const texts = list === undefined ? null : splitOutsideQuotes(list);
    if (!texts || texts.length > maxListValues) return null;
    const wanted = texts.map((item) => read(unquoted(item.trim())));
    return wanted.includes(null) ? null : (value) => wanted.includes(value);
  }
  const wanted = read(unquoted(operand));
  if (wanted === null) return null;
  switch (operator) {
    case 'eq':
      return (value) => value === wanted;
    case 'neq':
      return (value) => value !== wanted;
    case 'lt':
      return (value) => value < wanted;
    case 'lte':
      return (value) => value <= wanted;
    case 'gt':
      return (value) => value > wanted;
    case 'gte':
      return (value) => value >= wanted;
    default:
      return null;
  }
}

/** Converts values of filters and rows to the same comparable form; null if it cannot. */
type ReadScalar = (value: unknown) => Scalar | null;

function readerFor(column: Column): ReadScalar | null {
  switch (column.type) {
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'numeric':
    case 'real':
    case 'double precision':
      return readNumber;
    case 'boolean':
      return readBoolean;
    case 'timestamp with time zone':
    case 'timestamp without time zone':
    case 'date':
      return readDate;
    case 'uuid':
      return (value) => (typeof value === 'string' ? value.toLowerCase() : null);
    case 'text':
    case 'character varying':
    case 'character':
      return (value) => (typeof value === 'string' ? value : null);
    default:
      return null;
  }
}

function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isNaN(number) ? null : number;
}

function readBoolean(value: unknown): boolean | null {
  if (value === true || value === 'true' || value === 't') return true;
  if (value === false || value === 'false' || value === 'f') return false;
  return null;
}

function readDate(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** Splits at commas outside double quotes and parentheses; null where these do not close. */
function splitOutsideQuotes(text: string): string[] | null {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  let inQuotes = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (inQuotes && character === '\\') {
      part += character + text.charAt(++i);
      continue;
    }
    if (character === '"') inQuotes = !inQuotes;
    if (!inQuotes && character === '(') depth++;
    if (!inQuotes && character === ')') depth--;
    if (character === ',' && !inQuotes && depth === 0) {
      parts.push(part);
      part = '';
    } else {
      part += character;
    }
  }
  parts.push(part);
  return inQuotes || depth !== 0 ? null : parts;
}

function unquoted(text: string): string {
  const [, inner] = /^"(.*)"$/s.exec(text) ?? [];
  return inner === undefined ? text : inner.replace(/\\(.)/gs, '$1');
}

function refused(reason: string): FilterResult {
  return { ok: false, reason };
}
