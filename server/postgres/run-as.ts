import { execFile } from 'node:child_process';
import { chownSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** How to run PostgreSQL's programs, which refuse to run as root, and who then owns their files on disk. */
export type RunAs = {
  /** Commands put before the program; each replaces itself by the next, so the pid stays that of the program. */
  prefix: readonly string[];
  identity: Owner | undefined;
  fileOwner: Owner;
  /** What `postgres --version` answered when we tried. */
  version: string;
};

type Owner = { uid: number; gid: number };
type Candidate = Omit<RunAs, 'version'>;

// Postgres sees nothing of our environment, which holds secrets and PG* variables meant for others.
// A fixed TZ spares initdb the search for the machine's time zone.
const environment: NodeJS.ProcessEnv = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(process.env.LD_LIBRARY_PATH && { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH }),
};

/** Command, arguments and spawn options that run `program` as `runAs` says. */
export function invocation({ prefix, identity }: Candidate, program: string, args: readonly string[]) {
  const [command, ...rest] = [...prefix, program, ...args] as [string, ...string[]];
  // macOS gives nobody the uid -2: spawn takes it signed, chown and stat have it unsigned.
  const credentials = identity && { uid: identity.uid | 0, gid: identity.gid | 0 };
  return { command, args: rest, options: { cwd: '/', env: environment, ...credentials } };
}

/** Picks the first way that can really execute the program and enter the folders. */
export async function chooseRunAs(options: {
  postgres: string;
  dataDir: string;
  clusterDir: string;
  socketParent: string;
}): Promise<RunAs> {
  const failures: string[] = [];
  for (const candidate of candidates(options.dataDir, options.clusterDir)) {
    const attempt = await tryOut(candidate, options);
    if (attempt.ok) return { ...candidate, version: attempt.version };
    failures.push(`  ${inWords(candidate)}: ${attempt.reason}`);
  }
  const asRoot = process.getuid?.() === 0;
  const advice = asRoot
    ? 'PostgreSQL refuses to run as root, and no other identity can be used here. Start the shop as an ordinary ' +
      `user, or let everyone enter (chmod o+x) the folders above ${options.postgres} and ${options.dataDir}.`
    : 'Check that the shop may execute this program and enter these folders.';
  throw new Error(
    `Cannot run ${options.postgres} on ${options.dataDir} and ${options.socketParent}. ${advice}\nTried:\n${failures.join('\n')}`,
  );
}

/** Hands a folder of ours to the identity PostgreSQL runs under; only root ever needs to. */
export function giveTo(folder: string, owner: Owner): void {
  if (process.getuid?.() !== 0 || statSync(folder).uid === owner.uid >>> 0) return;
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, entry), owner.uid >>> 0, owner.gid >>> 0);
  }
  // The folder itself comes last: if we are interrupted, the next start sees that the work is not done.
  chownSync(folder, owner.uid >>> 0, owner.gid >>> 0);
}

function candidates(dataDir: string, clusterDir: string): Candidate[] {
  const own = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
  const nobody = lookUpNobody();
  const plain = withParentDeathSignal({ prefix: [], identity: undefined, fileOwner: own });
  const under = (user: Owner | undefined) =>
    user && user.uid !== 0 ? withParentDeathSignal({ prefix: [], identity: user, fileOwner: user }) : [];
  // In a user namespace we are nobody to PostgreSQL and keep our uid, without root's powers, to the file system.
  const inNamespace =
    nobody && process.platform === 'linux'
      ? withParentDeathSignal({
          prefix: ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`],
          identity: undefined,
          fileOwner: own,
        })
      : [];

  // initdb refuses a uid without an account, as containers like to use.
  if (own.uid !== 0) return hasAccount() ? plain : [...inNamespace, ...plain];
  return [
    ...under(ownerOf(clusterDir)),
    ...inNamespace,
    ...under(nobody),
    // "sudo npm start" in a private home folder, which only its owner can enter.
    ...under(ownerOf(dirname(dataDir))),
  ];
}

function hasAccount(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

/** setpriv must come last: the kernel forgets the death signal when credentials change. */
function withParentDeathSignal(candidate: Candidate): Candidate[] {
  if (process.platform !== 'linux') return [candidate];
  return [{ ...candidate, prefix: [...candidate.prefix, 'setpriv', '--pdeathsig', 'INT'] }, candidate];
}

async function tryOut(
  candidate: Candidate,
  { postgres, dataDir, socketParent }: { postgres: string; dataDir: string; socketParent: string },
): Promise<{ ok: true; version: string } | { ok: false; reason: string }> {
  const script = 'cd "$1" && cd "$2" && exec "$3" --version';
  const { command, args, options } = invocation(candidate, '/bin/sh', [
    '-c',
    script,
    'sh',
    dataDir,
    socketParent,
    postgres,
  ]);
  try {
    const { stdout } = await promisify(execFile)(command, args, options);
    return { ok: true, version: stdout.trim() };
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return { ok: false, reason: (stderr || message).trim() };
  }
}

function inWords({ prefix, identity }: Candidate): string {
  const who = identity ? `as uid ${identity.uid}` : 'as ourselves';
  return prefix.length > 0 ? `${who}, through ${prefix.join(' ')}` : who;
}

function ownerOf(folder: string): Owner | undefined {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat && { uid: stat.uid, gid: stat.gid };
}

export function lookUpNobody(): Owner | undefined {
  const line = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(-?\d+):(-?\d+):/m);
  return line ? { uid: Number(line[1]), gid: Number(line[2]) } : undefined;
}
