// What does not belong: in an address, in a header, in a body; and how one thing in what would be right goes wrong.
import fc, { type Arbitrary } from 'fast-check';
import { anyText } from '../../support/properties.ts';

/** JSON that no value of JavaScript becomes. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function jsonText(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, inner]) => `${JSON.stringify(key)}:${jsonText(inner)}`)
      .join(',')}}`;
  return JSON.stringify(value) ?? 'null';
}

const words = (text: string) => text.trim().split(/\s+/);

/** Names that every JavaScript object knows, or none of ours does. */
const foreignNames = words('nope __proto__ constructor prototype toString hasOwnProperty valueOf');

/** As the name of a parameter: plain, quoted, behind a dot, as a path into JSON. */
export const badParameterName: Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...foreignNames),
    fc.constantFrom('@', '"@"', 'comments.@', '@.eq', 'not.@', '@->a', '%5F%5Fproto%5F%5F', 'comments."@"', '@%00'),
  )
  .map(([name, shape]) => shape.replace('@', name));

const badAddressParts = [
  '',
  ...words(`null true -1 0 1.5 1e400 99999999999999999999 NaN infinity %00 % %zz %E0%A4 %FF %F0%9F%98%80 ' " ;-- ( ) {} [] *
    %E0%A4%B2%E0%A4%A1%E0%A5%8D%E0%A4%A1%E0%A5%82 1'%20or%20'1'='1 .. ../.. %2e%2e%2f \\ $1 ::text -> -%3E%3Ea`),
  'x'.repeat(3000),
];

/** For an address, as it stands in the request line. */
export const badAddressPart: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...badAddressParts),
  anyText().map(encodeURIComponent),
  fc.string({ unit: 'grapheme', maxLength: 30 }).map(encodeURIComponent),
  fc.bigInt().map(String),
  fc.double().map((number) => encodeURIComponent(String(number))),
);

const manyNumbers = `[${Array.from({ length: 20_000 }, (_, index) => index).join(',')}]`;

const badJsonTexts = [
  manyNumbers,
  '{"__proto__":{"eq":1}}',
  '{"constructor":{"prototype":{"eq":1}}}',
  ...words('1e400 99999999999999999999 -99999999999999999999 1e-400 "\\u0000" "\\ud800" NaN'),
  '['.repeat(3000) + ']'.repeat(3000),
];

/** For a field of a body. */
export const badJson: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...badJsonTexts.map((text) => new RawJson(text))),
  fc.constantFrom(null, true, '', ' ', 0, -1, 1.5, [], {}, [[]], [null], "'; drop table orders; --", 'क'.repeat(3000)),
  fc.constantFrom(
    'infinity',
    '-infinity',
    'NaN',
    '0001-01-01',
    '294277-01-01',
    '10000-02-30',
    '4713-01-01 BC',
    '24:00',
  ),
  anyText(),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const headerNames = words(`Range Prefer Accept Accept-Profile Content-Profile Range-Unit If-None-Match Accept-Encoding
  X-Upsert X-Client-Info Content-Encoding`);
const headerValues = [
  ...words(',, 0- -5 9-1 bytes=0-1 count=exact return=representation tx=rollback private */* é gzip'),
  '',
  'a'.repeat(2000),
];
export const badHeaders: Arbitrary<Record<string, string>> = fc
  .tuple(fc.constantFrom(...headerNames), fc.constantFrom(...headerValues))
  .map(([name, value]) => ({ [name]: value }));

/** `one` in so many cases of a hundred, `other` otherwise. */
export const inHundred = <T>(cases: number, one: Arbitrary<T>, other: Arbitrary<T>): Arbitrary<T> =>
  fc.oneof({ weight: 100 - cases, arbitrary: other }, { weight: cases, arbitrary: one });

type Spoiling = { how: 'replace' | 'remove' } | { how: 'add'; name: string };

const spoiling: Arbitrary<Spoiling> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Spoiling>({ how: 'replace' }) },
  { weight: 1, arbitrary: fc.constant<Spoiling>({ how: 'remove' }) },
  { weight: 2, arbitrary: fc.constantFrom(...foreignNames).map((name): Spoiling => ({ how: 'add', name })) },
);

/** A valid value; sometimes one thing in it, at any depth, is wrong, missing or added. */
export function mostlyRight(right: Arbitrary<unknown>, wrongInHundred = 25): Arbitrary<unknown> {
  const spoiled = fc.tuple(right, fc.nat(), spoiling, badJson).map(([value, nth, spoil, bad]) => {
    const places = placesIn(value);
    const place = places[nth % places.length];
    return place ? changedAt(value, place, spoil, bad) : bad;
  });
  return inHundred(wrongInHundred, spoiled, right);
}

/** A body as it is sent: the JSON of a value, and sometimes not JSON at all. */
export const bodyOf = (value: Arbitrary<unknown>): Arbitrary<string> =>
  inHundred(
    4,
    value.chain((one) => {
      const text = jsonText(one);
      return fc.constantFrom(text.slice(0, -1), `[${text}]`, `${text},`, '', 'null', `\uFEFF${text}`, `{"x":${text}}`);
    }),
    value.map(jsonText),
  );

type Place = (string | number)[];

function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return at.length > 0 ? [at] : [];
  const inner = Object.entries(value).flatMap(([key, one]) => placesIn(one, [...at, key]));
  return at.length > 0 ? [at, ...inner] : inner;
}

function changedAt(value: unknown, [key, ...rest]: Place, spoil: Spoiling, bad: unknown): unknown {
  if (key === undefined) return bad;
  if (Array.isArray(value))
    return value.map((one, index) => (index === Number(key) ? changedAt(one, rest, spoil, bad) : one));
  const record = value as Record<string, unknown>;
  if (rest.length > 0) return { ...record, [key]: changedAt(record[key], rest, spoil, bad) };
  if (spoil.how === 'add') return { ...record, [spoil.name]: bad };
  if (spoil.how === 'remove') return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
  return { ...record, [key]: bad };
}
