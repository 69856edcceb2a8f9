import { expect, test } from 'vitest';
import { accountRows } from './account-rows.ts';
import { consoleRows } from './console-rows.ts';
import { constantRows } from './constant-rows.ts';
import { messageRows } from './message-rows.ts';
import { missingTests } from './named-in-docs.ts';
import { ruleRows } from './rule-rows.ts';
import { screenRows } from './screen-rows.ts';
import type { SpecRow } from './spec-row.ts';

const rows: SpecRow[] = [...screenRows, ...consoleRows, ...accountRows, ...ruleRows, ...constantRows, ...messageRows];

test.each(rows.map((row) => [`${row.section}: ${row.what}`, row] as const))('specification %s', (_name, row) => {
  if ('provenBy' in row) expect(missingTests([row.provenBy])).toEqual([]);
  else expect(row.value).toEqual(row.is);
});

test('each row points to a test that runs in npm test, not in the soak run alone', () => {
  expect(rows.filter((row) => 'provenBy' in row && row.provenBy.includes('@soak'))).toEqual([]);
});
