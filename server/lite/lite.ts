import type { Options } from 'postgres';
import { describeError, type Log } from '../host/log.ts';
import type { InstanceKeys } from '../operations/instance-keys.ts';
import { RESPONSE_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from '../postgres/time-limits.ts';
import { captureConsole } from './capture-console.ts';
import { connectionPools } from './connection-pools.ts';
import { type LiteCall, type LitePool, runCall } from './current-call.ts';
import { jsonTypes } from './json-values.ts';
import { loadLibrary } from './load-library.ts';
import { isRead } from './role-settings.ts';
import { skipGrants } from './row-security-state.ts';
import { fromSqlState, isMistakeOfOurs, ourMistake } from './sql-state-response.ts';
import { storedFiles } from './storage/stored-files.ts';

captureConsole();

export type SocialProvider =
  | { name: 'google'; clientId: string; clientSecret: string }
  | { name: 'github'; clientId: string; clientSecret: string; url: string };

/** 180 days at most, 30 days without use, as supabase/config.toml has it for a hosted project. */
export const SESSION_LIMITS = { timebox: '4320h', inactivity_timeout: '720h' };

const CLOSE_WITHIN_MS = 3000;

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
  /** Called with every error of the database behind a response. */
  onDatabaseError?(error: unknown): void;
  log: Log;
};

export type Lite = {
  /** `waitMs`: how long it may wait for connections in all. */
  fetch(request: Request, pool?: LitePool, waitMs?: number): Promise<Response>;
  /** Resolves when a connection of the pool responds. */
  ping(pool: LitePool): Promise<void>;
  close(): Promise<void>;
};

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
    await runCall({ failure: undefined, pool: 'data-api' }, () => app.ensureSystemSchema());
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
    async fetch(request, pool = 'data-api', waitMs = RESPONSE_TIMEOUT_MS) {
      const waitsUntil = performance.now() + waitMs;
      const call: LiteCall = { failure: undefined, pool, readsOnly: isRead(request), waitsUntil };
      const response = await runCall(call, () =>
        Promise.resolve(app.fetch(request)).catch((error: unknown) => {
          call.failure = error;
          return new Response(null, { status: 500 });
        }),
      );
      if (call.failure !== undefined) options.onDatabaseError?.(call.failure);
      const isOurs = isMistakeOfOurs(call.failure);
      const expected = response.status < 500 ? response : fromSqlState(call.failure);
      if (!expected || isOurs) {
        const { pathname: path } = new URL(request.url);
        options.log({ level: 'error', event: 'backend-failed', path, error: describeError(call.failure) });
      }
      // Supabase responds 400 to the other mistakes, and so do we.
      if (isOurs && (call.failure as { code?: unknown }).code === '21000') return ourMistake();
      return expected ?? response;
    },
  };
}

async function open(options: LiteOptions) {
  const { App, createPostgresConnection } = await loadLibrary();
  const database = { onnotice: () => {}, ...options.connection };
  const connection = createPostgresConnection({
    url: '',
    postgresOptions: { ...database, connection: { statement_timeout: STATEMENT_TIMEOUT_MS }, types: jsonTypes },
  });
  const { connection: parameters, types } = connection.driver.options; // with the library's own
  const pools = connectionPools(
    { ...database, connection: parameters, types },
    {
      sizes: options.connections ?? { 'data-api': 6, 'sign-in': 2 },
      platformAuth: options.platformAuth,
    },
  );
  Object.assign(connection.driver, { reserve: pools.reserve, end: pools.end });
  skipGrants(connection);
  const app = new App({ connection, ...settingsOf(options) });
  app._storageAdapter = storedFiles(options.filesDir); // where the library's own error message asks for it
  return {
    app,
    ping: pools.ping,
    // A query that is still running does not hold up the end: PostgreSQL cancels it.
    close: () =>
      Promise.race([connection.close(), new Promise<void>((done) => setTimeout(done, CLOSE_WITHIN_MS).unref())]),
  };
}

/** What supabase/config.toml says of a hosted project. */
function settingsOf({ keys, siteUrl, apiUrl, redirectUrls, social }: LiteOptions) {
  const { name, ...credentials } = social;
  return {
    api: { schemas: ['public'], max_rows: 1000 },
    auth: {
      enabled: true,
      site_url: siteUrl,
      additional_redirect_urls: redirectUrls,
      jwt_secret: keys.jwtSecret,
      jwt_expiry: 3600,
      publishable_key: keys.publishableKey,
      secret_key: keys.secretKey,
      enable_signup: true, // with the social provider
      email: { enable_signup: false },
      sessions: SESSION_LIMITS,
      external: {
        [name]: {
          enabled: true,
          client_id: credentials.clientId,
          secret: credentials.clientSecret,
          redirect_uri: `${apiUrl}/auth/v1/callback`,
          ...('url' in credentials ? { url: credentials.url } : {}),
        },
      },
    },
    storage: { enabled: true, file_size_limit: '5MiB' },
    options: { server: { disableStudio: true, disableFallback: true, admin: false } },
  };
}
