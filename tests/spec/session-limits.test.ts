import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SESSION_LIMITS } from '../../server/lite/lite.ts';

test('sessions end after the same time on both backends', () => {
  const settings = readFileSync(join(import.meta.dirname, '../../supabase/config.toml'), 'utf8');
  const section = /^\[auth\.sessions\]\n([^[]*)/m.exec(settings)?.[1] ?? '';
  const hosted = Object.fromEntries(
    [...section.matchAll(/^(\w+) = "(.*)"$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(hosted).toEqual(SESSION_LIMITS);
  expect(settings).toMatch(/^enable_refresh_token_rotation = true\nrefresh_token_reuse_interval = 10$/m);
});
