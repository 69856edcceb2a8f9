import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ISql, Sql } from 'postgres';
import { z } from 'zod';
import type { ShopConfig } from '../config.ts';

export const InstanceKeys = z.object({
  publishableKey: z.string().startsWith('sb_publishable_'),
  secretKey: z.string().startsWith('sb_secret_'),
  jwtSecret: z.string().min(40),
});
export type InstanceKeys = z.infer<typeof InstanceKeys>;

function newKeys(): InstanceKeys {
  return {
    publishableKey: `sb_publishable_${randomBytes(24).toString('base64url')}`,
    secretKey: `sb_secret_${randomBytes(32).toString('base64url')}`,
    jwtSecret: randomBytes(48).toString('base64url'),
  };
}

/** Keys of an embedded database: a file beside it that only its owner can read. */
export async function keysFromDataDir(dataDir: string): Promise<InstanceKeys> {
  const stored = await readKeysIn(dataDir);
  if (stored) return stored;
  const keys = newKeys();
  await saveKeysIn(dataDir, keys);
  return keys;
}

/** Keys in a shared database, so that all nodes have the same. */
export async function keysFromDatabase(sql: Sql): Promise<InstanceKeys> {
  await sql`insert into private.instance (name, value) values ('keys', ${JSON.stringify(newKeys())}) on conflict do nothing`;
  const keys = await readKeysFrom(sql);
  return InstanceKeys.parse(keys);
}

/** The keys of a shop from either place; null before its first start. */
export function readKeys(sql: ISql, { databaseUrl, dataDir }: ShopConfig): Promise<InstanceKeys | null> {
  return databaseUrl ? readKeysFrom(sql) : readKeysIn(dataDir);
}

export async function saveKeysIn(dataDir: string, keys: InstanceKeys): Promise<void> {
  const file = keysFile(dataDir);
  await mkdir(dataDir, { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(keys), { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}

export async function saveKeysTo(sql: ISql, keys: InstanceKeys): Promise<void> {
  await sql`insert into private.instance (name, value) values ('keys', ${JSON.stringify(keys)})`;
}

const keysFile = (dataDir: string) => join(dataDir, 'keys.json');

async function readKeysIn(dataDir: string): Promise<InstanceKeys | null> {
  const file = keysFile(dataDir);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const stored = InstanceKeys.safeParse(parseJson(text));
  if (!stored.success) throw new Error(`${file} is damaged: delete it to make new keys (everybody signs in again)`);
  return stored.data;
}

async function readKeysFrom(sql: ISql): Promise<InstanceKeys | null> {
  const [row] = await sql<{ value: string }[]>`select value from private.instance where name = 'keys'`;
  return row ? InstanceKeys.parse(parseJson(row.value)) : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
