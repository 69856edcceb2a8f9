import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import connect from 'postgres';
import { invocation, type RunAs } from './run-as.ts';
import { explainFailure, followServerLog, LINE_PREFIX } from './server-log.ts';
import { SOCKET_PORT } from './socket-dir.ts';

export type Postmaster = {
  shutDown(): void;
  exited: Promise<{ expected: boolean; code: number | null }>;
};

type Connection = { path: string; user: string; database: string };

const READY_WITHIN_MS = 60_000;
// PostgreSQL 18 never finishes a fast shutdown that is asked for while it recovers from a crashed session. The immediate
// one that follows loses nothing: the next start recovers from the log.
const FAST_SHUTDOWN_MS = 5_000;
const IMMEDIATE_SHUTDOWN_MS = 8_000;

const settings = (socketDir: string): Record<string, string | number> => ({
  listen_addresses: '',
  port: SOCKET_PORT,
  unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
  unix_socket_permissions: '0700',
  max_connections: 60,
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  // Sessions keep the plans that they made while a table was small until it is analyzed: in a new shop that is soon wrong.
  autovacuum_naptime: '10s',
  timezone: 'UTC',
  // Three worker processes and query compilation pay off on bigger machines than a small shop's.
  io_method: 'sync',
  jit: 'off',
  max_logical_replication_workers: 0,
  // Nothing a customer typed may reach the log: no statements, no details such as the value of a duplicate key.
  log_statement: 'none',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  log_line_prefix: LINE_PREFIX,
});

/** Spawns the server and waits until it answers a query. */
export async function spawnPostmaster(options: {
  postgres: string;
  clusterDir: string;
  socketDir: string;
  runAs: RunAs;
  connection: Connection;
  log: (message: string) => void;
}): Promise<Postmaster> {
  const flags = Object.entries(settings(options.socketDir)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const call = invocation(options.runAs, options.postgres, ['-D', options.clusterDir, ...flags]);
  // Detached, in a session of its own: Ctrl-C in the terminal reaches it only through us.
  const child = spawn(call.command, call.args, {
    ...call.options,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const serverLog = followServerLog(child.stderr, options.log);
  const postmaster = supervise(child, options.log);

  const readiness = new AbortController();
  const outcome = await Promise.race([
    answers(options.connection, readiness.signal),
    postmaster.exited.then(() => 'exited' as const),
    sleep(READY_WITHIN_MS, 'timeout' as const, { signal: readiness.signal }),
  ]).finally(() => readiness.abort());
  if (outcome === 'ready') return postmaster;

  postmaster.shutDown();
  const { code } = await postmaster.exited;
  await sleep(50); // its last words may still be in the pipe
  const what =
    outcome === 'exited'
      ? `PostgreSQL stopped while starting (exit code ${code})`
      : `PostgreSQL did not answer within ${READY_WITHIN_MS / 1000} seconds`;
  throw new Error(explainFailure(what, serverLog.tail()));
}

function supervise(child: ChildProcess, log: (message: string) => void): Postmaster {
  let stopping = false;
  let gone = false;
  const timers: NodeJS.Timeout[] = [];
  // For a process.exit() without stop(), where the system has no parent death signal.
  const onProcessExit = () => child.kill('SIGINT');
  process.once('exit', onProcessExit);

  const exited = new Promise<{ expected: boolean; code: number | null }>((resolve) => {
    const settle = (code: number | null) => {
      gone = true;
      process.off('exit', onProcessExit);
      for (const timer of timers) clearTimeout(timer);
      resolve({ expected: stopping, code });
    };
    child.once('exit', settle);
    child.once('error', (error) => {
      log(`postgres: ${error.message}`);
      if (child.pid === undefined) settle(null);
    });
  });

  const shutDown = () => {
    if (stopping || gone) return;
    stopping = true;
    child.kill('SIGINT');
    timers.push(setTimeout(() => child.kill('SIGQUIT'), FAST_SHUTDOWN_MS));
    timers.push(setTimeout(() => child.kill('SIGKILL'), FAST_SHUTDOWN_MS + IMMEDIATE_SHUTDOWN_MS));
  };
  return { shutDown, exited };
}

/** Resolves once a real query is answered; until then connections fail in ways that only mean "not yet". */
async function answers(connection: Connection, signal: AbortSignal): Promise<'ready' | 'given-up'> {
  while (!signal.aborted) {
    if (existsSync(connection.path)) {
      const sql = connect({ ...connection, max: 1, fetch_types: false, connect_timeout: 5, onnotice: () => {} });
      try {
        await sql`select 1`;
        return 'ready';
      } catch {
        // Refused, or "the database system is starting up".
      } finally {
        await sql.end({ timeout: 0 });
      }
    }
    await sleep(10);
  }
  return 'given-up';
}
