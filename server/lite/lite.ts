import { AsyncLocalStorage } from 'node:async_hooks';
import type { Options } from 'postgres';
import type { Log } from '../host/log.ts';
import { describeError } from '../host/log.ts';
import { beginWork, waitingSignal } from '../host/request-scope.ts';
import type { InstanceKeys } from '../operations/instance-keys.ts';
import { exclusiveConnections } from '../postgres/exclusive-connections.ts';
import { ANSWER_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from '../postgres/time-limits.ts';
import { type Setting, settingsAlong } from './batch-settings.ts';
import { numberedTokens } from './numbered-tokens.ts';
import { fromSqlState, isMistakeOfOurs, ourMistake } from './sql-state-response.ts';
import { storedFiles } from './stored-files.ts';

// Read by the module while it loads; hence the dynamic imports below.
process.env.EXPERIMENTAL_STORAGE = '1';
process.env.DO_NOT_TRACK = '1';

export type SocialProvider =
  | { name: 'google'; clientId: string; clientSecret: string }
  | { name: 'github'; clientId: string; clientSecret: string; url: string };

/** Sign-in has connections of its own: a busy Data API does not hold it up. */
export type LitePool = 'data-api' | 'sign-in';

/** Of `anon`, as in every Supabase project. */
const VISITOR_TIMEOUT_MS = 3000;

/** 180 days at most, 30 days without use, as supabase/config.toml has it for a hosted project. */
export const SESSION_LIMITS = { timebox: '4320h', inactivity_timeout: '720h' };

export type LiteOptions = {
  connection: Options<Record<string, never>>;
  keys: InstanceKeys;
  siteUrl: string;
  /** Where browsers, and the identity provider, reach Auth. */
  apiUrl: string;
  /** Where sign-in may return to, besides the site itself. */
  redirectUrls: string[];
  social: SocialProvider;
  filesDir: string;
  connections?: Record<LitePool, number>;
  /** The Auth tables are those of a Supabase project (`hasPlatformAuth`). */
  platformAuth?: boolean;
  /** Told of every error of the database behind an answer. */
  onDatabaseError?(error: unknown): void;
  log: Log;
};

export type Lite = {
  /** `waitMs`: how long it may wait for connections in all. */
  fetch(request: Request, pool?: LitePool, waitMs?: number): Promise<Response>;
  /** Resolves when a connection of the pool answers. */
  ping(pool: LitePool): Promise<void>;
  close(): Promise<void>;
};

type Call = { failure: unknown; pool: LitePool; readsOnly?: boolean; waitsUntil?: number };
const calls = new AsyncLocalStorage<Call>();

// The library reports every SQL error, the expected ones too, with console.error. Within one of its calls that is
// how we learn the SQLSTATE behind a 500; it must not reach the terminal, because messages quote what people typed.
// Its only warning is that its storage is experimental, which is decided (docs/decisions/0002).
const { error: printError, warn: printWarning } = console;
console.error = (...parts: unknown[]) => {
  const call = calls.getStore();
  if (!call) return printError(...parts);
  call.failure = parts.find((part) => part instanceof Error) ?? parts[0];
};
console.warn = (...parts: unknown[]) => {
  if (!calls.getStore()) printWarning(...parts);
};

/** GET and HEAD of the Data API: as PostgREST does, they run in read-only transactions. */
function isRead(request: Request): boolean {
  return /^(GET|HEAD)$/.test(request.method) && new URL(request.url).pathname.startsWith('/rest/v1/');
}

function settingsOfRole(role: string): Setting[] {
  const limit = role === 'anon' ? [{ name: 'statement_timeout', value: String(VISITOR_TIMEOUT_MS) }] : [];
  const readOnly = calls.getStore()?.readsOnly ? [{ name: 'transaction_read_only', value: 'on' }] : [];
  return [...limit, ...readOnly];
}

/** Creates the `auth` and `storage` schemas, as a Supabase project has them before our first migration. */
export async function provisionSystemSchemas(connection: LiteOptions['connection']): Promise<void> {
  const { app, close } = await open({
    connection,
    keys: { publishableKey: 'sb_publishable_unused', secretKey: 'sb_secret_unused', jwtSecret: 'unused'.repeat(8) },
    siteUrl: 'http://localhost',
    apiUrl: 'http://localhost',
    redirectUrls: [],
    social: { name: 'google', clientId: 'unused', clientSecret: 'unused' },
    filesDir: '.',
    log: () => {},
  });
  try {
    await calls.run({ failure: undefined, pool: 'data-api' }, () => app.ensureSystemSchema());
  } finally {
    await close();
  }
}

/** The Data API, Auth and Storage of Supabase inside this process, over our own PostgreSQL. */
export async function createLite(options: LiteOptions): Promise<Lite> {
  const { app, ping, close } = await open(options);
  return {
    close,
    ping,
    async fetch(request, pool = 'data-api', waitMs = ANSWER_TIMEOUT_MS) {
      const waitsUntil = performance.now() + waitMs;
      const call: Call = { failure: undefined, pool, readsOnly: isRead(request), waitsUntil };
      const response = await calls.run(call, () =>
        Promise.resolve(app.fetch(request)).catch((error: unknown) => {
          call.failure = error;
          return new Response(null, { status: 500 });
        }),
      );
      if (call.failure !== undefined) options.onDatabaseError?.(call.failure);
      const isOurs = isMistakeOfOurs(call.failure);
      const expected = response.status < 500 ? response : fromSqlState(call.failure);
      if (!expected || isOurs)
        options.log({
          level: 'error',
          event: 'backend-failed',
          path: new URL(request.url).pathname,
          error: describeError(call.failure),
        });
      // Supabase responds 400 to the other mistakes, and so do we.
      if (isOurs && (call.failure as { code?: unknown }).code === '21000') return ourMistake();
      return expected ?? response;
    },
  };
}

/** The library introspects the database on its first request; forty at once would fail (see docs/architecture.md). */
export async function warm(lite: Lite, apikey: string): Promise<void> {
  const response = await lite.fetch(
    new Request('http://localhost/rest/v1/Products?select=Id&limit=1', { headers: { apikey } }),
  );
  if (!response.ok) throw new Error(`the Data API does not answer: ${response.status} ${await response.text()}`);
}

/** The library hands JSON over as text already; its own driver would make a JSON text out of that text. */
const jsonAsGiven = (type: number) => ({
  to: type,
  from: [type],
  serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
  parse: (text: string): unknown => JSON.parse(text),
});

/** Loading it replaces process.emitWarning with one that throws at warnings that are no text, as Node's own are not. */
async function loadLibrary() {
  const { emitWarning } = process;
  try {
    const [{ App }, { createPostgresConnection }] = [
      await import('@supabase/lite'),
      await import('@supabase/lite/postgres'),
    ];
    return { App, createPostgresConnection };
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function open(options: LiteOptions) {
  const { App, createPostgresConnection } = await loadLibrary();
  const shares = options.connections ?? { 'data-api': 6, 'sign-in': 2 };
  const connection = createPostgresConnection({
    url: '',
    postgresOptions: {
      onnotice: () => {},
      ...options.connection,
      connection: { statement_timeout: STATEMENT_TIMEOUT_MS },
      types: { json: jsonAsGiven(114), jsonb: jsonAsGiven(3802) },
    } as never,
  });
  const poolOf = (name: LitePool) => {
    const driver = connection.driver.options as { connection: object };
    // The name is shown in pg_stat_activity.
    const named = { ...driver, connection: { ...driver.connection, application_name: name } };
    return exclusiveConnections(named as never, shares[name], ANSWER_TIMEOUT_MS);
  };
  const pools = { 'data-api': poolOf('data-api'), 'sign-in': poolOf('sign-in') };
  // The library reserves a connection for everything it asks.
  async function reserve() {
    const { pool = 'data-api', waitsUntil } = calls.getStore() ?? {};
    const withinMs = waitsUntil === undefined ? ANSWER_TIMEOUT_MS : Math.max(1, waitsUntil - performance.now());
    const reserved = await pools[pool].reserve({ signal: waitingSignal(), withinMs });
    beginWork();
    const held = options.platformAuth ? numberedTokens(reserved) : reserved;
    // In the statement that says who calls, so that it costs no round trip.
    return settingsAlong(held, { ofRole: settingsOfRole, check: 'private.check_session()' });
  }
  Object.assign(connection.driver, {
    reserve,
    end: () => Promise.all(Object.values(pools).map((pool) => pool.end())),
  });
  // Otherwise the first request grants every table to everybody (rlsState is private there; a test holds on to it).
  Object.assign(connection, { rlsState: 'active' });
  const { name, ...credentials } = options.social;
  const app = new App({
    connection,
    api: { schemas: ['public'], max_rows: 1000 },
    auth: {
      enabled: true,
      site_url: options.siteUrl,
      additional_redirect_urls: options.redirectUrls,
      jwt_secret: options.keys.jwtSecret,
      jwt_expiry: 3600,
      publishable_key: options.keys.publishableKey,
      secret_key: options.keys.secretKey,
      enable_signup: true, // of people who come through the social provider
      email: { enable_signup: false },
      sessions: SESSION_LIMITS,
      external: {
        [name]: {
          enabled: true,
          client_id: credentials.clientId,
          secret: credentials.clientSecret,
          redirect_uri: `${options.apiUrl}/auth/v1/callback`,
          ...('url' in credentials ? { url: credentials.url } : {}),
        },
      },
    },
    storage: { enabled: true, file_size_limit: '5MiB' },
    options: { server: { disableStudio: true, disableFallback: true, admin: false } },
  } as unknown as ConstructorParameters<typeof App>[0]);
  app._storageAdapter = storedFiles(options.filesDir);
  // A query that is still running does not hold up the end: PostgreSQL breaks it off.
  return {
    app,
    async ping(name: LitePool) {
      const reserved = await pools[name].reserve({ first: true });
      try {
        await reserved`select 1`;
      } finally {
        reserved.release();
      }
    },
    close: () => Promise.race([connection.close(), new Promise<void>((done) => setTimeout(done, 3000).unref())]),
  };
}
