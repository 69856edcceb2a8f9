import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Space for a new shop's first start, PostgreSQL's write-ahead log and the first weeks. */
const NEEDED_MB = 500;
/** PostgreSQL needs a new segment of its write-ahead log (16 MB) to continue. */
const NO_ROOM_MB = 16;

/** PostgreSQL's error code for a full disk. */
const DISK_FULL = '53100';
const codes = new Set(['ENOSPC', 'EDQUOT', DISK_FULL]);
const words = /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/;

/** Whether an error is a full disk, by the error of the system, of PostgreSQL, or the last lines of its programs. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as { code?: string; cause?: unknown };
  return codes.has(code ?? '') || words.test(error.message) || isDiskFull(cause);
}

/**
 * Whether the database could read but not write, by the error code alone: a message may quote customers' input, which must not
 * make the shop read-only.
 */
export function isDatabaseFull(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === DISK_FULL;
}

/** Whether so little space is left that it explains why a database has stopped. */
export function hasNoRoom(folder: string): boolean {
  const free = freeMb(folder);
  return free !== null && free < NO_ROOM_MB;
}

/** The error message of a start that failed on a full disk. */
export function explainFullDisk(folder: string, databaseUrl: string | undefined): string {
  if (databaseUrl)
    return (
      'The disk is full, of the database at DATABASE_URL or of this machine. Free some space there and start again. ' +
      'Nothing was lost.'
    );
  const free = freeMb(folder);
  const left = free === null ? '' : ` (${Math.floor(free)} MB are free)`;
  return (
    `The disk of ${folder} is full${left}: a new shop needs ${NEEDED_MB} MB there, and an update as much again as its ` +
    'database. Free some space, or set DATA_DIR to a folder on a larger disk, and start again. Nothing was lost.'
  );
}

function freeMb(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return (bavail * bsize) / 1024 / 1024;
  } catch {
    return folder === dirname(folder) ? null : freeMb(dirname(folder)); // does not exist yet
  }
}
