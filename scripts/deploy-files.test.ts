import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeFlags } from '../tests/support/shop.ts';

// No container engine and no hosting account is needed for these promises: what the files name exists, and is the same everywhere.
const root = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const { dependencies, scripts } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
const dockerfile = read('Dockerfile');
const pages = ['docs/deploy.md', 'docs/hosting.md', 'docs/scale.md'];
const files = ['Dockerfile', 'compose.yaml', ...readdirSync(join(root, 'deploy')).map((name) => `deploy/${name}`)];

const settings = new Set([...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name));
const ofOthers = new Set([
  'NODE_ENV',
  'NODE_COMPILE_CACHE',
  'TMPDIR',
  'POSTGRES_USER',
  'POSTGRES_PASSWORD',
  'POSTGRES_DB',
  'PGPASSWORD',
  'SUPABASE_SECRET_KEY',
]);

const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from = '']) => from.split(' '));

function filesBelow(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesBelow(`${path}/${name}`));
}

describe('the container', () => {
  test('has the Node of package.json in every stage', () => {
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(images).toEqual(Array(3).fill(`node:${dependencies?.node}-bookworm-slim`));
  });

  test('copies what exists, and .dockerignore lets it through', () => {
    const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name);
    expect(copies.length).toBeGreaterThan(10);
    for (const path of copies) {
      expect(existsSync(join(root, path)), path).toBe(true);
      expect(allowed, path).toContain(path.split('/')[0]);
    }
    expect(new Set(allowed)).toEqual(new Set(copies.map((path) => path.split('/')[0])));
  });

  test('holds every file that the shop and its commands import', () => {
    const stage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    const held = [...stage.matchAll(/^COPY (?!--from)(\S+) /gm)].map(([, path]) => path);
    const run = ['adapters', 'domain', 'server', 'supabase/functions'].flatMap(filesBelow);
    const commands = ['admin-grant', 'terminal', 'backup', 'move', 'restore'].map((name) => `scripts/${name}.ts`);
    for (const file of [...run, ...commands].filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
      for (const [, path = ''] of read(file).matchAll(/^(?:import|export)[^;]*? from '(\.[^']+)'/gm)) {
        const target = relative(root, join(root, dirname(file), path));
        // Two of these bring their own harness, which only tests load.
        if (file.includes('harness')) continue;
        expect(held, `${file} imports ${target}`).toContain(target.split('/')[0]);
      }
    }
  });

  test('runs as a user without rights, and reports its health', () => {
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile.indexOf('\nUSER node')).toBeLessThan(dockerfile.indexOf('\nCMD '));
    expect(dockerfile).toMatch(/^HEALTHCHECK[^\n]*\\\n.*\/healthz/m);
  });
});

test('wherever the shop is started, it is started alike', () => {
  const flags = nodeFlags.join(' ');
  expect(scripts?.start).toMatch(new RegExp(`/node ${flags} server/main\\.ts$`));
  expect(read('deploy/mithaas.service')).toContain(`/node ${flags} server/main.ts\n`);
  expect(dockerfile).toContain(`CMD ${JSON.stringify(['node', ...nodeFlags, 'server/main.ts']).replaceAll(',', ', ')}`);
});

test('files and pages name settings that exist', () => {
  for (const file of [...files, ...pages]) {
    const named = [...read(file).matchAll(/\b(?!AF_)([A-Z]+(?:_[A-Z]+)+|PORT|HOST)\b(?=[=:`\s"}]|$)/gm)].map(
      ([, name]) => name ?? '',
    );
    for (const name of named) expect(settings.has(name) || ofOthers.has(name), `${name} in ${file}`).toBe(true);
  }
});

test('what a project keeps for its functions is what they read', () => {
  const code = filesBelow('supabase/functions')
    .filter((name) => name.endsWith('.ts'))
    .map(read)
    .join('\n');
  const asked = [...code.matchAll(/(?:need|environment\.get)\('([A-Z_]+)'\)/g)].map(([, name]) => name ?? '');
  const given = asked.filter((name) => !name.startsWith('SUPABASE_'));
  const [, list = ''] = /`functions\.env` holds from `live\.env` the lines ([^;]*);/.exec(read('docs/deploy.md')) ?? [];
  expect(new Set([...list.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name))).toEqual(new Set(given));
  const [, chosen = '(?!)'] =
    /grep -E '([^']+)' \.\.\/live\.env > \.\.\/functions\.env/.exec(read('docs/deploy.md')) ?? [];
  const live = [...read('docs/deploy.md').matchAll(/^\s*([A-Z_]+)=/gm)].map(([, name]) => name ?? '');
  const kept = [...live, ...given].filter((name) => new RegExp(chosen).test(`${name}=`));
  expect(new Set(kept)).toEqual(new Set(given));
});

test('pages name the keys that a project has today, and ask for no password that its CLI does not need', () => {
  for (const file of [...files, ...pages, '.env.example'])
    expect(read(file), file).not.toMatch(
      /service[ _]role (or|key)|SERVICE_ROLE_KEY|\banon (or|key)\b|"anon"|legacy key/i,
    );
  const guide = read('docs/deploy.md');
  const steps = guide.slice(0, guide.indexOf('## 2. The database'));
  expect(steps).toContain('**Enable Data API** on');
  expect(steps).toMatch(/SUPABASE_ANON_KEY=sb_publishable_/);
  expect(steps).toMatch(/asks for no database\s+password: [^.]*temporary login role/);
  const versions = new Set([...guide.matchAll(/supabase@([\d.]+\d)/g)].map(([, version]) => version));
  expect([...versions]).toEqual([JSON.parse(read('tests/supabase-tools/package.json')).dependencies.supabase]);
});

test('pages name commands, files and pages that exist', () => {
  for (const page of pages) {
    const text = read(page);
    for (const [, name = ''] of text.matchAll(/npm run ([a-z:]+)/g))
      expect(scripts, `${name} in ${page}`).toHaveProperty(name);
    for (const [, path = ''] of text.matchAll(/\b((?:deploy|scripts|bench|supabase|server)\/[\w./-]*\w)/g))
      expect(existsSync(join(root, path)), `${path} in ${page}`).toBe(true);
    for (const [, path = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g))
      expect(existsSync(join(root, 'docs', path)), `${path} in ${page}`).toBe(true);
    for (const [, anchor = ''] of text.matchAll(/\]\(#([^)]+)\)/g))
      expect(headings(text), `#${anchor} in ${page}`).toContain(anchor);
  }
});

const headings = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

test('commands of Fly name the app or the file that does', () => {
  const commands = pages.flatMap((page) => [...read(page).matchAll(/`(fly [^`]+)`/g)].map(([, command]) => command));
  expect(commands.length).toBeGreaterThan(4);
  for (const command of commands)
    expect(command).toMatch(/^fly apps create NAME$| --app NAME\b| --config deploy\/fly\.toml$/);
});

test('stopping allows the time it takes, and a proxy passes the client address on', () => {
  expect(read('compose.yaml')).toContain('stop_grace_period: 40s');
  expect(read('deploy/mithaas.service')).toMatch(/^TimeoutStopSec=40$/m);
  expect(read('deploy/fly.toml')).toContain('kill_timeout = "40s"');
  expect(read('deploy/render.yaml')).toContain('maxShutdownDelaySeconds: 40');
  expect(read('deploy/nginx.conf')).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
  // The longest the shop takes, in milliseconds.
  expect(read('server/main.ts')).toContain('setTimeout(() => process.exit(code || 1), 30_000)');
});

test('only pages are redirected to https, requests with tokens are refused on http', () => {
  expect(read('deploy/nginx.conf')).toMatch(
    /listen 80;[\s\S]*location ~ \^\/\(rest\|auth\|storage\|functions\|realtime\)\/ \{\s*return 403;[\s\S]*return 301 https/,
  );
  expect(read('deploy/Caddyfile')).toMatch(
    /http:\/\/[\s\S]*path \/rest\/\* \/auth\/\* \/storage\/\* \/functions\/\* \/realtime\/\*\s*respond @programs 403\s*redir https/,
  );
});
