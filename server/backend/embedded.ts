import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import postgres, { type Options, type Sql } from 'postgres';
import { createMailer } from '../../adapters/mail/create-mailer.ts';
import { createRazorpay } from '../../adapters/payments/razorpay.ts';
import { bearerToken } from '../../supabase/functions/_shared/answer.ts';
import { problem } from '../../supabase/functions/_shared/problem.ts';
import { readBody } from '../../supabase/functions/_shared/read-body.ts';
import { isRestoreUnfinished } from '../backup/restore-marker.ts';
import { clientAddress, isFromThisMachine } from '../client-address.ts';
import type { ShopConfig } from '../config.ts';
import { isDemoPath, openDemo } from '../demo/demo.ts';
import { DEMO_IDENTITY_PATH } from '../demo/demo-identity.ts';
import { createFunctionsMount } from '../functions.ts';
import { nestsTooDeep } from '../json-body.ts';
import type { Log } from '../log.ts';
import { shopFigures } from '../metrics/shop-figures.ts';
import { shareConnections } from '../postgres/connection-shares.ts';
import { lastingPool } from '../postgres/lasting-pool.ts';
import { startListener } from '../realtime/listener.ts';
import { startRealtime } from '../realtime/realtime.ts';
import { passAuthGate, withoutTraces } from './auth-gate.ts';
import type { Backend } from './backend.ts';
import { callFunction } from './call-function.ts';
import { servingAcross } from './cross-origin.ts';
import { keysFromDatabase, keysFromDataDir } from './instance-keys.ts';
import { createLite, type Lite, provisionSystemSchemas, type SocialProvider, STATEMENT_TIMEOUT_MS } from './lite.ts';
import { migrate } from './migrate.ts';
import {
  grantSystemSchemas,
  isDemoDatabase,
  markReal,
  prepareRoles,
  seedDemo,
  withSetupLock,
} from './prepare-database.ts';
import { oneWriterAtATime, passStorageGate, withoutKeeping } from './storage-gate.ts';
import { tokenVerifier } from './verify-token.ts';

export type EmbeddedOptions = {
  config: ShopConfig;
  siteUrl: string;
  connection: Options<Record<string, never>>;
  supabaseDir: string;
  log: Log;
  step(message: string): void;
};

const SIGN_INS_PER_MINUTE = 60;
const MAX_BODY = 256 * 1024;
const MAX_FILE_BODY = 6 * 1024 * 1024;

export async function startEmbeddedBackend(options: EmbeddedOptions): Promise<Backend> {
  const { config, siteUrl, connection, log } = options;
  const apiUrl = config.apiUrl ?? siteUrl;
  const shares = shareConnections(config.databaseConnections);
  const quiet = { onnotice: () => {} };
  const sql = lastingPool({ ...connection, ...quiet, max: shares.own });
  const visitor = lastingPool({
    ...connection,
    ...quiet,
    max: shares.visitors,
    connection: { role: 'anon', statement_timeout: STATEMENT_TIMEOUT_MS } as never,
  });

  const prepared = await withSetupLock(sql, () => prepareDatabase(sql, options));
  if (!prepared.ok) {
    await Promise.all([sql.end(), visitor.end()]);
    throw new Error(prepared.problem);
  }

  const keys = config.databaseUrl ? await keysFromDatabase(sql) : await keysFromDataDir(config.dataDir);
  const verifyToken = tokenVerifier(keys.jwtSecret);
  const returnOrigins = config.demo === 'off' ? [siteUrl] : [siteUrl, ...loopbackVariants(siteUrl)];
  const demoSecret = createHmac('sha256', keys.jwtSecret).update('demo identity').digest('hex');
  const social: SocialProvider = config.google
    ? { name: 'google', ...config.google }
    : { name: 'github', clientId: 'demo', clientSecret: demoSecret, url: `${apiUrl}${DEMO_IDENTITY_PATH}` };
  const lite = await createLite({
    connection,
    keys,
    siteUrl,
    apiUrl,
    redirectUrls: returnOrigins.map((origin) => `${origin}/**`),
    social,
    filesDir: config.filesDir,
    connections: shares.dataApi,
    log,
  });
  const demo =
    config.demo === 'off'
      ? null
      : await openDemo({
          sql,
          apiUrl,
          origins: returnOrigins,
          secret: keys.jwtSecret,
          identitySecret: demoSecret,
          webhook: (request) => functions.serve(request),
        });
  const functions = createFunctionsMount({
    connection,
    connections: shares.functions,
    verifyToken,
    siteUrl,
    payments: config.razorpay ? createRazorpay(config.razorpay) : (demo?.payments ?? null),
    mailer: config.mail ? createMailer(config.mail) : (demo?.mailer ?? null),
    jobsSecret: config.jobsSecret ?? null,
    log,
  });
  const realtime = await startRealtime({
    connection: { ...connection, ...quiet } as Options<Record<string, never>>,
    connections: shares.realtime,
    isApiKey: (key) => key === keys.publishableKey,
    verifyToken,
    allowedOrigins: () => returnOrigins,
    addressOf: ({ headers, socket }) =>
      clientAddress(new Headers(plainHeaders(headers)), socket.remoteAddress, config.trustProxy),
    log,
  });

  const pageListeners: (() => void)[] = [];
  const tellPages = () => {
    for (const listener of pageListeners) listener();
  };
  const pageChanges = await startListener({
    channel: 'shop_pages',
    open: () => postgres({ ...connection, ...quiet, max: 1 }),
    ping: () => sql`select pg_notify('shop_pages', '')`,
    onNotify: (message) => message === 'changed' && tellPages(),
    onListening: tellPages,
    log,
  });

  async function mayTrySignIn(request: Request, socketAddress: string | undefined): Promise<boolean> {
    if (config.demo === 'on-this-machine') return true; // nothing to guess there, and tests sign in by the hundred
    const address = clientAddress(request.headers, socketAddress, config.trustProxy);
    const subject = createHmac('sha256', keys.jwtSecret).update(address).digest('base64url');
    const [row] = await sql<{ allowed: boolean }[]>`
      select private.take_turn('sign-in', ${subject}, ${SIGN_INS_PER_MINUTE}, interval '1 minute') as allowed`;
    return row?.allowed ?? false;
  }

  async function isAdministrator(token: string): Promise<boolean> {
    const caller = await verifyToken(token);
    if (!caller?.userId) return false;
    const rows = await sql`select from private.administrators where user_id = ${caller.userId}`;
    return rows.length > 0;
  }

  /** A file of products is longer than anything else that is sent, and only administrators have one to send. */
  async function bodyLimit(request: Request, pathname: string): Promise<number> {
    const isFile = pathname === '/rest/v1/rpc/admin_import_products';
    const token = isFile ? bearerToken(request.headers) : null;
    return token && (await isAdministrator(token)) ? MAX_FILE_BODY : MAX_BODY;
  }

  async function toLite(request: Request): Promise<Response> {
    // A forged or expired token is refused here, in one way, whatever the library makes of it.
    // Without a session supabase-js sends the key itself.
    const authorization = request.headers.get('authorization');
    if (
      authorization !== null &&
      ![keys.publishableKey, keys.secretKey].some((key) => authorization === `Bearer ${key}`)
    ) {
      const token = bearerToken(request.headers);
      if (!token || !(await verifyToken(token))) {
        return Response.json(
          { code: 'PGRST301', message: 'JWT expired or invalid', details: null, hint: null },
          { status: 401 },
        );
      }
    }
    return lite.fetch(request);
  }
  const toStorage = oneWriterAtATime(sql, toLite);

  async function serve(request: Request, socketAddress: string | undefined): Promise<Response | null> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/rest/v1/')) {
      if (embedsTooDeep(new URL(request.url).searchParams)) {
        return problem(400, 'embedded-too-deep', 'At most three tables inside each other, please.');
      }
      // In a name it would end PostgreSQL's message in the middle.
      if ([...new URL(request.url).searchParams].flat().join('').includes('\0')) {
        return problem(400, 'malformed-address', 'This address is not well formed.');
      }
      if (comparesWithNothing(new URL(request.url).searchParams, pathname.startsWith('/rest/v1/rpc/'))) {
        return problem(400, 'unknown-operator', 'The Data API knows no such operator.');
      }
      if (!['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'].includes(request.method)) {
        return problem(405, 'method-not-allowed', 'The Data API knows no such method.');
      }
      const body = await readBody(request, await bodyLimit(request, pathname));
      if (!body.ok) return body.response;
      if (nestsTooDeep(body.bytes)) return problem(400, 'invalid-body', 'This is nested too deeply.');
      return toLite(body.request);
    }
    if (pathname.startsWith('/auth/v1/')) {
      const passed = await passAuthGate(request, {
        provider: config.google || demo ? social.name : null,
        returnOrigins,
        mayTry: (attempt) => mayTrySignIn(attempt, socketAddress),
      });
      return withoutTraces(passed instanceof Response ? passed : await lite.fetch(passed));
    }
    if (pathname.startsWith('/storage/v1/')) {
      const passed = await passStorageGate(request, { isAdministrator });
      return passed instanceof Response ? passed : withoutKeeping(await toStorage(passed), passed);
    }
    if (pathname.startsWith('/functions/v1/')) return functions.serve(request);
    if (isDemoPath(pathname)) {
      const open = demo && (config.demo === 'everywhere' || isFromThisMachine(request, socketAddress));
      return open
        ? demo.serve(request)
        : problem(404, 'no-demo-here', 'The demo answers on the machine it runs on, and only there.');
    }
    if (/^\/(rest|auth|storage|functions|realtime)\/v1$/.test(pathname) || pathname.startsWith('/realtime/v1')) {
      return problem(404, 'not-found', 'There is nothing here.');
    }
    return null;
  }

  const backend: Backend = {
    publicConfig: { url: config.apiUrl ?? null, key: keys.publishableKey, signInProvider: social.name },
    read: (name, args) => callFunction(visitor, name, args),
    serve: config.apiUrl ? servingAcross(siteUrl, serve) : serve,
    onPagesChanged: (listener) => void pageListeners.push(listener),
    pagesLastMs: Number.POSITIVE_INFINITY,
    handleUpgrade: realtime.handleUpgrade,
    async isHealthy() {
      const answer = sql`select 1`.then(
        () => true,
        () => false,
      );
      return Promise.race([answer, new Promise<boolean>((done) => setTimeout(done, 2000, false).unref())]);
    },
    figures: shopFigures(sql),
    async close() {
      await pageChanges.close();
      await realtime.close();
      demo?.stop();
      await functions.close();
      await lite.close();
      await visitor.end({ timeout: 5 });
      await sql.end({ timeout: 5 });
    },
  };
  await warm(lite, keys.publishableKey);
  return backend;
}

/** From nothing, or from an older version, to today's schema; with the demo shop in it where that is wanted. */
async function prepareDatabase(
  sql: Sql,
  { config, connection, supabaseDir, step }: EmbeddedOptions,
): Promise<{ ok: true } | { ok: false; problem: string }> {
  if (await isRestoreUnfinished(sql)) {
    return { ok: false, problem: 'A restore into this database was broken off: make a new one and restore into that.' };
  }
  await prepareRoles(sql);
  await provisionSystemSchemas(connection);
  await grantSystemSchemas(sql);
  const { applied } = await migrate(sql, join(supabaseDir, 'migrations'));
  if (applied.length > 0) step(`Database migrated: ${applied.length} steps`);
  const place = config.databaseUrl ? 'This database' : config.dataDir;
  if (config.demo === 'off') {
    if (await isDemoDatabase(sql)) {
      return {
        ok: false,
        problem: `${place} holds the demo shop with its invented people and orders: real sign-in, payments or mail need a new DATA_DIR (or database)`,
      };
    }
    await markReal(sql);
    return { ok: true };
  }
  if (await seedDemo(sql, join(supabaseDir, 'seeds'))) step('Demo shop filled');
  else if (!(await isDemoDatabase(sql))) {
    // The demo sign-in lets everybody be anybody: a lost setting must not open a real shop.
    return {
      ok: false,
      problem: `${place} holds a real shop, but no real setting is there and the demo would open it to everybody. Set its keys again (see .env.example), or SHOP_DEMO=0`,
    };
  }
  return { ok: true };
}

/** The library introspects the database on its first request; forty at once would fail (see docs/architecture.md). */
async function warm(lite: Lite, apikey: string): Promise<void> {
  const response = await lite.fetch(
    new Request('http://localhost/rest/v1/Products?select=Id&limit=1', { headers: { apikey } }),
  );
  if (!response.ok) throw new Error(`the Data API does not answer: ${response.status} ${await response.text()}`);
}

function plainHeaders(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [name, String(value)]);
}

/** Tables inside tables multiply their rows; nothing of ours asks for more than two levels. */
function embedsTooDeep(query: URLSearchParams): boolean {
  let depth = 0;
  for (const character of query.getAll('select').join('')) {
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth > 3) return true;
  }
  return false;
}

/**
 * The library looks an operator up in a plain object, and would find toString and its like there. What a function is given
 * is no comparison, and somebody may look for such a word.
 */
function comparesWithNothing(query: URLSearchParams, isForFunction: boolean): boolean {
  const single = isForFunction ? /^(?:not\.)?(\w+)\./g : /^(?:not\.)?(\w+)/g;
  return [...query].some(([name, value]) => {
    const operators = /^(not\.)?(and|or)$/.test(name)
      ? value.matchAll(/[(,][^.(,]*\.(?:not\.)?(\w+)/g)
      : value.matchAll(single);
    return [...operators].some(([, operator = '']) => operator in Object.prototype);
  });
}

/** localhost, 127.0.0.1 and [::1] are the same machine, but three origins to a browser. */
function loopbackVariants(siteUrl: string): string[] {
  const url = new URL(siteUrl);
  const names = ['localhost', '127.0.0.1', '[::1]'];
  if (!names.includes(url.hostname)) return [];
  return names
    .filter((name) => name !== url.hostname)
    .map((name) => `${url.protocol}//${name}${url.port ? `:${url.port}` : ''}`);
}
