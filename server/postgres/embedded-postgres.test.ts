import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import connect from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { clearLeftovers } from './leftovers.ts';
import { lookUpNobody } from './run-as.ts';

const asRoot = process.getuid?.() === 0;
const onLinux = process.platform === 'linux';

let preparedFolder: string;
let folder: string;
let dataDir: string;
let clusterDir: string;
let logged: string[];
let running: EmbeddedPostgres[];
let children: ChildProcess[];

// A second start is ten times quicker than a first: most tests begin with a copy of this data folder.
beforeAll(async () => {
  preparedFolder = mkdtempSync(join(realpathSync(tmpdir()), 'mithaas-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir: preparedFolder, log: () => {} });
  await postgres.stop();
});

afterAll(() => rmSync(preparedFolder, { recursive: true }));

beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'mithaas-test-'));
  dataDir = join(folder, 'data');
  clusterDir = join(dataDir, 'postgres');
  logged = [];
  running = [];
  children = [];
});

afterEach(async () => {
  await Promise.all(running.map((postgres) => postgres.stop()));
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await clearLeftovers(clusterDir, () => {});
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: (message) => logged.push(message) });
  running.push(postgres);
  return postgres;
}

function startPrepared(): Promise<EmbeddedPostgres> {
  cpSync(preparedFolder, dataDir, { recursive: true });
  chmodSync(clusterDir, 0o700); // cpSync does not keep the mode of folders
  return start();
}

async function query<Row extends object>(postgres: EmbeddedPostgres, text: string): Promise<Row[]> {
  const sql = connect({ ...postgres.connection, max: 1, onnotice: () => {} });
  try {
    return [...(await sql.unsafe<Row[]>(text))];
  } finally {
    await sql.end();
  }
}

/** A process of its own that starts the database and runs `body`, with `postgres`, `sql` and `say` at hand. */
function startInChild(body: string, options: { prefix?: string[]; uid?: number; gid?: number; path?: string } = {}) {
  const { prefix = [], path = process.env.PATH, ...credentials } = options;
  const code = `
    import connect from ${moduleUrl(createRequire(import.meta.url).resolve('postgres'))};
    import { startEmbeddedPostgres } from ${moduleUrl(join(import.meta.dirname, 'embedded-postgres.ts'))};
    const say = (value) => console.log(JSON.stringify(value));
    const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} });
    const sql = connect({ ...postgres.connection, max: 1, onnotice: () => {} });
    ${body}`;
  const [command = process.execPath, ...args] = [...prefix, process.execPath, '--input-type=module', '-e', code];
  const env = { PATH: path, TMPDIR: process.env.TMPDIR };
  const child = spawn(command, args, { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'], ...credentials });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const nextLine = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the child ended: ${errors}`);
    return JSON.parse(value);
  };
  return { child, nextLine };
}

const moduleUrl = (file: string): string => JSON.stringify(pathToFileURL(file).href);

async function killHard(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const postmasterPid = (): number => Number.parseInt(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8'), 10);

function isRunning(pid: number): boolean {
  // A zombie, whose new parent has not yet looked, is not running.
  const [state] = execFileSync('sh', ['-c', `ps -o stat= -p ${pid} || true`], { encoding: 'utf8' }).trim();
  return state !== undefined && state !== 'Z';
}

async function endsWithin(milliseconds: number, pid: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (isRunning(pid) && Date.now() < deadline) await sleep(25);
  return !isRunning(pid);
}

test('a fresh start answers queries, durably, and only on a private socket', async () => {
  const postgres = await start();
  const [settings] = await query(
    postgres,
    `select current_setting('fsync') fsync, current_setting('data_checksums') checksums,
       current_setting('listen_addresses') addresses, current_setting('TimeZone') zone,
       current_setting('server_encoding') encoding, current_setting('log_statement') statements,
       current_setting('log_min_error_statement') failed, current_setting('log_error_verbosity') verbosity, lower('ÀÉ') lowered, current_user me`,
  );
  expect(settings).toEqual({
    fsync: 'on',
    checksums: 'on',
    addresses: '',
    zone: 'UTC',
    encoding: 'UTF8',
    statements: 'none',
    failed: 'panic',
    verbosity: 'terse',
    lowered: 'àé',
    me: 'postgres',
  });
  expect(statSync(postgres.socketDir).mode & 0o777).toBe(0o700);
  expect(statSync(clusterDir).mode & 0o777).toBe(0o700);
});

test('stop leaves no process and no socket folder, and the next start finds the data', async () => {
  const first = await startPrepared();
  await query(first, 'create table sweets (name text)');
  await query(first, `insert into sweets values ('kaju katli')`);
  const pid = postmasterPid();
  await Promise.all([first.stop(), first.stop()]);
  expect(await first.exited).toEqual({ expected: true, code: 0 });
  expect(isRunning(pid)).toBe(false);
  expect(existsSync(first.socketDir)).toBe(false);

  const second = await start();
  expect(await query(second, 'select name from sweets')).toEqual([{ name: 'kaju katli' }]);
});

test('after kill -9 of its owner the database ends by itself and no acknowledged row is lost', async () => {
  const { child, nextLine } = startInChild(`
    await sql\`create table orders (id int primary key)\`;
    for (let id = 1; ; id++) {
      await sql\`insert into orders values (\${id})\`;
      say(id);
    }`);
  let acknowledged = 0;
  while (acknowledged < 50) acknowledged = await nextLine();
  const pid = postmasterPid();
  const socketDir = readFileSync(join(dataDir, 'postgres-socket-dir'), 'utf8').trim();
  await killHard(child);
  // Without a parent death signal (macOS) the next start has to end it.
  if (onLinux) expect(await endsWithin(15_000, pid)).toBe(true);

  const postgres = await start();
  const [row] = await query<{ count: number }>(postgres, 'select count(*)::int from orders');
  expect(row?.count).toBeGreaterThanOrEqual(acknowledged);
  expect(existsSync(socketDir)).toBe(false);
});

test('a database that outlived its owner is ended by the next start, data intact', async () => {
  const leftover = await startPrepared();
  await query(leftover, 'create table sweets as select 1 as id');
  const pid = postmasterPid();

  const postgres = await start();
  expect(await leftover.exited).toEqual({ expected: false, code: 0 });
  expect(isRunning(pid)).toBe(false);
  expect(existsSync(leftover.socketDir)).toBe(false);
  expect(await query(postgres, 'select id from sweets')).toEqual([{ id: 1 }]);
});

test('a pid file that names a stranger neither stops the start nor harms the stranger', async () => {
  const first = await startPrepared();
  const pidFile = join(clusterDir, 'postmaster.pid');
  const [, ...otherLines] = readFileSync(pidFile, 'utf8').split('\n');
  await first.stop();
  // Its working folder is ours, as that of a shell somebody left there.
  const stranger = spawn('sleep', ['60'], { cwd: clusterDir, stdio: 'ignore' });
  children.push(stranger);
  for (const pid of [stranger.pid, process.pid, 1, 2 ** 22 + 1]) {
    writeFileSync(pidFile, [pid, ...otherLines].join('\n'), { mode: 0o600 });
    const postgres = await start();
    expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
    await postgres.stop();
  }
  expect(stranger.exitCode ?? stranger.signalCode).toBe(null);
});

test('a start that was killed while creating the database leaves nothing half made', async () => {
  const unfinished = () => existsSync(dataDir) && readdirSync(dataDir).some((name) => name.startsWith('postgres.new-'));
  const { child } = startInChild('');
  while (!unfinished()) await sleep(5);
  await sleep(100);
  await killHard(child);
  expect(unfinished()).toBe(true);
  expect(existsSync(clusterDir)).toBe(false);

  const postgres = await start();
  expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(unfinished()).toBe(false);
});

test('a database killed by someone else is reported, and can be started again', async () => {
  const first = await startPrepared();
  process.kill(postmasterPid(), 'SIGKILL');
  expect(await first.exited).toEqual({ expected: false, code: null });
  expect(existsSync(first.socketDir)).toBe(false);
  await first.stop();

  const second = await start();
  expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test("a customer's data does not reach the log; a crashed session does, and the database recovers", async () => {
  const postgres = await startPrepared();
  await query(postgres, 'create table customers (email text primary key)');
  await query(postgres, `insert into customers values ('asha@example.com')`);
  await expect(query(postgres, `insert into customers values ('asha@example.com')`)).rejects.toThrow(/duplicate key/);
  await expect(query(postgres, `select 'asha@example.com'::int`)).rejects.toThrow(/invalid input/);
  const sql = connect({ ...postgres.connection, max: 1 });
  const [session] = await sql`select pg_backend_pid() as pid`;
  const asleep = sql`select pg_sleep(30), 'asha@example.com'`.catch(() => {});
  await sleep(100);
  process.kill(session?.pid, 'SIGKILL');
  await asleep;
  await sql.end({ timeout: 0 });
  await vi.waitFor(() => expect(logged.join('\n')).toContain('terminated by signal 9'), { timeout: 15_000 });
  expect(logged.join('\n')).not.toContain('asha');
  await vi.waitFor(
    async () => expect(await query(postgres, 'select count(*)::int from customers')).toEqual([{ count: 1 }]),
    {
      timeout: 15_000,
    },
  );
});

test('a database of another major version, or a folder that is none, is refused in plain words', async () => {
  mkdirSync(clusterDir, { recursive: true });
  writeFileSync(join(clusterDir, 'notes.txt'), 'mine');
  await expect(start()).rejects.toThrow(/is not a PostgreSQL database/);
  writeFileSync(join(clusterDir, 'PG_VERSION'), '15\n');
  await expect(start()).rejects.toThrow(/made by PostgreSQL 15, but the installed one is 18/);
  expect(readdirSync(clusterDir).sort()).toEqual(['PG_VERSION', 'notes.txt']);
});

test('a server that fails to start says why, and leaves no process and no socket folder', async () => {
  const first = await startPrepared();
  await first.stop();
  writeFileSync(join(clusterDir, 'postgresql.conf'), 'nonsense = 5\n');
  await expect(start()).rejects.toThrow(/stopped while starting.*unrecognized configuration parameter "nonsense"/s);
  expect(existsSync(readFileSync(join(dataDir, 'postgres-socket-dir'), 'utf8').trim())).toBe(false);
});

const reportIdentity = `
  const [row] = await sql\`select 1 as one\`;
  await sql.end();
  say({ uid: process.getuid(), ...row });
  await postgres.stop();`;

test('an ordinary user can start it', async () => {
  const nobody = asRoot ? lookUpNobody() : undefined;
  if (asRoot && !nobody) throw new Error('this machine has no user "nobody" to try with');
  mkdirSync(dataDir);
  let options = {};
  if (nobody) {
    const canReadProject = isReachableFor(nobody);
    // In a folder only root may enter, a user namespace makes us nobody and still lets us read the project.
    options = canReadProject
      ? nobody
      : { prefix: ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`] };
    if (canReadProject) for (const path of [folder, dataDir]) chownSync(path, nobody.uid, nobody.gid);
  }
  const { child, nextLine } = startInChild(reportIdentity, options);
  expect(await nextLine()).toEqual({ uid: nobody?.uid ?? process.getuid?.(), one: 1 });
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  expect(code).toBe(0);
});

test.runIf(asRoot)(
  'root without user namespaces runs it as nobody, or says which folder is closed',
  async ({ skip }) => {
    const withoutUnshare = { path: '/nonexistent' };
    const closed = startInChild(reportIdentity, withoutUnshare); // mkdtemp made the folder for root alone
    await expect(closed.nextLine()).rejects.toThrow(
      /PostgreSQL refuses to run as root.*(can't cd to|Permission denied)/s,
    );

    const nobody = lookUpNobody();
    if (!nobody || !isReachableFor(nobody)) return skip('nobody may not read this project, so it cannot run from here');
    chmodSync(folder, 0o711);
    const { child, nextLine } = startInChild(reportIdentity, withoutUnshare);
    expect(await nextLine()).toEqual({ uid: 0, one: 1 });
    if (child.exitCode === null) await once(child, 'exit');
    expect(statSync(clusterDir).uid).toBe(nobody.uid);
    // And back again: the same cluster where namespaces are allowed.
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
  },
);

function isReachableFor(user: { uid: number; gid: number }): boolean {
  try {
    const readable = ['-e', 'fs.readFileSync(process.argv[1])', join(import.meta.dirname, 'run-as.ts')];
    execFileSync(process.execPath, readable, { cwd: '/', stdio: 'ignore', ...user });
    return true;
  } catch {
    return false;
  }
}
