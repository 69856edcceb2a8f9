import { expect, test } from 'vitest';
import { sha256Of } from '../server/backends/schema/migration-history.ts';
import { editedSince, filesToList, readList } from './list-migrations.ts';

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
