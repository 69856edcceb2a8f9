import { expect, test } from 'vitest';
import { migrationText, newMigration } from './new-migration.ts';

const files = ['20261121000000_create_shop.sql', '20261122003000_add_gifts.sql'];

test('a new migration comes after the last one', () => {
  expect(newMigration('add_serves_to_products', files)).toEqual({
    ok: true,
    file: '20261122004000_add_serves_to_products.sql',
  });
});

test.each([
  ['add_gifts', '20261122003000_add_gifts.sql exists. If it is not committed yet, delete it'],
  ['Add gifts', '“Add gifts” is no name'],
  ['../add', '“../add” is no name'],
])('%s is refused', (name, problem) => {
  expect(newMigration(name, files)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
});

test('it says in its first line what it does', () => {
  expect(migrationText('add_serves_to_products', ['alter table a;', 'alter table b;'])).toBe(
    '-- Add serves to products.\nset check_function_bodies = off;\n\nalter table a;\n\nalter table b;\n',
  );
});
