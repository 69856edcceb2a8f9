import { expect, test } from 'vitest';
import type { PublishedTable } from './change-feed.ts';
import { parseFilter } from './filters.ts';

const table: PublishedTable = {
  schema: 'public',
  name: 'things',
  key: [{ name: 'id', type: 'bigint' }],
  columns: [
    { name: 'id', type: 'bigint' },
    { name: 'name', type: 'text' },
    { name: 'open', type: 'boolean' },
    { name: 'at', type: 'timestamp with time zone' },
    { name: 'owner', type: 'uuid' },
    { name: 'extra', type: 'jsonb' },
  ],
};
const record = {
  id: 10,
  name: 'a,b',
  open: true,
  at: '2026-11-01T10:00:00+00:00',
  owner: '9f1c6a52-0d3b-4d0e-8a52-6f6d9a1b2c3d',
  extra: null,
};

function matches(text: string, row: Record<string, unknown> = record): boolean {
  const parsed = parseFilter(text, table);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.filter(row);
}

test.each([
  'id=eq.10',
  'id=neq.9',
  'id=gt.9',
  'id=gte.10',
  'id=lt.11',
  'id=lte.10',
  'id=in.(9, 10)',
  'id=not.in.(1,2)',
  'id=gt.9,id=lt.100',
  'name=eq."a,b"',
  'name=in.("a,b",c)',
  'name=not.eq.x',
  'open=eq.true',
  'open=is.true',
  'extra=is.null',
  'name=not.is.null',
  'at=gte.2026-11-01T15:30:00+05:30',
  'owner=eq.9F1C6A52-0D3B-4D0E-8A52-6F6D9A1B2C3D',
])('%s matches', (text) => {
  expect(matches(text)).toBe(true);
});

test.each(['id=eq.9', 'id=gt.9,id=lt.10', 'name=eq.a', 'open=eq.false', 'id=in.(1,2)', 'name=is.null'])(
  '%s does not match',
  (text) => {
    expect(matches(text)).toBe(false);
  },
);

test('numbers compare as numbers and null matches no comparison, negated or not', () => {
  expect(matches('id=gt.9', { id: 100 })).toBe(true);
  expect(matches('name=neq.x', { name: null })).toBe(false);
  expect(matches('name=not.eq.x', { name: null })).toBe(false);
});

test.each([
  '',
  'id',
  'id=10',
  'id=eq.ten',
  'id=eq.',
  'id=like.1%',
  'id=in.10',
  'id=in.()',
  'id=in.(1',
  'name=eq."open',
  'nothing=eq.1',
  'constructor=eq.1',
  'extra=eq.1',
  'open=is.constructor',
  'at=eq.someday',
  'id=eq.1,',
  `id=in.(${Array(101).fill(1).join(',')})`,
])('%s is refused', (text) => {
  expect(parseFilter(text, table)).toMatchObject({ ok: false, reason: expect.any(String) });
});
