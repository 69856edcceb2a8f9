// Everything `npm test` proves, one step after the other; stops at the first broken promise.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules/.bin', name);
const results = join(root, 'test-results');
type Outcome = { passed: number; failed: number; skipped: number };
const counts: (Outcome & { kind: string; seconds: number })[] = [];

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

check('lint', bin('biome'), ['check', '--error-on-warnings', '.']);
check('import directions', process.execPath, [join(root, 'scripts/check-imports.ts')]);
check('route types', bin('react-router'), ['typegen']);
check('types', bin('tsc'), ['-p', '.']);
for (const kind of ['unit', 'sql', 'http', 'start']) vitest(kind);
browser();
report(0);

function check(name: string, command: string, args: string[]): void {
  process.stdout.write(`\n— ${name}\n`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  if (status !== 0) report(1, `${name} failed`);
}

function vitest(kind: string): void {
  const output = join(results, `${kind}.json`);
  count(
    kind,
    bin('vitest'),
    ['run', '--project', kind, '--reporter=default', '--reporter=json', `--outputFile.json=${output}`],
    () => {
      const { numPassedTests, numFailedTests, numPendingTests } = readJson(output);
      return { passed: Number(numPassedTests), failed: Number(numFailedTests), skipped: Number(numPendingTests) };
    },
  );
}

function browser(): void {
  count('browser', bin('playwright'), ['test'], () => {
    const { expected, unexpected, skipped } = readJson(join(results, 'e2e.json')).stats as Record<string, number>;
    return { passed: expected ?? 0, failed: unexpected ?? 0, skipped: skipped ?? 0 };
  });
}

function count(kind: string, command: string, args: string[], read: () => Outcome): void {
  process.stdout.write(`\n— ${kind} tests\n`);
  const started = Date.now();
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  const seconds = Math.round((Date.now() - started) / 1000);
  try {
    counts.push({ kind, ...read(), seconds });
  } catch {
    counts.push({ kind, passed: 0, failed: 1, skipped: 0, seconds });
  }
  const { passed = 0 } = counts.at(-1) ?? {};
  if (status !== 0 || passed === 0) report(1, passed === 0 ? `no ${kind} test passed` : `${kind} tests failed`);
}

function report(code: number, problem?: string): never {
  process.stdout.write('\n');
  for (const { kind, passed, failed, skipped, seconds } of counts) {
    process.stdout.write(
      `${kind.padEnd(8)} ${String(passed).padStart(4)} passed, ${failed} failed, ${skipped} skipped (${seconds} s)\n`,
    );
  }
  if (problem) process.stderr.write(`\n${problem}\n`);
  const sum = (field: keyof Outcome) => counts.reduce((total, row) => total + row[field], 0);
  process.stdout.write(`\n${sum('passed')} passed, ${sum('failed') || code} failed, ${sum('skipped')} skipped\n`);
  process.exit(code);
}

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}
