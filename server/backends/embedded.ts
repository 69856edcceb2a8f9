import { createHmac } from 'node:crypto';
import postgres, { type Options } from 'postgres';
import { createMailer } from '../../adapters/mail/create-mailer.ts';
import { createHttpMessenger } from '../../adapters/messages/http-api.ts';
import { createRazorpay } from '../../adapters/payments/razorpay.ts';
import { bearerToken } from '../../supabase/functions/_shared/handle-request.ts';
import { problem } from '../../supabase/functions/_shared/problem.ts';
import { isDemoPath, openDemo } from '../demo/demo.ts';
import { DEMO_IDENTITY_PATH } from '../demo/demo-identity.ts';
import { createFunctionsMount } from '../functions/functions.ts';
import { addressGroup, clientAddress, forwardedAddress, isFromThisMachine } from '../host/client-address.ts';
import { allowOnlySite } from '../host/cross-origin.ts';
import type { Log } from '../host/log.ts';
import { onBehalfOfMany } from '../host/request-scope.ts';
import { createAuthService } from '../lite/auth/auth-service.ts';
import { readCatalogue } from '../lite/data-gate/catalogue.ts';
import { passDataGate } from '../lite/data-gate/gate.ts';
import { createLite, type SocialProvider } from '../lite/lite.ts';
import { oneWriterAtATime, passStorageGate, withoutKeeping } from '../lite/storage/storage-gate.ts';
import { warmUp } from '../lite/warm-up.ts';
import { poolHealth } from '../operations/health.ts';
import { keysFromDatabase, keysFromDataDir } from '../operations/instance-keys.ts';
import { cachedFigures, shopFigures } from '../operations/metrics/shop-figures.ts';
import { watchWrites } from '../operations/watch-writes.ts';
import { shareConnections } from '../postgres/connection-shares.ts';
import { functionCalls } from '../postgres/function-calls.ts';
import { createPool } from '../postgres/pool.ts';
import { poolWithTimeout, STATEMENT_TIMEOUT_MS, withTimeout } from '../postgres/time-limits.ts';
import { startListener } from '../realtime/listener.ts';
import { startRealtime } from '../realtime/realtime.ts';
import { clientOf, fromClient } from './auth/client-of-request.ts';
import { recordRefusal } from './auth/console-refusals.ts';
import { withLoopbackVariants } from './auth/return-origins.ts';
import { type Client, createSecurityLog } from './auth/security-log.ts';
import { type Caller, tokenVerifier } from './auth/verify-token.ts';
import type { Backend } from './backend.ts';
import { bringUpToDate, type UpToDateOptions } from './schema/bring-up-to-date.ts';
import { hasPlatformAuth, withSetupLock } from './schema/prepare-database.ts';

export type EmbeddedOptions = UpToDateOptions & { siteUrl: string; log: Log };

/** Of a request's own transactions; shorter than its deadline. */
const TRANSACTION_MS = 9_500;
const SIGN_INS_PER_MINUTE = 60;
const FUNCTIONS_PATH = '/functions/v1/';

export async function startEmbeddedBackend(options: EmbeddedOptions): Promise<Backend> {
  const { config, siteUrl, connection, log } = options;
  const apiUrl = config.apiUrl ?? siteUrl;
  const shares = shareConnections(config.databaseConnections);
  const quiet = { onnotice: () => {} };
  // A migration may take its time, a request may not.
  const setup = createPool({ ...connection, ...quiet, max: shares.own });
  const sql = createPool(
    { ...connection, ...quiet, max: shares.own, connection: { statement_timeout: STATEMENT_TIMEOUT_MS } },
    TRANSACTION_MS,
  );
  const timed = poolWithTimeout(sql);
  const visitor = createPool({
    ...connection,
    ...quiet,
    max: shares.visitors,
    connection: { role: 'anon', statement_timeout: STATEMENT_TIMEOUT_MS },
  });

  const visitors = functionCalls(visitor, shares.visitors);

  try {
    await withSetupLock(connection, () => bringUpToDate(setup, options));
  } catch (error) {
    await Promise.all([sql.end(), visitor.end()]);
    throw error;
  } finally {
    await setup.end({ timeout: 5 });
  }

  const keys = config.databaseUrl ? await keysFromDatabase(sql) : await keysFromDataDir(config.dataDir);
  const catalogue = await readCatalogue(sql);
  const verifyToken = tokenVerifier(keys.jwtSecret);
  const returnOrigins = config.demo === 'off' ? [siteUrl] : withLoopbackVariants(siteUrl);
  const demoSecret = createHmac('sha256', keys.jwtSecret).update('demo identity').digest('hex');
  const social: SocialProvider = config.google
    ? { name: 'google', ...config.google }
    : { name: 'github', clientId: 'demo', clientSecret: demoSecret, url: `${apiUrl}${DEMO_IDENTITY_PATH}` };
  const writes = watchWrites({ probe: () => functions.checkWritable(), log });
  const lite = await createLite({
    connection,
    keys,
    siteUrl,
    apiUrl,
    redirectUrls: returnOrigins.map((origin) => `${origin}/**`),
    social,
    filesDir: config.filesDir,
    connections: { 'data-api': shares.dataApi, 'sign-in': shares.signIn },
    platformAuth: await hasPlatformAuth(sql),
    onDatabaseError: writes.noteError,
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
          // The provider's own request: it goes on when the customer who paid has left.
          webhook: (request) => onBehalfOfMany(() => functions.serve('paymentWebhook', request, null)),
        });
  const functions = createFunctionsMount({
    connection,
    connections: shares.functions,
    verifyToken,
    siteUrl,
    payments: config.razorpay ? createRazorpay(config.razorpay) : (demo?.payments ?? null),
    mailer: config.mail ? createMailer(config.mail) : (demo?.mailer ?? null),
    messenger: config.messages ? createHttpMessenger(config.messages) : (demo?.messenger ?? null),
    jobsSecret: config.jobsSecret ?? null,
    addressKey: keys.jwtSecret,
    onDatabaseError: writes.noteError,
    log,
  });
  const realtime = await startRealtime({
    connection: { ...connection, ...quiet } as Options<Record<string, never>>,
    connections: shares.realtime,
    isApiKey: (key) => key === keys.publishableKey,
    verifyToken: verifySession,
    allowedOrigins: () => returnOrigins,
    addressOf: ({ headers, socket }) =>
      forwardedAddress(headers['x-forwarded-for'], socket.remoteAddress, config.trustProxy),
    log,
  });

  /** For websockets, which no request of the library follows; that looks for the session itself. */
  async function verifySession(token: string): Promise<Caller | null> {
    const caller = await verifyToken(token);
    const sessionId = caller?.claims.session_id;
    if (!caller || typeof sessionId !== 'string') return caller;
    const [row] = await timed<{ active: boolean }[]>`
      select public.is_session_active(${sessionId}, ${caller.userId}) as active`;
    return row?.active ? caller : null;
  }

  const pageListeners: (() => void)[] = [];
  const notifyPages = () => {
    for (const listener of pageListeners) listener();
  };
  const pageChanges = await startListener({
    channel: 'shop_pages',
    open: () => postgres({ ...connection, ...quiet, max: 1 }),
    ping: () => withTimeout(sql`select pg_notify('shop_pages', '')`, sql.replaceConnections),
    onNotify: (message) => message === 'changed' && notifyPages(),
    onListening: notifyPages,
    log,
  });

  async function mayTrySignIn({ address }: Client): Promise<boolean> {
    if (config.demo === 'on-this-machine') return true; // there is nothing to guess, and tests sign in hundreds of times
    const subject = createHmac('sha256', keys.jwtSecret).update(addressGroup(address)).digest('base64url');
    const [row] = await timed<{ allowed: boolean }[]>`
      select private.consume_rate_limit('sign-in', ${subject}, ${SIGN_INS_PER_MINUTE}, interval '1 minute') as allowed`;
    return row?.allowed ?? false;
  }

  async function isAdministrator(token: string): Promise<boolean> {
    const caller = await verifyToken(token);
    if (!caller?.userId) return false;
    const rows = await timed`select from private.administrators where user_id = ${caller.userId}`;
    return rows.length > 0;
  }

  /** Without a session supabase-js sends the key itself. */
  async function hasValidToken({ headers }: Request): Promise<boolean> {
    const authorization = headers.get('authorization');
    if (authorization === null) return true;
    if ([keys.publishableKey, keys.secretKey].some((key) => authorization === `Bearer ${key}`)) return true;
    const token = bearerToken(headers);
    return token !== null && (await verifyToken(token)) !== null;
  }

  async function toLite(request: Request): Promise<Response> {
    // A forged or expired token is refused here, always with the same response.
    if (!(await hasValidToken(request))) {
      return Response.json(
        { code: 'PGRST301', message: 'JWT expired or invalid', details: null, hint: null },
        { status: 401 },
      );
    }
    return lite.fetch(request);
  }
  const securityLog = createSecurityLog(timed, log);
  const serveAuth = createAuthService({
    sql,
    gate: { provider: config.google || demo ? social.name : null, returnOrigins },
    mayTry: mayTrySignIn,
    hasValidToken,
    verifyToken,
    library: (request, waitMs) => lite.fetch(request, 'sign-in', waitMs),
    securityLog,
    log,
  });
  const toStorage = oneWriterAtATime(sql, toLite);

  async function serve(request: Request, socketAddress: string | undefined): Promise<Response | null> {
    const response = await respond(request, socketAddress);
    if (response)
      await recordRefusal(request, response, clientOf(request, socketAddress, config.trustProxy), {
        verifyToken,
        securityLog,
      });
    return response;
  }

  async function respond(request: Request, socketAddress: string | undefined): Promise<Response | null> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/rest/v1/')) {
      const passed = await passDataGate(request, { catalogue, isAdministrator });
      return passed instanceof Response
        ? passed
        : toLite(fromClient(passed, clientOf(request, socketAddress, config.trustProxy)));
    }
    if (pathname.startsWith('/auth/v1/'))
      return serveAuth(request, clientOf(request, socketAddress, config.trustProxy));
    if (pathname.startsWith('/storage/v1/')) {
      const passed = await passStorageGate(request, { isAdministrator });
      return passed instanceof Response ? passed : withoutKeeping(await toStorage(passed), passed);
    }
    if (pathname.startsWith(FUNCTIONS_PATH)) {
      const address = clientAddress(request.headers, socketAddress, config.trustProxy);
      return functions.serve(pathname.slice(FUNCTIONS_PATH.length), request, address);
    }
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
    publicConfig: {
      url: config.apiUrl ?? null,
      key: keys.publishableKey,
      signInProvider: social.name,
      ...((config.messages || demo) && { sendsMessages: true as const }),
    },
    read: (name, args) => onBehalfOfMany(() => visitors.call(name, args)),
    note: async (name, args) => void (await visitors.call(name, args)),
    serve: allowOnlySite(siteUrl, serve),
    onPagesChanged: (listener) => void pageListeners.push(listener),
    pagesLastMs: Number.POSITIVE_INFINITY,
    handleUpgrade: realtime.handleUpgrade,
    health: poolHealth({
      pools: {
        pages: visitors.ping,
        'data-api': () => lite.ping('data-api'),
        'sign-in': () => lite.ping('sign-in'),
        checkout: functions.ping,
        own: async () => await timed`select 1`,
      },
      isReadOnly: writes.isReadOnly,
    }),
    figures: cachedFigures(() => shopFigures(sql)),
    async close() {
      writes.stop();
      await pageChanges.close();
      await realtime.close();
      demo?.stop();
      await functions.close();
      await lite.close();
      await visitor.end({ timeout: 5 });
      await sql.end({ timeout: 5 });
    },
  };
  await warmUp(lite, keys.publishableKey);
  return backend;
}
