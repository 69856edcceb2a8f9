import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type DataDirLock = { release(): void };

const SQLITE_BUSY = 5;

// Two processes that start together can each block the other for a moment: SQLite retries this long, then one has it.
const BUSY_TIMEOUT_MS = 500;

// A garbage-collected DatabaseSync closes itself and would silently drop the lock, so held ones stay reachable here.
const heldLocks = new Set<DatabaseSync>();

/**
 * Exclusive ownership of a data folder, dropped by the kernel if we die.
 *
 * It is SQLite's lock on `lock`; never open that file with node:fs, as closing any descriptor of it drops the lock.
 */
export function lockDataDir(
  dataDir: string,
): { ok: true; lock: DataDirLock } | { ok: false; reason: 'in-use'; ownerPid: number | undefined } {
  // Others may pass through but not list: Postgres may have to run under another uid (see run-as.ts).
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  accessSync(dataDir, constants.W_OK); // a clearer error than SQLite's
  const ownerFile = join(dataDir, 'lock-owner.pid');
  const database = new DatabaseSync(join(dataDir, 'lock'), { timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    return { ok: false, reason: 'in-use', ownerPid: readLivePid(ownerFile) };
  }
  heldLocks.add(database);
  writeFileSync(ownerFile, `${process.pid}\n`);
  return { ok: true, lock: { release: () => release(database, ownerFile) } };
}

function release(database: DatabaseSync, ownerFile: string): void {
  if (!heldLocks.delete(database)) return;
  rmSync(ownerFile, { force: true });
  database.close();
}

/** A pid left behind by an earlier owner says nothing about this one. */
function readLivePid(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? pid : undefined;
  }
}
