import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig, type ShopConfig } from './config.ts';

const razorpay = {
  RAZORPAY_KEY_ID: 'rzp_test_abc',
  RAZORPAY_KEY_SECRET: 'secret-secret',
  RAZORPAY_WEBHOOK_SECRET: 'hook-secret',
};
const google = { GOOGLE_CLIENT_ID: 'id.apps.example', GOOGLE_CLIENT_SECRET: 'google-secret' };
const messages = { MESSAGES_URL: 'https://messages.example/send', MESSAGES_TOKEN: 'sixteen-letters-1' };
const mail = { MAIL_URL: 'smtps://user:pass@mail.example:465', MAIL_FROM: 'Mithaas <shop@example.com>' };
const hosted = { SUPABASE_URL: 'https://abc.supabase.co', SUPABASE_ANON_KEY: 'sb_publishable_0123456789' };

function config(environment: Record<string, string>): ShopConfig {
  const result = readConfig(environment);
  if (!result.ok) throw new Error(result.problem);
  return result.config;
}
function problem(environment: Record<string, string>): string {
  const result = readConfig(environment);
  if (result.ok) throw new Error('was accepted');
  return result.problem;
}

test('with nothing set it is the demo on port 3000 of this machine', () => {
  expect(config({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    siteUrl: undefined,
    trustProxy: 0,
    dataDir: resolve('.data'),
    filesDir: resolve('.data/files'),
    hosted: undefined,
    google: undefined,
    razorpay: undefined,
    mail: undefined,
    demo: 'on-this-machine',
  });
});

test('an empty variable means "not set", except for secrets', () => {
  expect(config({ PORT: '', HOST: '', SITE_URL: '', MAIL_URL: '', SHOP_DEMO: '' })).toEqual(config({}));
  for (const name of [
    'SUPABASE_ANON_KEY',
    'RAZORPAY_KEY_SECRET',
    'RAZORPAY_WEBHOOK_SECRET',
    'GOOGLE_CLIENT_SECRET',
    'JOBS_SECRET',
    'METRICS_TOKEN',
  ]) {
    expect(problem({ [name]: '' })).toMatch(new RegExp(`^${name} must have at least`));
  }
});

test.each([
  ['PORT', 'http'],
  ['PORT', '-1'],
  ['PORT', '65536'],
  ['PORT', '3000 '],
  ['PORT', '0x50'],
  ['HOST', 'not a host'],
  ['SITE_URL', 'shop.example'],
  ['SITE_URL', 'ftp://shop.example'],
  ['SITE_URL', 'https://shop.example/path'],
  ['SITE_URL', 'https://shop.example/?q=1'],
  ['API_EXTERNAL_URL', 'https://shop.example/api'],
  ['TRUST_PROXY', 'yes'],
  ['TRUST_PROXY', '10'],
  ['DATABASE_URL', 'mysql://localhost/shop'],
  ['DRAIN_SECONDS', '61'],
  ['DRAIN_SECONDS', '1 minute'],
  ['DATABASE_CONNECTIONS', '11'],
  ['DATABASE_CONNECTIONS', 'many!'],
  ['SUPABASE_URL', 'abc.supabase.co'],
  ['RAZORPAY_KEY_ID', 'test_abc'],
  ['MAIL_URL', 'mail.example'],
  ['MESSAGES_URL', 'http://messages.example/send'],
  ['MAIL_FROM', 'nobody'],
  ['MAIL_FROM', 'a@example.com\nBcc: b@example.com'],
  ['JOBS_SECRET', 'short'],
  ['SHOP_DEMO', 'true'],
])('a wrong %s stops the start with one line that names it and does not quote it', (name, value) => {
  const line = problem({ [name]: value });
  expect(line.startsWith(`${name} `)).toBe(true);
  expect(line).not.toContain('\n');
  if (value.length > 4) expect(line).not.toContain(value);
});

test('the public address loses its slash, and keeps its port', () => {
  expect(config({ SITE_URL: 'https://Shop.Example/' }).siteUrl).toBe('https://shop.example');
  expect(config({ SITE_URL: 'http://shop.example:8080' }).siteUrl).toBe('http://shop.example:8080');
});

describe('the key that every visitor is given', () => {
  const token = (claims: unknown) =>
    ['{"alg":"HS256"}', JSON.stringify(claims), 'signature'].map((p) => Buffer.from(p).toString('base64url')).join('.');
  const withKey = (SUPABASE_ANON_KEY: string) => ({ ...hosted, SUPABASE_ANON_KEY });

  test.each([
    'sb_secret_0123456789abcdef',
    token({ role: 'service_role' }),
    token({}),
    token(null),
    'this-is.not-a-token.at-all',
  ])('is refused when it is a secret one, and not repeated: %s', (key) => {
    expect(problem(withKey(key))).toBe(
      'SUPABASE_ANON_KEY must be the public key (publishable or anon), not a secret one: every visitor is shown it',
    );
  });

  test('is the publishable one, or the token of the role anon', () => {
    for (const key of [hosted.SUPABASE_ANON_KEY, token({ role: 'anon' })])
      expect(config(withKey(key)).hosted?.anonKey).toBe(key);
  });
});

test('a shop on https has its project on https, too, unless that is on this machine', () => {
  const at = (SITE_URL: string, SUPABASE_URL: string) => readConfig({ ...hosted, SITE_URL, SUPABASE_URL }).ok;
  expect(problem({ ...hosted, SITE_URL: 'https://shop.example', SUPABASE_URL: 'http://abc.supabase.co' })).toMatch(
    /^SUPABASE_URL must be an https address/,
  );
  expect(at('https://shop.example', 'http://localhost:54321')).toBe(true);
  expect(at('http://shop.example', 'http://abc.supabase.co')).toBe(true);
});

describe('settings that need each other', () => {
  test.each([razorpay, google, mail, messages, hosted])('come together or not at all: %o', (group) => {
    for (const left of Object.keys(group)) {
      const line = problem(Object.fromEntries(Object.entries(group).filter(([name]) => name !== left)));
      expect(line).toContain(`${left} must be set too`);
    }
    expect(readConfig(group).ok).toBe(true);
  });

  test('one database, not two', () => {
    expect(problem({ ...hosted, DATABASE_URL: 'postgres://localhost/shop' })).toContain('exclude each other');
    expect(problem({ ...hosted, API_EXTERNAL_URL: 'https://api.shop.example' })).toContain('SUPABASE_URL has none');
  });
});

describe('the demo', () => {
  test.each([
    ['Razorpay', razorpay],
    ['Google', google],
    ['mail', mail],
    ['WhatsApp and SMS', messages],
    ['a Supabase project', hosted],
  ])('is off as soon as %s is configured, and cannot be forced on', (_name, group) => {
    expect(config(group).demo).toBe('off');
    expect(config({ ...group, SHOP_DEMO: '0' }).demo).toBe('off');
    expect(problem({ ...group, SHOP_DEMO: '1' })).toContain('SHOP_DEMO');
  });

  test('can be switched off, or opened to everybody, by hand', () => {
    expect(config({ SHOP_DEMO: '0' }).demo).toBe('off');
    expect(config({ SHOP_DEMO: '1' }).demo).toBe('everywhere');
  });
});
