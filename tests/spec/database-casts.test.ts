import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
// Where the database is called. server/pages and server/host hand over requests and know no rows.
const places = [
  'app/**/*.{ts,tsx}',
  'supabase/{functions,contracts}/**/*.ts',
  'server/{backends,demo,functions,jobs,lite,operations,postgres,realtime}/**/*.ts',
];
const files = places
  .flatMap((place) => globSync(place, { cwd: root }))
  .filter((file) => !/\.test\.tsx?$|-harness\.ts$|everyday-requests\.ts$/.test(file));

// What a contract, a row's type or the driver's options do not fit is a mistake to mend, not to cast away.
test('nothing is cast into a type it is not where the database is called', () => {
  const casts = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => /\bas (never|unknown as)\b/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(casts).toEqual([]);
});

test('the files that call the database are found', () => {
  expect(files).toEqual(
    expect.arrayContaining([
      'app/features/console/greetings/use-row-form.ts',
      'server/backends/embedded.ts',
      'server/postgres/function-calls.ts',
      'supabase/contracts/contract.ts',
    ]),
  );
});
