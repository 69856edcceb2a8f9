import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { tryStartShop } from '../support/shop.ts';

const root = join(import.meta.dirname, '../..');
const nowhere = join(tmpdir(), `mithaas-test-settings-${process.pid}`);

// Each is secret enough for its variable, and none may be repeated on the screen.
const hush = 'hush-hush-0123456789';
const password = 'pass-word-9876';
const google = { GOOGLE_CLIENT_ID: 'client-id', GOOGLE_CLIENT_SECRET: hush };

const wrong: [what: string, named: string, env: Record<string, string>][] = [
  ['a port that is no number', 'PORT', { PORT: 'abc' }],
  ['a port that cannot be', 'PORT', { PORT: '70000' }],
  ['a negative port', 'PORT', { PORT: '-1' }],
  ['a public address of another kind', 'SITE_URL', { SITE_URL: 'ftp://x' }],
  ['a public address with a path', 'SITE_URL', { SITE_URL: 'https://example.com/shop' }],
  ['a public address with a query', 'SITE_URL', { SITE_URL: 'https://example.com/?a=1' }],
  ['yes for 1', 'TRUST_PROXY', { TRUST_PROXY: 'yes' }],
  ['an address to listen on with blanks', 'HOST', { HOST: 'my machine' }],
  ['a database of another kind', 'DATABASE_URL', { DATABASE_URL: `mysql://me:${password}@localhost/shop` }],
  ['a Supabase address without its key', 'SUPABASE_ANON_KEY', { SUPABASE_URL: 'https://x.supabase.co' }],
  ['a Supabase key without its address', 'SUPABASE_URL', { SUPABASE_ANON_KEY: hush }],
  ['Razorpay without its secrets', 'RAZORPAY_KEY_SECRET', { RAZORPAY_KEY_ID: 'rzp_test_abc' }],
  [
    'Razorpay without its webhook secret',
    'RAZORPAY_WEBHOOK_SECRET',
    { RAZORPAY_KEY_ID: 'rzp_test_abc', RAZORPAY_KEY_SECRET: hush },
  ],
  ['a Google id without its secret', 'GOOGLE_CLIENT_SECRET', { GOOGLE_CLIENT_ID: 'client-id' }],
  ['a Google secret without its id', 'GOOGLE_CLIENT_ID', { GOOGLE_CLIENT_SECRET: hush }],
  ['mail without a sender', 'MAIL_FROM', { MAIL_URL: `smtps://me:${password}@mail.example.com` }],
  ['a sender without mail', 'MAIL_URL', { MAIL_FROM: 'shop@example.com' }],
  ['mail by pigeon', 'MAIL_URL', { MAIL_URL: `pigeon://me:${password}@loft`, MAIL_FROM: 'shop@example.com' }],
  ['an empty Google secret', 'GOOGLE_CLIENT_SECRET', { GOOGLE_CLIENT_ID: 'client-id', GOOGLE_CLIENT_SECRET: '' }],
  ['an empty jobs secret', 'JOBS_SECRET', { JOBS_SECRET: '' }],
  ['a short jobs secret', 'JOBS_SECRET', { JOBS_SECRET: 'hush-hush-01234' }],
  ['a short metrics token', 'METRICS_TOKEN', { METRICS_TOKEN: 'hush-hush-0123' }],
  ['a demo with real sign-in', 'SHOP_DEMO', { SHOP_DEMO: '1', ...google }],
  [
    'two databases at once',
    'DATABASE_URL',
    { DATABASE_URL: `postgres://me:${password}@db/shop`, SUPABASE_URL: 'https://x.example', SUPABASE_ANON_KEY: hush },
  ],
];

const oneLine = (named: string) => new RegExp(`^(.* )?${named} .*$`);

describe('a wrong setting prints one line that names it and hides secrets', () => {
  test.for(wrong)('%s: %s', ([, named, env]) => {
    const read = readConfig(env);
    if (read.ok) throw new Error('it was taken');
    expect(read.problem).toMatch(oneLine(named));
    expect(read.problem).not.toMatch(/hush|pass-word/);
  });
});

// All of them take the same way out; a few real starts show that it ends there.
const started = [
  'a port that cannot be',
  'a database of another kind',
  'mail without a sender',
  'an empty jobs secret',
];

test.for(wrong.filter(([what]) => started.includes(what)))('the start stops at %s: %s', async ([, named, env]) => {
  const failed = await tryStartShop({ dataDir: nowhere, env });
  expect(failed).toMatchObject({ code: 1 });
  const lines = (failed.output as string).split('\n').filter(Boolean);
  expect(lines).toEqual([expect.stringMatching(/^Wrong setting: /)]);
  expect(lines[0]?.slice('Wrong setting: '.length)).toMatch(oneLine(named));
  expect(lines[0]).not.toMatch(/hush|pass-word/);
  expect(existsSync(nowhere)).toBe(false);
});

describe('.env.example', () => {
  const text = readFileSync(join(root, '.env.example'), 'utf8');
  const written = [...text.matchAll(/^#?([A-Z_]+)=/gm)].map((match) => match[1]);

  test('names exactly the variables the shop reads', () => {
    const source = readFileSync(join(root, 'server/config.ts'), 'utf8');
    const schema = source.slice(source.indexOf('const Environment = z.object({'), source.indexOf('\n});'));
    const read = [...schema.matchAll(/^ {2}([A-Z_]+):/gm)].map((match) => match[1]);
    expect(read.length).toBeGreaterThan(15);
    expect([...written].sort()).toEqual(read.sort());
  });

  test('unchanged, it has no effect: its values are the defaults, and it contains no secret', () => {
    const active = parseEnv(text);
    expect(Object.keys(active).sort()).toEqual(['DATA_DIR', 'HOST', 'PORT', 'TRUST_PROXY']);
    expect(readConfig(active)).toEqual(readConfig({}));
  });

  test('describes every variable', () => {
    const lines = text.split('\n');
    for (const name of written) {
      const at = lines.findIndex((line) => new RegExp(`^#?${name}=`).test(line));
      const block = lines.slice(0, at).join('\n').split('\n\n').at(-1);
      expect(block, name).toMatch(/^# .{20,}/m);
    }
  });
});
