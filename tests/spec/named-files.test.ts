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
