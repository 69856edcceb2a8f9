// A Chromium for the browser tests: one that is there, else the system's package, else Playwright's own download.
// Plain JavaScript without packages, as scripts/prepare.mjs uses it under any Node.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The system's Chromium; undefined: Playwright's own. */
export function chromiumPath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

export function ensureChromium(step) {
  if (chromiumPath()) return;
  const isRoot = process.getuid?.() === 0;
  if (isRoot && existsSync('/etc/debian_version')) {
    step('Installing Chromium for the browser tests (a Debian package)');
    run('apt-get', ['update', '-qq']);
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
      DEBIAN_FRONTEND: 'noninteractive',
    });
    return;
  }
  step('Fetching a Chromium for the browser tests');
  run(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium']);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function run(command, args, environment = {}) {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  });
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed; the browser tests need a Chromium on the PATH`);
}
