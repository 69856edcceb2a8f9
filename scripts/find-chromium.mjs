// A Chromium for the browser tests: one that is there, else the system's package, else Playwright's own download.
// Plain JavaScript without packages, as scripts/prepare.mjs uses it under any Node.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// The shell is the same browser without windows: the tests take a third less time with it.
const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The system's Chromium; undefined: Playwright's own. */
export function chromiumPath(wanted = names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return wanted.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

export function ensureChromium(step) {
  const isRoot = process.getuid?.() === 0;
  if (isRoot && existsSync('/etc/debian_version')) {
    if (chromiumPath([shell])) return;
    step('Installing Chromium for the browser tests (a Debian package)');
    const isThere = aptInstall(shell) || chromiumPath() !== undefined || aptInstall('chromium');
    if (isThere) return;
  }
  if (chromiumPath()) return;
  step('Fetching a Chromium for the browser tests');
  run(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium']);
}

/** Older Debians have no package of the shell. */
function aptInstall(name) {
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update', '-qq'], options);
  return spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], options).status === 0;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed; the browser tests need a Chromium on the PATH`);
}
