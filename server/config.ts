import { resolve } from 'node:path';
import { z } from 'zod';
import { FEWEST_CONNECTIONS, USUAL_CONNECTIONS } from './postgres/connection-shares.ts';

export type ShopConfig = {
  port: number;
  host: string;
  /** The public address without a trailing slash; undefined: http://localhost with the port we really got. */
  siteUrl: string | undefined;
  /** Where browsers reach the embedded backend, if not below the site's own address: then it is a project to web nodes. */
  apiUrl: string | undefined;
  /** How many proxies in front add to X-Forwarded-For; 0: none, and the header is ignored. */
  trustProxy: number;
  /** How many times the usual one client address may use (server/host/admission/lanes.ts). */
  clientLimit: number;
  /** How long a stopping node still takes requests, so that the load balancer notices first. */
  drainSeconds: number;
  dataDir: string;
  filesDir: string;
  databaseUrl: string | undefined;
  /** How many connections to the database this process may have at most. */
  databaseConnections: number;
  hosted: { url: string; anonKey: string } | undefined;
  google: { clientId: string; clientSecret: string } | undefined;
  razorpay: { keyId: string; keySecret: string; webhookSecret: string } | undefined;
  mail: { url: string; from: string } | undefined;
  /** The service for WhatsApp and SMS. */
  messages: { url: string; token: string } | undefined;
  jobsSecret: string | undefined;
  metricsToken: string | undefined;
  /** Demo sign-in, test payments, mail catcher and demo seed are one mode: all of them, or none. */
  demo: 'off' | 'on-this-machine' | 'everywhere';
};

export type ConfigResult = { ok: true; config: ShopConfig } | { ok: false; problem: string };

// Compose files and CI set variables they do not use to the empty string: that means "not set".
// Secrets are the exception: an empty secret is a mistake that must not quietly switch protection off.
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
const secret = (least: number) => z.string().min(least, `must have at least ${least} characters`).optional();
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true });
const siteUrl = httpUrl
  .refine((value) => new URL(value).pathname === '/' && !new URL(value).search, 'must be an address without a path')
  .transform((value) => new URL(value).origin);
// Every visitor is given it.
const publicKey = secret(20).refine(
  (value) => value === undefined || isPublicKey(value),
  'must be the public key (publishable or anon), not a secret one: every visitor is shown it',
);

const Environment = z.object({
  PORT: optional(
    z
      .string()
      .regex(/^\d{1,5}$/, 'must be a port number')
      .transform(Number)
      .pipe(z.number().max(65535, 'must be a port number')),
  ),
  HOST: optional(z.string().regex(/^[A-Za-z0-9.:[\]-]+$/, 'must be an address to listen on')),
  SITE_URL: optional(siteUrl),
  API_EXTERNAL_URL: optional(siteUrl),
  TRUST_PROXY: optional(
    z
      .string()
      .regex(/^[0-9]$/, 'must be the number of proxies in front, 0 to 9')
      .transform(Number),
  ),
  CLIENT_LIMIT: optional(
    z
      .string()
      .regex(/^[1-9]\d{0,3}$/, 'must be a whole number from 1 to 1000')
      .transform(Number)
      .pipe(z.number().max(1000, 'must be at most 1000')),
  ),
  DRAIN_SECONDS: optional(
    z
      .string()
      .regex(/^\d{1,2}$/, 'must be a number of seconds')
      .transform(Number)
      .pipe(z.number().max(60, 'must be at most 60')),
  ),
  DATA_DIR: optional(z.string()),
  FILES_DIR: optional(z.string()),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' })),
  DATABASE_CONNECTIONS: optional(
    z
      .string()
      .regex(/^\d{1,4}$/, 'must be a number')
      .transform(Number)
      .pipe(
        z.number().min(FEWEST_CONNECTIONS, `must be at least ${FEWEST_CONNECTIONS}`).max(500, 'must be at most 500'),
      ),
  ),
  SUPABASE_URL: optional(siteUrl),
  SUPABASE_ANON_KEY: publicKey,
  RAZORPAY_KEY_ID: optional(z.string().regex(/^rzp_(test|live)_\w+$/, 'must look like rzp_test_… or rzp_live_…')),
  RAZORPAY_KEY_SECRET: secret(8),
  RAZORPAY_WEBHOOK_SECRET: secret(8),
  GOOGLE_CLIENT_ID: optional(z.string()),
  GOOGLE_CLIENT_SECRET: secret(8),
  MAIL_URL: optional(z.url({ protocol: /^(smtps?|https)$/, error: 'must be an smtp, smtps or https address' })),
  MAIL_FROM: optional(z.string().regex(/^[^\r\n]*@[^\r\n]+$/, 'must be an e-mail address')),
  MESSAGES_URL: optional(z.url({ protocol: /^https$/, error: 'must be an https address' })),
  MESSAGES_TOKEN: secret(16),
  JOBS_SECRET: secret(16),
  METRICS_TOKEN: secret(16),
  SHOP_DEMO: optional(z.enum(['0', '1'], 'must be 0 or 1')),
});

// Each of these is useless, or dangerous, without the others of its group.
const groups = [
  ['SUPABASE_URL', 'SUPABASE_ANON_KEY'],
  ['RAZORPAY_KEY_ID', 'RAZORPAY_KEY_SECRET', 'RAZORPAY_WEBHOOK_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['MAIL_URL', 'MAIL_FROM'],
  ['MESSAGES_URL', 'MESSAGES_TOKEN'],
] as const;

/** Reads the environment; a wrong value is answered with one line that names it and never quotes it. */
export function readConfig(environment: Record<string, string | undefined>): ConfigResult {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { ok: false, problem: `${issue?.path.join('.')} ${issue?.message}` };
  }
  const env = parsed.data;
  for (const group of groups) {
    const missing = group.filter((name) => env[name] === undefined);
    if (missing.length > 0 && missing.length < group.length) {
      return {
        ok: false,
        problem: `${missing.join(' and ')} must be set too, together with ${group.filter((name) => env[name]).join(' and ')}`,
      };
    }
  }
  if (env.SUPABASE_URL && env.DATABASE_URL) {
    return { ok: false, problem: 'DATABASE_URL and SUPABASE_URL exclude each other: one database, please' };
  }
  if (
    env.SITE_URL?.startsWith('https:') &&
    env.SUPABASE_URL?.startsWith('http:') &&
    !isOnThisMachine(env.SUPABASE_URL)
  ) {
    return {
      ok: false,
      problem: 'SUPABASE_URL must be an https address beside a SITE_URL that is one: browsers would not ask it',
    };
  }
  if (env.SUPABASE_URL && env.API_EXTERNAL_URL) {
    return {
      ok: false,
      problem: 'API_EXTERNAL_URL is the address of a backend of our own: SUPABASE_URL has none here',
    };
  }

  const real = Boolean(
    env.SUPABASE_URL || env.RAZORPAY_KEY_ID || env.GOOGLE_CLIENT_ID || env.MAIL_URL || env.MESSAGES_URL,
  );
  if (real && env.SHOP_DEMO === '1') {
    return { ok: false, problem: 'SHOP_DEMO cannot be 1 beside real sign-in, payment, mail or Supabase settings' };
  }
  const dataDir = resolve(env.DATA_DIR ?? '.data');
  return {
    ok: true,
    config: {
      port: env.PORT ?? 3000,
      host: env.HOST ?? '127.0.0.1',
      siteUrl: env.SITE_URL,
      apiUrl: env.API_EXTERNAL_URL,
      trustProxy: env.TRUST_PROXY ?? 0,
      clientLimit: env.CLIENT_LIMIT ?? 1,
      drainSeconds: env.DRAIN_SECONDS ?? 0,
      dataDir,
      filesDir: resolve(env.FILES_DIR ?? `${dataDir}/files`),
      databaseUrl: env.DATABASE_URL,
      databaseConnections: env.DATABASE_CONNECTIONS ?? USUAL_CONNECTIONS,
      hosted:
        env.SUPABASE_URL && env.SUPABASE_ANON_KEY
          ? { url: env.SUPABASE_URL, anonKey: env.SUPABASE_ANON_KEY }
          : undefined,
      google:
        env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET
          ? { clientId: env.GOOGLE_CLIENT_ID, clientSecret: env.GOOGLE_CLIENT_SECRET }
          : undefined,
      razorpay:
        env.RAZORPAY_KEY_ID && env.RAZORPAY_KEY_SECRET && env.RAZORPAY_WEBHOOK_SECRET
          ? {
              keyId: env.RAZORPAY_KEY_ID,
              keySecret: env.RAZORPAY_KEY_SECRET,
              webhookSecret: env.RAZORPAY_WEBHOOK_SECRET,
            }
          : undefined,
      mail: env.MAIL_URL && env.MAIL_FROM ? { url: env.MAIL_URL, from: env.MAIL_FROM } : undefined,
      messages:
        env.MESSAGES_URL && env.MESSAGES_TOKEN ? { url: env.MESSAGES_URL, token: env.MESSAGES_TOKEN } : undefined,
      jobsSecret: env.JOBS_SECRET,
      metricsToken: env.METRICS_TOKEN,
      demo: real || env.SHOP_DEMO === '0' ? 'off' : env.SHOP_DEMO === '1' ? 'everywhere' : 'on-this-machine',
    },
  };
}

/** Secret keys of newer projects name themselves; those of older ones are tokens that name a role. */
function isPublicKey(key: string): boolean {
  if (key.startsWith('sb_secret_')) return false;
  const [, payload, signature] = key.split('.');
  if (!payload || !signature) return true;
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString()).role === 'anon';
  } catch {
    return false;
  }
}

function isOnThisMachine(address: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname);
}
