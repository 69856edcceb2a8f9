import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { anyText, fuzzSeed } from '../../../tests/support/properties.ts';
import { everyday, sentBy } from './everyday-requests.ts';
import { catalogue, everybody } from './fixture-catalogue.ts';
import { passDataGate } from './gate.ts';
import { ordinaryBody } from './limits.ts';
import { parseRequest } from './parse-request.ts';

const settings = { seed: fuzzSeed, numRuns: process.env.SOAK ? 20_000 : 1500 };

type Plain = { method: string; url: string; headers: [string, string][]; body: string };
let samples: Plain[];
beforeAll(async () => {
  samples = await Promise.all(
    Object.values(everyday).map(async (build) => {
      const request = await sentBy(build);
      return { method: request.method, url: request.url, headers: [...request.headers], body: await request.text() };
    }),
  );
});

async function treeOf(request: Request) {
  const body = new Uint8Array(await request.clone().arrayBuffer());
  const { method, headers } = request;
  return parseRequest({ method, url: new URL(request.url), headers, body, bodyLimits: ordinaryBody }, catalogue);
}

const requestOf = ({ method, url, headers, body }: Plain) =>
  new Request(url, { method, headers, ...(method === 'GET' || method === 'HEAD' || body === '' ? {} : { body }) });

/** Values by the types of the fixture's columns. */
const values = {
  Id: fc.integer({ min: -1000, max: 2 ** 31 }),
  Price: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
  Name: anyText(12).filter((text) => !text.includes('\0')),
  isavailable: fc.boolean(),
  created_at: fc
    .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
};
type Column = keyof typeof values;
const filter = fc
  .constantFrom(...(Object.keys(values) as Column[]))
  .chain((column) =>
    fc.tuple(
      fc.constant(column),
      fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte'),
      fc.boolean(),
      values[column] as fc.Arbitrary<unknown>,
    ),
  );

test('whatever supabase-js builds of known columns passes, and means the same', async () => {
  const query = fc.record({
    filters: fc.array(filter, { maxLength: 6 }),
    names: fc.array(
      fc.string({ maxLength: 8 }).filter((text) => !/["\\\0]/.test(text)),
      { maxLength: 4 },
    ),
    like: fc.option(anyText(8).filter((text) => !text.includes('\0'))),
    order: fc.option(fc.constantFrom('Id', 'Name')),
    page: fc.option(fc.nat({ max: 500 })),
  });
  await fc.assert(
    fc.asyncProperty(query, async ({ filters, names, like, order, page }) => {
      const request = await sentBy((db) => {
        let built = db.from('Products').select('Id, Name, comments(id)');
        // A column once: of two conditions one stands in a group, where quotes cannot be written.
        const once = new Map(filters.map((one) => [one[0], one]));
        for (const [column, operator, isNegated, value] of once.values())
          built = isNegated ? built.not(column, operator, value) : built.filter(column, operator, value);
        if (names.length > 0) built = built.in('Name', names);
        if (like !== null) built = built.ilike('Name', `%${like}%`);
        if (order !== null) built = built.order(order, { ascending: false });
        if (page !== null) built = built.range(page, page + 9);
        return built;
      });
      const written = await passDataGate(request, everybody);
      if (written instanceof Response) throw new Error(`${decodeURIComponent(request.url)}: ${await written.text()}`);
      expect(await treeOf(written)).toEqual(await treeOf(request));
    }),
    settings,
  );
});

const hostileParts = [
  '__proto__',
  '"__proto__"',
  'constructor.prototype',
  'toString',
  'comments.__proto__',
  '&__proto__=eq.1',
  '&constructor=eq.1',
  '->__proto__',
  'x:__proto__(id)',
  '(',
  ')',
  '"',
  '\\',
  ',',
  '.',
  '!',
  '::text',
  '->>',
  '{',
  '}',
  '&or=(',
  'not.',
  'eq.',
  '\0',
  '%',
  ' ',
  '","__proto__":{"a":1},"b":"',
  '[',
  ']',
  'null',
  '1e999',
];

type Change = { at: number; remove: number; insert: string };
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.nat({ max: 6 }),
  insert: fc.oneof(fc.constantFrom(...hostileParts), anyText(4), fc.constant('')),
});

function changed(text: string, { at, remove, insert }: Change): string {
  const start = Math.floor(at * text.length);
  return text.slice(0, start) + insert + text.slice(start + remove);
}

/** Everything in an address that could be a name. */
const wordsOf = (url: URL) =>
  [...url.searchParams].flatMap(([name, value]) => [
    ...name.split(/\W+/),
    ...(/(^|\.)(select|order|columns|on_conflict)$/.test(name) ? value.split(/\W+/) : []),
  ]);
const inherited = new Set([...Object.getOwnPropertyNames(Object.prototype), '__proto__', 'prototype']);
const passedOn = new Set([
  'apikey',
  'authorization',
  'accept',
  'accept-profile',
  'content-profile',
  'prefer',
  'range',
  'content-type',
]);

function keysOf(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const own = Array.isArray(json) ? [] : Object.keys(json);
  return [...own, ...Object.values(json).flatMap(keysOf)];
}

test('nothing else reaches the library: what goes on reads as itself and holds only names we know', async () => {
  let forwarded = 0;
  const mutation = fc.record({
    sample: fc.nat(),
    inQuery: fc.array(change, { maxLength: 3 }),
    inBody: fc.array(change, { maxLength: 2 }),
    header: fc.option(
      fc.tuple(
        fc.constantFrom('prefer', 'accept', 'range', 'accept-profile', 'x-__proto__'),
        fc.constantFrom(...hostileParts),
      ),
    ),
    method: fc.option(fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS')),
  });
  await fc.assert(
    fc.asyncProperty(mutation, async ({ sample, inQuery, inBody, header, method }) => {
      const chosen = samples[sample % samples.length] as Plain;
      const [path = '', query = ''] = chosen.url.split('?');
      const search = inQuery.reduce(changed, decodeURIComponent(query.replaceAll('+', ' ')));
      const headers = new Headers(chosen.headers);
      if (header && !header[1].includes('\0')) headers.append(...(header as [string, string]));
      const request = requestOf({
        method: method ?? chosen.method,
        url: `${path}?${encodeURIComponent(search.toWellFormed()).replaceAll('%26', '&').replaceAll('%3D', '=')}`,
        headers: [...headers],
        body: inBody.reduce(changed, chosen.body).toWellFormed(),
      });
      const result = await passDataGate(request, everybody);
      if (result instanceof Response) {
        expect(result.status).toBeGreaterThanOrEqual(400);
        expect(result.status).toBeLessThan(500);
        return;
      }
      forwarded += 1;
      const tree = await treeOf(result);
      const again = await passDataGate(result.clone(), everybody);
      if (again instanceof Response) throw new Error(`${decodeURIComponent(result.url)}: ${await again.text()}`);
      expect([again.method, again.url, [...again.headers], await again.clone().text()]).toEqual([
        result.method,
        result.url,
        [...result.headers],
        await result.clone().text(),
      ]);
      expect(await treeOf(again)).toEqual(tree);
      const url = new URL(result.url);
      expect(url.pathname.replace('/rest/v1/', '').replace('rpc/', '')).toSatisfy(
        (name: string) => catalogue.relations.has(name) || catalogue.routines.has(name),
      );
      expect(wordsOf(url).filter((word) => inherited.has(word))).toEqual([]);
      expect([...result.headers.keys()].filter((name) => !passedOn.has(name))).toEqual([]);
      const body = await result.text();
      expect(
        body === '' ? [] : keysOf(JSON.parse(body)).filter((key) => /^(__proto__|constructor|prototype)$/.test(key)),
      ).toEqual([]);
    }),
    { ...settings, numRuns: settings.numRuns * 2 },
  );
  // Otherwise nothing was looked at.
  expect(forwarded).toBeGreaterThan(settings.numRuns / 10);
});
