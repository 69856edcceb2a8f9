import { expect, test } from 'vitest';
import { type Migration, sha256Of, versionOf } from './migration-history.ts';
import { planMigrations } from './plan-migrations.ts';

const files = (...names: string[]): Migration[] =>
  names.map((file) => ({ file, version: versionOf(file), text: file, sha256: sha256Of(file) }));
const history = files('20260101000000_a.sql', '20260102000000_b.sql', '20260103000000_c.sql');
const migrations = files('20260201000000_baseline.sql', '20260202000000_step.sql');
const [a, b, c] = history.map(({ version }) => version) as [string, string, string];
const [baseline, step] = migrations.map(({ version }) => version) as [string, string];

/** The names of what runs; in brackets what is only recorded. */
function plan(applied: string[], only?: string[]): string[] {
  const planned = planMigrations({ history, migrations }, new Set(applied), only && new Set(only));
  return planned.map(({ migration, isRun }) => {
    const name = migration.file.slice(15, -4);
    return isRun ? name : `(${name})`;
  });
}

test.each([
  ['a new database', [], ['baseline', 'step']],
  ['a new one of an earlier release', [baseline], ['step']],
  ['an up-to-date one', [baseline, step], []],
  ['one that has the whole history', [a, b, c], ['(baseline)', 'step']],
  ['one in the middle of the history', [a], ['b', 'c', '(baseline)', 'step']],
  ['one that lacks a file in between', [a, c], ['b', '(baseline)', 'step']],
  ['an older one whose baseline is recorded', [a, b, c, baseline], ['step']],
  ['one that is ahead of us', [baseline, step, '20991231000000'], []],
])('%s needs what it lacks, in order', (_what, applied, expected) => {
  expect(plan(applied)).toEqual(expected);
});

test('a database becomes as old as a backup, and no newer', () => {
  expect(plan([], [a, b])).toEqual(['a', 'b']);
  expect(plan([a, b], [a, b])).toEqual([]);
  expect(plan([], [a, b, c])).toEqual(['a', 'b', 'c']);
  expect(plan([], [baseline])).toEqual(['baseline']);
});

test('a backup of an older shop whose baseline was recorded is restored from the baseline', () => {
  expect(plan([], [a, b, c, baseline, step])).toEqual(['baseline', 'step']);
});
