import './host/harden-process.ts';
import './host/node-env.ts';
import { existsSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Options } from 'postgres';
import { startEmbeddedBackend } from './backends/embedded.ts';
import { readMigrations } from './backends/schema/migration-history.ts';
import { asShopRole } from './backends/schema/shop-role.ts';
import { readConfig, type ShopConfig } from './config.ts';
import { describeError, logToStdout } from './host/log.ts';
import { createHost } from './host.ts';
import { isRestoreUnfinishedIn, sideFolder } from './operations/backup/restore-marker.ts';
import { stagingFolder } from './operations/backup/staged-files.ts';
import { explainFullDisk, hasNoRoom, isDiskFull } from './operations/full-disk.ts';
import { rebuildIfReworded } from './operations/move/rebuild-database.ts';
import { type Waiting, waitFor } from './operations/wait-for.ts';
import { builtPages, createPages } from './pages/pages.ts';
import { lockDataDir } from './postgres/data-dir-lock.ts';
import { databaseAt, explainAt, weakTlsAt } from './postgres/database-address.ts';
import { isDatabaseAway } from './postgres/database-away.ts';
import { startEmbeddedPostgres } from './postgres/embedded-postgres.ts';
import { withConnection } from './postgres/shop-database.ts';

const root = join(import.meta.dirname, '..');
const development = process.env.NODE_ENV === 'development';
const step = (message: string) => process.stdout.write(`  ${message}\n`);
const closing: (() => Promise<void> | void)[] = [];
let starting: Promise<void> | undefined;
let ending: Promise<void> | undefined;
const stopWaiting = new AbortController();

/** The shop ends once and in order, whatever the reason and however often this is called. */
function end(code: number, notice: () => Promise<void> = async () => {}): Promise<void> {
  stopWaiting.abort();
  ending ??= notice().then(() => shutDown(code));
  return ending;
}

let announceEnd: () => Promise<void> = async () => {};

process.on('SIGINT', () => end(0));
process.on('SIGTERM', () => end(0, announceEnd));
// When a connection is lost, postgres.js also rejects promises that no caller has; the query itself has failed already.
process.on('unhandledRejection', (reason) => {
  if (!isDatabaseAway(reason)) throw reason;
  logToStdout({ level: 'warn', event: 'database-connection-lost', code: (reason as { code: string }).code });
});
process.on('uncaughtException', (error) => {
  logToStdout({ level: 'error', event: 'unexpected-end', error: describeError(error) });
  void end(1);
});

if (existsSync('.env')) process.loadEnvFile('.env');
const read = readConfig(process.env);
if (read.ok) starting = start(read.config);
else starting = Promise.reject(new Error(`Wrong setting: ${read.problem}`));
await starting.catch((error: Error) => {
  if (ending) return;
  const isFull =
    read.ok &&
    // A database that ended for want of room may have closed its connections before it could say so.
    (isDiskFull(error) || (!read.config.databaseUrl && isDatabaseAway(error) && hasNoRoom(read.config.dataDir)));
  process.stderr.write(`\n${isFull ? explainFullDisk(read.config.dataDir, read.config.databaseUrl) : error.message}\n`);
  return end(1);
});

async function start(config: ShopConfig): Promise<void> {
  const log = logToStdout;
  const clientDir = join(root, development ? 'public' : 'build/client');
  const host = createHost({
    clientDir,
    proxies: config.trustProxy,
    clientLimit: config.clientLimit,
    metricsToken: config.metricsToken,
    log,
  });
  const vite = development ? await (await import('./host/dev.ts')).startVite(root, config.dataDir, host.server) : null;
  if (vite) host.serveSourcesWith(vite.middleware);
  await new Promise<void>((listening, failed) => {
    host.server.once('error', (error: NodeJS.ErrnoException) => failed(portProblem(error, config)));
    // Room for a flood of connections: where it is full, those of others are dropped and tried again a second later.
    host.server.listen({ port: config.port, host: config.host, backlog: 4096 }, listening);
  });
  closing.push(() => host.finish());
  if (vite) closing.push(() => vite.close());
  const { port } = host.server.address() as AddressInfo;
  const siteUrl = config.siteUrl ?? `http://localhost:${port}`;

  const backend = config.hosted
    ? await (await import('./backends/hosted.ts')).connectHostedBackend({
        project: config.hosted,
        migrations: await readMigrations(join(root, 'supabase')),
        jobsSecret: config.jobsSecret,
        sendsMessages: config.messages !== undefined,
        waiting: waitingFor('SUPABASE_URL', 'project-away'),
        log,
      })
    : await startEmbeddedBackend({
        config,
        siteUrl,
        connection: await databaseFor(config),
        supabaseDir: join(root, 'supabase'),
        log,
        step,
      }).catch((error: Error) => {
        const isOfDatabase = [error, error.cause].some((one) => one instanceof postgres.PostgresError);
        throw config.databaseUrl && isOfDatabase ? explainAt(config.databaseUrl, error) : error;
      });
  closing.push(() => backend.close());
  const pages = await createPages({
    backend,
    siteUrl,
    clientDir,
    mode: development ? 'development' : 'production',
    // A hosted project keeps the provider's keys with its functions: this process does not see them.
    razorpay: config.razorpay !== undefined || config.hosted !== undefined,
    proxies: config.trustProxy,
    log,
    loadBuild: vite ? vite.loadBuild : builtPages(join(root, 'build/server/index.js')),
  });
  backend.onPagesChanged(pages.drop);
  if (ending) return;
  host.open({ backend, pages, siteUrl });
  announceEnd = async () => {
    host.announceEnd();
    await sleep(config.drainSeconds * 1000);
  };
  announce(config, siteUrl);
}

/** Nodes, databases and projects start in any order; until then /healthz says that the shop is starting. */
function waitingFor(setting: string, event: string): Waiting {
  return {
    report(problem) {
      step(`Waiting for ${setting}: ${problem}`);
      logToStdout({ level: 'warn', event, problem });
    },
    signal: stopWaiting.signal,
  };
}

async function databaseElsewhere(address: string): Promise<Options<Record<string, never>>> {
  const connection = databaseAt(address);
  const weakTls = weakTlsAt(address);
  if (weakTls) logToStdout({ level: 'warn', event: 'database-not-verified', problem: weakTls });
  const ping = () => withConnection(connection, (sql) => sql`select 1`);
  await waitFor(ping, waitingFor('DATABASE_URL', 'database-away')).catch((error: Error) => {
    throw explainAt(address, error);
  });
  const [role] = await withConnection(
    connection,
    (sql) => sql<{ name: string; above: boolean }[]>`
      select rolname as name, rolsuper as above from pg_roles where rolname = current_user`,
  );
  if (role?.above) {
    const problem = `${role.name} of DATABASE_URL is a superuser, which the shop does not need: see docs/hosting.md`;
    logToStdout({ level: 'warn', event: 'database-superuser', problem });
  }
  return connection;
}

async function databaseFor(config: ShopConfig): Promise<Options<Record<string, never>>> {
  if (config.databaseUrl) return databaseElsewhere(config.databaseUrl);
  const locked = lockDataDir(config.dataDir);
  if (!locked.ok) {
    const owner = locked.ownerPid ? ` (process ${locked.ownerPid})` : '';
    throw new Error(`Another shop${owner} is using ${config.dataDir}. Stop it, or set DATA_DIR to another folder.`);
  }
  closing.push(() => locked.lock.release());
  if (isRestoreUnfinishedIn(config.dataDir)) {
    throw new Error(
      `A restore into ${config.dataDir} was broken off. Run it again, or delete ${sideFolder(config.dataDir)} to start over.`,
    );
  }
  if (existsSync(sideFolder(config.dataDir))) {
    // A restore that was killed when everything was in its place.
    for (const left of [stagingFolder(config.filesDir), sideFolder(config.dataDir)])
      rmSync(left, { recursive: true, force: true });
  }
  const server = await startEmbeddedPostgres({ dataDir: config.dataDir, log: step });
  step('Database started');
  closing.push(() => server.stop());
  if (ending) throw new Error('stopped while starting'); // before migrations and seeds
  void server.exited.then(({ expected }) => {
    if (expected) return;
    process.stderr.write('The database has stopped unexpectedly; the shop stops too.\n');
    if (hasNoRoom(config.dataDir)) process.stderr.write(`${explainFullDisk(config.dataDir, undefined)}\n`);
    end(1);
  });
  const { host: _folder, ...connection } = server.connection;
  await rebuildIfReworded({ connection, supabaseDir: join(root, 'supabase'), step });
  return asShopRole(connection as Options<Record<string, never>>);
}

/** Last opened, first closed: requests, then the backend, then the database, then the lock on its folder. */
async function shutDown(code: number): Promise<void> {
  process.exitCode = code;
  setTimeout(() => process.exit(code || 1), 30_000).unref();
  await starting?.catch(() => {}); // what is half open cannot be closed
  const [stopListening, ...rest] = closing;
  await stopListening?.();
  for (const close of rest.reverse())
    await Promise.resolve(close()).catch((error: Error) => {
      // That the database ended first is in the log already.
      if (!isDatabaseAway(error)) process.stderr.write(`${error.message}\n`);
    });
  process.exit(code);
}

function portProblem(error: NodeJS.ErrnoException, config: ShopConfig): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(`Port ${config.port} is taken. Stop what uses it, or set PORT to another one.`);
  if (error.code === 'EACCES')
    return new Error(`Port ${config.port} needs more rights than we have. Set PORT to one above 1023.`);
  return new Error(`Cannot listen on ${config.host}:${config.port}: ${error.message}`);
}

function announce(config: ShopConfig, siteUrl: string): void {
  const lines = [`\nThe shop is open: ${siteUrl}`];
  if (config.demo !== 'off') {
    lines.push('Sign in with "Login": the demo sign-in offers two customers (Priya, Rahul) and the owner (Asha).');
    lines.push(`Everything in it is invented. Nothing is charged, and mail stays here: ${siteUrl}/demo-mail`);
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
