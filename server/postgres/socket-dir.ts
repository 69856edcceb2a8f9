import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

// Part of the socket's file name, nothing listens on it. Fixed, so that no PGPORT can change the name.
export const SOCKET_PORT = 5432;

const PREFIX = 'mithaas-pg-';
const MAX_SOCKET_PATH_BYTES = 103; // macOS; Linux allows 107
const SOCKET_FILES = [`.s.PGSQL.${SOCKET_PORT}`, `.s.PGSQL.${SOCKET_PORT}.lock`];

export const socketFile = (socketDir: string): string => join(socketDir, `.s.PGSQL.${SOCKET_PORT}`);

/** Where the socket folder will lie: a path that leaves room under the system's limit for socket addresses. */
export function socketParent(): string {
  const longest = join(tmpdir(), newName(), SOCKET_FILES[0] as string);
  return Buffer.byteLength(longest) <= MAX_SOCKET_PATH_BYTES ? tmpdir() : '/tmp';
}

/** A new private folder, noted in the data folder before it exists so that no crash can lose track of it. */
export function createSocketDir(dataDir: string, parent: string): string {
  const socketDir = join(parent, newName());
  writeFileSync(recordFile(dataDir), `${socketDir}\n`);
  mkdirSync(socketDir, { mode: 0o700 });
  return socketDir;
}

/** Removes the folder that an earlier run noted; the caller knows that no server uses it any more. */
export function removeStaleSocketDir(dataDir: string): void {
  const socketDir = readRecord(dataDir);
  if (socketDir === undefined) return;
  if (basename(socketDir).startsWith(PREFIX)) removeSocketDir(socketDir);
  rmSync(recordFile(dataDir), { force: true });
}

export function removeSocketDir(socketDir: string): void {
  if (!lstatSync(socketDir, { throwIfNoEntry: false })?.isDirectory()) return;
  // Only files we know, never a recursive removal of a path that was read from a file.
  for (const name of SOCKET_FILES) rmSync(join(socketDir, name), { force: true });
  rmdirSync(socketDir);
}

const newName = (): string => `${PREFIX}${randomBytes(6).toString('hex')}`;
const recordFile = (dataDir: string): string => join(dataDir, 'postgres-socket-dir');

function readRecord(dataDir: string): string | undefined {
  try {
    return readFileSync(recordFile(dataDir), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
