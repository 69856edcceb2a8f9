import { existsSync } from 'node:fs';
import { type ConfigResult, readConfig } from '../server/config.ts';

/** The settings a shop started here would have. */
export function readSettings(): ConfigResult {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfig(process.env);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Answers the exit code. */
export function fail(line: string): number {
  process.stderr.write(`${line}\n`);
  return 1;
}

export function formatBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
