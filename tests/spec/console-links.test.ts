import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const files = globSync('{app,domain}/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file));

test('links into the console are made with href(), which knows its routes', () => {
  const written = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(?<!href\()['"`]\/admin\/[^'"`]*/g)].map(
      ([link]) => `${file}: ${link}`,
    ),
  );
  expect(written).toEqual([]);
});
