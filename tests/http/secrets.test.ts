import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { instanceKeys } from '../support/instance-keys.ts';
import { clientDir } from './every-answer.ts';
import { rawRequest } from './raw-request.ts';

const root = join(import.meta.dirname, '../..');
const shopUrl = inject('shopUrl');
const keys = instanceKeys(inject('shopDataDir'));

// What the environment gives to the server; of these a browser knows the project's address and public key by value only.
const settings = [...readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^#?([A-Z]+_[A-Z_]+)=/gm)].map(
  ([, name = '']) => name,
);

describe('what browsers load', () => {
  const files = globSync('**/*', { cwd: clientDir }).filter((file) => statSync(join(clientDir, file)).isFile());
  const textOf = new Map(
    files
      .filter((file) => /\.(js|css|svg|json|txt|html|webmanifest)$/.test(file))
      .map((file) => [file, readFileSync(join(clientDir, file), 'utf8')]),
  );
  const filesWith = (mark: string | RegExp) =>
    [...textOf]
      .filter(([, text]) => (typeof mark === 'string' ? text.includes(mark) : mark.test(text)))
      .map(([file]) => file);

  test('is scripts, styles, typefaces and pictures, and nothing that was not meant to be there', () => {
    expect(textOf.size).toBeGreaterThan(100);
    expect(filesWith('createClient').length + filesWith('auth/v1').length).toBeGreaterThan(0); // the scan reads what is there
    const kinds = /\.(js|css|svg|ico|png|avif|webp|jpg|woff2)(\.(br|gz))?$/;
    expect(files.filter((file) => !kinds.test(file))).toEqual([]);
  });

  test.each<[what: string, mark: string | RegExp]>([
    ['the secret key of this installation', keys.secretKey],
    ['the signing secret of this installation', keys.jwtSecret],
    ['the public key of this installation, which belongs to /env.json', keys.publishableKey],
    ['a secret key of Supabase', /sb_secret_\w/],
    ['the name of the role that may do everything', 'service_role'],
    ['a signed token', /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\./],
    ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY/],
    ['a key of the payment provider', /rzp_(live|test)_\w/],
    ['an address with a password in it', /\b(postgres(ql)?|smtps?|https?):\/\/[\w.-]+:[^/\s"'`]+@/],
    ['a name of the server’s own code', /jwtSecret|webhookSecret|keySecret|clientSecret|jobsSecret/],
    ['a way to the source', /sourceMappingURL=(?!data:)/],
    ['a folder of the machine that built it', root],
    ['a module of the server', /from\s*["']node:/],
    ...settings.map((name): [string, string] => [`the setting ${name}`, name]),
  ])('has nowhere %s', (_what, mark) => {
    expect(filesWith(mark)).toEqual([]);
  });
});

test.each([
  '/assets/entry.client.js.map',
  '/.env',
  '/.data/keys.json',
  '/../.data/keys.json',
  '/server/main.ts',
  '/package.json',
  '/build/server/index.js',
  '/.git/config',
  '/assets/..%2f..%2fserver%2findex.js',
])('nothing of the server is behind %s', async (target) => {
  const { status, body } = await rawRequest(shopUrl, { target });
  expect([400, 404]).toContain(status);
  expect(body).not.toMatch(/"dependencies"|\[core\]|import \{|jwtSecret/);
});

test.each([
  '/assets',
  '/assets/',
  '/images',
  '/images/',
  '/images/products/',
  '/fonts/',
  '/storage/v1/object/public/products/',
])('the folder %s is not listed', async (target) => {
  const { status, body } = await rawRequest(shopUrl, { target });
  expect([400, 404]).toContain(status);
  expect(body).not.toMatch(/index of|<a [^>]*href="[^"]+\.(js|css|webp|avif|woff2)"/i);
});

test.each([
  '/@vite/client',
  '/@react-refresh',
  '/@fs/etc/passwd',
  '/app/root.tsx',
  '/node_modules/react/index.js',
  '/__inspect',
])('no tool of development is behind %s', async (target) => {
  const { status, body } = await rawRequest(shopUrl, { target });
  expect([400, 404]).toContain(status);
  expect(body).not.toMatch(/import\.meta\.hot|createHotContext|RefreshRuntime|root:x:/);
});
