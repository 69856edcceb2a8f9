import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';

export type TightDisk = {
  /** Not a byte is left where the tables lie. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  /** The tables lie where they were. */
  remove(): Promise<void>;
};

/**
 * Tables on a disk that can be filled. Where this process may mount file systems it is one of two megabytes, and the
 * operating system itself refuses; elsewhere the database is made to refuse, in the same words, what would need room.
 */
export async function tightDisk(
  sql: Sql,
  options: { tables: string[]; folder: string; cluster: string },
): Promise<TightDisk> {
  return mountSmallDisk(options.folder) ? onSmallDisk(sql, options) : refusing(sql, options.tables);
}

function mountSmallDisk(folder: string): boolean {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function onSmallDisk(
  sql: Sql,
  { tables, folder, cluster }: { tables: string[]; folder: string; cluster: string },
): Promise<TightDisk> {
  const place = join(folder, 'tables');
  const ballast = join(folder, 'ballast');
  const { uid, gid } = statSync(cluster);
  mkdirSync(place, { mode: 0o700 });
  chownSync(place, uid, gid);
  await sql.unsafe(`create tablespace tight location '${place}'`);
  for (const table of tables) {
    // Without empty pages in between.
    await sql.unsafe(`vacuum full ${table}`);
    await sql.unsafe(`alter table ${table} set tablespace tight`);
    // Nothing more goes onto pages that are there already.
    await sql.unsafe(`alter table ${table} set (fillfactor = 10)`);
  }
  return {
    async fill() {
      for (let size = 1024 * 1024; size >= 1024; size /= 2) {
        try {
          for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    },
    async makeRoom() {
      rmSync(ballast);
    },
    async remove() {
      for (const table of tables) {
        await sql.unsafe(`alter table ${table} set tablespace pg_default`);
        await sql.unsafe(`alter table ${table} reset (fillfactor)`);
      }
      await sql.unsafe('checkpoint');
      await sql.unsafe('drop tablespace tight');
      execFileSync('umount', ['-l', folder]);
    },
  };
}

async function refusing(sql: Sql, tables: string[]): Promise<TightDisk> {
  const makeRoom = async () => {
    for (const table of tables) await sql.unsafe(`drop trigger if exists no_room on ${table}`);
  };
  return {
    async fill() {
      await sql.unsafe(`
        create or replace function private.no_room() returns trigger language plpgsql as $$
        begin
          raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
        end $$`);
      for (const table of tables)
        await sql.unsafe(
          `create trigger no_room before insert on ${table} for each row execute function private.no_room()`,
        );
    },
    makeRoom,
    async remove() {
      await makeRoom();
      await sql.unsafe('drop function if exists private.no_room()');
    },
  };
}
