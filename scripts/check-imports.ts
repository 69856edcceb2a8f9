// Holds the directions of imports (docs/architecture.md) against every file. Run by `npm run check` and `npm test`.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const aliases: Record<string, string> = {
  '#app/': 'app/',
  '#contracts/': 'supabase/contracts/',
  '#domain/': 'domain/',
  '#database-types': 'supabase/database.types.ts',
};

// What the files below a folder may import, besides their own folder and packages. The longest matching row counts.
// Generated types may be imported from everywhere.
const allowed: [folder: string, targets: string[]][] = [
  ['domain/', []],
  ['adapters/', ['domain/']],
  ['supabase/contracts/', ['domain/']],
  ['supabase/functions/', ['adapters/', 'domain/', 'supabase/contracts/']],
  [
    'supabase/tests/',
    ['supabase/functions/', 'supabase/contracts/', 'domain/', 'adapters/', 'server/', 'tests/support/', 'scripts/'],
  ],
  ['app/', []],
  ['app/ui/', []],
  ['app/backend/', ['app/shop-context.ts']],
  ['app/parts/', ['app/ui/', 'app/backend/', 'domain/']],
  ['app/features/', ['app/parts/', 'app/ui/', 'app/backend/', 'app/shop-context.ts', 'domain/', 'supabase/contracts/']],
  ['app/routes/', ['app/features/', 'app/ui/', 'app/backend/', 'app/shop-context.ts', 'domain/']],
  ['server/', ['app/', 'adapters/', 'domain/', 'supabase/functions/', 'supabase/']],
  ['scripts/', ['domain/', 'server/', 'tests/support/', 'supabase/']],
  ['tests/', ['domain/', 'server/', 'scripts/', 'supabase/', 'adapters/']],
  // Component tests share the frame of a page, and put its state back in order after each test.
  ['tests/support/component-', ['app/', 'domain/']],
  ['bench/', ['tests/support/', 'server/', 'adapters/', 'scripts/']],
  ['artwork/', []],
];

export type Violation = { file: string; specifier: string; reason: string };

export function checkFile(file: string, source: string): Violation[] {
  const row = allowed.filter(([folder]) => file.startsWith(folder)).sort((a, b) => b[0].length - a[0].length)[0];
  if (!row) return [];
  const valuesOfContracts = isStorefrontInBrowser(file) ? /^import (?!type )[^;]*?from '(#contracts\/[^']+)'/gm : null;
  const heavy = valuesOfContracts
    ? [...source.matchAll(valuesOfContracts)].map(([, specifier = '']) => ({
        file,
        specifier,
        reason: 'the storefront takes types only from contracts: Zod is not in its first load',
      }))
    : [];
  return [...heavy, ...specifiersIn(source).flatMap((specifier) => importProblem(file, specifier, row))];
}

function importProblem(file: string, specifier: string, row: (typeof allowed)[number]): Violation[] {
  const target = targetOf(file, specifier);
  if (runsInDeno(file) && specifier.startsWith('#'))
    return [{ file, specifier, reason: 'functions use relative imports, so that Deno finds them' }];
  if (runsInDeno(file) && specifier.startsWith('node:') && specifier !== 'node:crypto')
    return [{ file, specifier, reason: 'functions use what Deno has too: of Node, only node:crypto' }];
  if (
    specifier === 'zod' &&
    /^(app|supabase\/contracts)\//.test(file) &&
    !/(\.test\.tsx?|contracts\/z\.ts)$/.test(file)
  )
    return [
      { file, specifier, reason: 'browsers get z from supabase/contracts/z.ts, which sets it up for their policy' },
    ];
  if (!target || target === 'supabase/database.types.ts' || target.includes('+types/')) return [];
  const [folder, targets] = row;
  // A test stands outside the directions of what it tests.
  if (
    /(\.test\.tsx?|-harness\.ts)$/.test(file) &&
    (target.startsWith('tests/support/') || target.startsWith('server/'))
  )
    return [];
  if (
    ownPart(file, folder) === ownPart(target, folder) ||
    targets.some((allowedTarget) => target.startsWith(allowedTarget))
  )
    return [];
  return [{ file, specifier, reason: `${folder} may import ${targets.join(', ') || 'nothing outside itself'}` }];
}

/** Loaders run on the server, and the console loads Zod anyway. */
function isStorefrontInBrowser(file: string): boolean {
  return file.startsWith('app/') && !file.startsWith('app/features/console/') && !/\.(server|test)\.tsx?$/.test(file);
}

/** What functions are made of; their tests stay with us. */
function runsInDeno(file: string): boolean {
  return /^(supabase\/functions|supabase\/contracts|adapters)\//.test(file) && !/\.test\.ts$/.test(file);
}

/** Features are parts of their own: none imports another. */
function ownPart(file: string, folder: string): string {
  if (!file.startsWith(folder)) return file;
  return folder === 'app/features/' ? file.split('/').slice(0, 3).join('/') : folder;
}

function specifiersIn(source: string): string[] {
  const pattern =
    /(?:^|[\s;])(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?['"]([^'"]+)['"]|import\(\s*['"`]([^'"`]+)['"`]\s*\)/g;
  return [...source.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? '');
}

function targetOf(file: string, specifier: string): string | null {
  for (const [alias, path] of Object.entries(aliases))
    if (specifier.startsWith(alias)) return path + specifier.slice(alias.length);
  return specifier.startsWith('.') ? relative(root, join(root, dirname(file), specifier)) : null;
}

if (import.meta.main) {
  const files = globSync('{domain,adapters,supabase,app,server,scripts,tests,bench,artwork}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: ['**/node_modules'],
  });
  const violations = files.flatMap((file) => checkFile(file, readFileSync(join(root, file), 'utf8')));
  for (const { file, specifier, reason } of violations)
    process.stderr.write(`${file}: imports ${specifier}, but ${reason}\n`);
  process.stdout.write(`${files.length} files, ${violations.length} imports against the directions\n`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
