import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = ['README.md', 'CONTRIBUTING.md', 'artwork/README.md', ...globSync('docs/**/*.md', { cwd: root })];

test.each(pages)('%s names files that are there', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const folders = /^(adapters|app|artwork|bench|docs|domain|public|scripts|server|supabase|tests)\/[\w./-]+$/;
  const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name).filter((name) => folders.test(name));
  const linked = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, to = '']) => join(page, '..', to));
  expect([...named, ...linked].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each(pages)('%s names commands that are there', (page) => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  const named = [...readFileSync(join(root, page), 'utf8').matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

// Decision records are left out: they say what was true when they were written.
const currentPages = [...pages, 'supabase/schemas/README.md'].filter((page) => !page.startsWith('docs/decisions/'));

test.each(currentPages)('%s names SQL functions and tables that are there', (page) => {
  const schemas = globSync('supabase/schemas/*/*.sql', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const created = /create (?:function|table|view|type) (?:private|public)\.(\w+)/g;
  const known = new Set(schemas.flatMap((text) => [...text.matchAll(created)].map(([, name = '']) => name)));
  const quoted = [...readFileSync(join(root, page), 'utf8').matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  // `private.name`, or a call in snake case: those of TypeScript are in camel case.
  const named = /\bprivate\.(\w+)|(?<![.\w])([a-z0-9]+(?:_[a-z0-9]+)+)\(/g;
  const names = quoted.flatMap((text) => [...text.matchAll(named)].map(([, own, called]) => own ?? called ?? ''));
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});
