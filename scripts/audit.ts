// npm run audit: whether a component has a known vulnerability or is older than docs/security-policies.md allows. Asks the npm
// registry, so that no test does; run it every week and before each release. Ends with 1 where something is to be done, and
// with 2 where the registry did not answer.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { AuditReport, advisoriesIn, KnownVulnerabilities, overdue, problemWith } from './audit-rules.ts';
import { readDependencies } from './list-dependencies.ts';

const root = join(import.meta.dirname, '..');
const today = new Date().toISOString().slice(0, 10);
const known = KnownVulnerabilities.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, 'known-vulnerabilities.json'), 'utf8')),
);

/** The npm that runs this script; alone, the one on the PATH. It ends with 1 when it found something, too. */
async function npm(...args: string[]): Promise<unknown> {
  const [command, ...before] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const { stdout } = await promisify(execFile)(command as string, [...before, ...args, '--json'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }));
  try {
    return JSON.parse(stdout);
  } catch {
    return null;
  }
}

async function vulnerabilities(): Promise<string[] | null> {
  const report = AuditReport.safeParse(await npm('audit', '--omit=dev'));
  if (!report.success) return null;
  return advisoriesIn(report.data).flatMap((advisory) => problemWith(advisory, known, today) ?? []);
}

async function oldComponents(): Promise<string[] | null> {
  const found: string[] = [];
  for (const dependency of readDependencies().filter(({ isDirect, use }) => isDirect && use === 'shop')) {
    const released = z.record(z.string(), z.string()).safeParse(await npm('view', dependency.name, 'time'));
    if (!released.success) return null;
    const problem = overdue(dependency, released.data, today);
    if (problem) found.push(problem);
  }
  return found;
}

const checks: [title: string, found: string[] | null][] = [
  ['Known vulnerabilities', await vulnerabilities()],
  ['Components older than the policy allows', await oldComponents()],
];
for (const [title, found] of checks) {
  console.log(`${title}: ${found === null ? 'the registry did not answer' : found.length || 'none'}`);
  for (const line of found ?? []) console.log(`  ${line}`);
}
const hasResults = checks.every(([, found]) => found !== null);
process.exitCode = checks.some(([, found]) => found?.length) ? 1 : hasResults ? 0 : 2;
