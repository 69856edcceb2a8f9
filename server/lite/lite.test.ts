import { expect, test } from 'vitest';
import { createLite } from './lite.ts';

test('the library leaves warnings as they are: Node gives errors, and not all of them are texts', async () => {
  const { emitWarning } = process;
  const lite = await createLite({
    connection: { host: '/nowhere', port: 1 },
    keys: { publishableKey: 'sb_publishable_x', secretKey: 'sb_secret_x', jwtSecret: 'x'.repeat(40) },
    siteUrl: 'http://localhost',
    apiUrl: 'http://localhost',
    redirectUrls: [],
    social: { name: 'google', clientId: 'x', clientSecret: 'x' },
    filesDir: '.',
    log: () => {},
  });
  await lite.close();
  expect(process.emitWarning).toBe(emitWarning);
});
