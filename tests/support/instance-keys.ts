import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type InstanceKeys = { publishableKey: string; secretKey: string; jwtSecret: string };

export function instanceKeys(dataDir: string): InstanceKeys {
  return JSON.parse(readFileSync(join(dataDir, 'keys.json'), 'utf8')) as InstanceKeys;
}
