import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectToShop } from './rows.ts';

export type InstanceKeys = { publishableKey: string; secretKey: string; jwtSecret: string };

export function instanceKeys(dataDir: string): InstanceKeys {
  return JSON.parse(readFileSync(join(dataDir, 'keys.json'), 'utf8')) as InstanceKeys;
}

/** For a shop at DATABASE_URL, which has its keys in the database: copies them to where tests look for them. */
export async function saveKeys(dataDir: string): Promise<void> {
  const sql = await connectToShop(dataDir);
  const [row] = await sql<{ value: string }[]>`select value from private.instance where name = 'keys'`;
  await sql.end();
  await writeFile(join(dataDir, 'keys.json'), row?.value ?? '');
}
