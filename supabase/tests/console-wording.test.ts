// Error messages of the console use the words of its screens; a migration that restates a function must not bring back
// the earlier texts (20261119008000_reword_console_errors.sql).
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { functionBodies } from '../../tests/support/statements.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
});
afterAll(() => database.drop());

const oldWords =
  /meanwhile\.|somebody|there is no such (customer|mail|movement|order|payment|product|receipt|vendor)|^Say /i;

test('no message of a function uses the earlier words', async () => {
  const bodies = await functionBodies(database.sql);
  const messages = bodies.flatMap(({ name, source }) =>
    [...source.replaceAll(/--.*$/gm, '').matchAll(/'([A-Z%][^'\n]{12,}[.?])'/g)].map(([, text = '']) => ({
      name,
      text,
    })),
  );
  expect(messages.length).toBeGreaterThan(150);
  expect(messages.filter(({ text }) => oldWords.test(text))).toEqual([]);
});
