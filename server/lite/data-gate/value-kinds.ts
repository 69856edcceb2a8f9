import type { PgType } from './catalogue.ts';

export type ValueKind =
  | 'integer'
  | 'number'
  | 'boolean'
  | 'uuid'
  | 'date'
  | 'moment'
  | 'time'
  | 'json'
  | 'range'
  | 'array'
  | 'text';

const kinds = new Map<PgType, ValueKind>([
  ...(['int2', 'int4', 'int8'] as const).map((type) => [type, 'integer'] as const),
  ...(['numeric', 'float4', 'float8'] as const).map((type) => [type, 'number'] as const),
  ['bool', 'boolean'],
  ['uuid', 'uuid'],
  ['date', 'date'],
  ['timestamp', 'moment'],
  ['timestamptz', 'moment'],
  ['time', 'time'],
  ['timetz', 'time'],
  ['json', 'json'],
  ['jsonb', 'json'],
  ...(['int4range', 'int8range', 'numrange', 'daterange', 'tsrange', 'tstzrange'] as const).map(
    (type) => [type, 'range'] as const,
  ),
]);

/** Of a type that is not listed, an enumeration for instance, PostgreSQL reads the text. */
export const kindOf = (type: PgType): ValueKind => (type.startsWith('_') ? 'array' : (kinds.get(type) ?? 'text'));

export const elementType = (type: PgType): PgType => (type.startsWith('_') ? type.slice(1) : type);

const widest = new Map<PgType, bigint>([
  ['int2', 2n ** 15n],
  ['int4', 2n ** 31n],
  ['int8', 2n ** 63n],
]);

export function fitsInteger(text: string, type: PgType): boolean {
  if (!/^[+-]?\d{1,19}$/.test(text)) return false;
  const value = BigInt(text);
  const limit = widest.get(type) ?? 2n ** 63n;
  return value >= -limit && value < limit;
}

const number = /^[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})([eE][+-]?\d{1,3})?$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const day = /^\d{4}-\d{2}-\d{2}$/;
const moment = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?( ?(Z|UTC|[+-]\d{2}(:?\d{2}){0,2}))?)?$/i;
const time = /^\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?( ?(Z|[+-]\d{2}(:?\d{2})?))?$/i;
const range = /^[[(][^[\](){}"\\]{0,100}[\])]$|^empty$/;

const truths = new Map([
  ...['true', 't', 'yes', 'y', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0'].map((word) => [word, false] as const),
]);
export const truthOf = (text: string): boolean | null => truths.get(text.trim().toLowerCase()) ?? null;

/** The driver makes dates of its own of moments, and fails at those that are none. */
const exists = (text: string) => !Number.isNaN(Date.parse(text));

/** Whether text is a value of a type whose values have one form. */
export function hasForm(text: string, type: PgType): boolean {
  switch (kindOf(type)) {
    case 'integer':
      return fitsInteger(text, type);
    case 'number':
      return number.test(text) && Number.isFinite(Number(text));
    case 'boolean':
      return truthOf(text) !== null;
    case 'uuid':
      return uuid.test(text);
    case 'date':
      return (day.test(text) || moment.test(text)) && exists(text);
    case 'moment':
      return moment.test(text) && exists(text);
    case 'time':
      return time.test(text);
    case 'range':
      return range.test(text);
    default:
      return true;
  }
}
