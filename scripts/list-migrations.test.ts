import { describe, expect, test } from 'vitest';
import { sha256Of } from '../server/backends/schema/migration-history.ts';
import { editedSince, filesToList, type ListedFile, listProblem, readList } from './list-migrations.ts';

const files = await filesToList();

test('no migration was edited or removed after it was listed in supabase/migrations.sha256', () => {
  expect(editedSince(readList(), files)).toEqual([]);
});

test('every migration is listed: "npm run types" adds new ones', () => {
  const listed = readList();
  expect(files.filter(({ file }) => !listed.has(file)).map(({ file }) => file)).toEqual([]);
});

test('an edit of one character and a removed file are both found', () => {
  const listed = new Map([
    ['1_a.sql', sha256Of('select 1')],
    ['2_b.sql', sha256Of('select 2')],
    ['3_c.sql', sha256Of('select 3')],
  ]);
  const today = [
    { file: '1_a.sql', sha256: sha256Of('select 1') },
    { file: '2_b.sql', sha256: sha256Of('select 2;') },
  ];
  expect(editedSince(listed, today)).toEqual(['2_b.sql', '3_c.sql']);
});

describe('listing', () => {
  const [committed, draft] = [{ file: 'migrations/20261122001000_a.sql', sha256: sha256Of('a') }, sha256Of('draft')];
  const list = new Map([[committed.file, committed.sha256]]);
  const problemOf = (...files: ListedFile[]) => listProblem(list, files);

  test('takes a migration that is not committed, however often it is edited', () => {
    expect(problemOf(committed, { file: 'migrations/20261122002000_b.sql', sha256: draft })).toBeNull();
  });

  test('refuses a committed migration that was edited or removed', () => {
    expect(problemOf({ ...committed, sha256: draft })).toMatch(
      /20261122001000_a\.sql: committed migrations never change/,
    );
    expect(problemOf()).toMatch(/never change/);
  });

  test('refuses a version before or beside the last one, and names the next', () => {
    for (const version of ['20261119000000', '20261122001000'])
      expect(problemOf(committed, { file: `migrations/${version}_b.sql`, sha256: draft })).toMatch(
        /Rename it to migrations\/20261122002000_b\.sql\.$/,
      );
  });
});
