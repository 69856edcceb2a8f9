// Everything `npm test` proves, or with the argument `quick` what `npm run check` does: lint, types, import directions, unit
// and component tests. Stops at the first broken promise.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules/.bin', name);
const results = join(root, 'test-results');
type Outcome = { passed: number; failed: number; skipped: number };
const running = new Set<ChildProcess>();
const counts: (Outcome & { kind: string; seconds: number })[] = [];

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const isQuick = process.argv.includes('quick');
// A filled demo shop for every kind of test that is not about a first start: filling one takes ten seconds of a processor.
const filledShop = isQuick ? null : mkdtempSync(join(tmpdir(), 'mithaas-test-'));
const buildInfo = join(root, 'node_modules/.cache/types.tsbuildinfo');

const checks = Promise.all([
  check('lint', bin('biome'), ['check', '--error-on-warnings', '.']),
  check('import directions', process.execPath, [join(root, 'scripts/check-imports.ts')]),
  check('route types', bin('react-router'), ['typegen']).then(() =>
    check('types', bin('tsc'), ['-p', '.', '--incremental', '--tsBuildInfoFile', buildInfo]),
  ),
]);
if (filledShop) {
  const filling = check('demo shop', process.execPath, [join(root, 'tests/support/make-filled-shop.ts'), filledShop]);
  // Starting shops is half waiting, so it goes beside the others; what both have to do keeps two processors busy.
  const starts = filling
    .then(() => vitest('start', ['start'], { isQuiet: true }))
    .then(() => vitest('shapes', ['http-nodes', 'http-hosted'], { isQuiet: true }));
  await vitest('unit', ['unit', 'component']);
  // Three at a time: a file often waits for its database.
  await vitest('sql', ['sql'], { workers: 3 });
  await filling;
  await vitest('http');
  await Promise.all([checks, starts]);
  await browser();
} else {
  await Promise.all([checks, vitest('unit', ['unit', 'component'])]);
}
report(0);

async function check(name: string, command: string, args: string[]): Promise<void> {
  if ((await run(command, args, { title: name })) !== 0) report(1, `${name} failed`);
}

type Options = { isQuiet?: boolean; workers?: number };
function vitest(kind: string, projects = [kind], { isQuiet, workers }: Options = {}): Promise<void> {
  const title = `${kind} tests`;
  const output = join(results, `${kind}.json`);
  const chosen = projects.flatMap((project) => ['--project', project]);
  const limit = workers ? [`--maxWorkers=${workers}`] : [];
  const args = ['run', ...chosen, ...limit, '--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  return count(
    kind,
    () => run(bin('vitest'), args, isQuiet ? { title } : undefined),
    () => {
      const { numPassedTests, numFailedTests, numPendingTests } = readJson(output);
      return { passed: Number(numPassedTests), failed: Number(numFailedTests), skipped: Number(numPendingTests) };
    },
  );
}

function browser(): Promise<void> {
  return count(
    'browser',
    () => run(bin('playwright'), ['test']),
    () => {
      const { expected, unexpected, skipped } = readJson(join(results, 'e2e.json')).stats as Record<string, number>;
      return { passed: expected ?? 0, failed: unexpected ?? 0, skipped: skipped ?? 0 };
    },
  );
}

async function count(kind: string, work: () => Promise<number>, read: () => Outcome): Promise<void> {
  process.stdout.write(`\n— ${kind} tests begin\n`);
  const started = Date.now();
  const status = await work();
  const seconds = Math.round((Date.now() - started) / 1000);
  try {
    counts.push({ kind, ...read(), seconds });
  } catch {
    counts.push({ kind, passed: 0, failed: 1, skipped: 0, seconds });
  }
  const { passed = 0 } = counts.at(-1) ?? {};
  if (status !== 0 || passed === 0) report(1, passed === 0 ? `no ${kind} test passed` : `${kind} tests failed`);
}

/** With a title, beside others: what it says is shown in one piece below the title when it ends. */
function run(command: string, args: string[], beside?: { title: string }): Promise<number> {
  const options = {
    cwd: root,
    env: { ...process.env, FORCE_COLOR: '0', ...(filledShop && { FILLED_SHOP: filledShop }) },
  };
  const child = spawn(command, args, {
    ...options,
    stdio: ['ignore', beside ? 'pipe' : 'inherit', beside ? 'pipe' : 'inherit'],
  });
  running.add(child);
  const said: Buffer[] = [];
  child.stdout?.on('data', (piece: Buffer) => said.push(piece));
  child.stderr?.on('data', (piece: Buffer) => said.push(piece));
  return new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (status) => {
      running.delete(child);
      if (beside) process.stdout.write(`\n— ${beside.title}\n${Buffer.concat(said)}`);
      resolve(status ?? 1);
    });
  });
}

function report(code: number, problem?: string): never {
  for (const child of running) child.kill();
  if (filledShop) rmSync(filledShop, { recursive: true, force: true, maxRetries: 5 });
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
