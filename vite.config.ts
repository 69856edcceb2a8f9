import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { serviceWorker } from './app/offline/build-service-worker.ts';

// One file for the framework saves about 3 KiB over many; named, so that lazy packages do not come with it.
const framework = /node_modules\/(react|react-dom|react-router|scheduler)\//;
const publicPages = ['home', 'shop', 'product'];
const otherPages = ['terms', 'cart', 'profile'];

/** A file also takes what its modules import, unless an earlier one has it: what most pages load comes first. */
const filesOfPages = [
  'public-pages',
  'cart-profile-console',
  'cart-console',
  'profile-console',
  'cart-profile',
  ...publicPages,
  ...otherPages,
];

/**
 * What the same pages load is one file: as thirty small ones it compresses badly, and each would be a request of its own, of
 * which browsers make six at a time.
 */
function groupsOfPages() {
  let files: Map<string, string> | undefined;
  return filesOfPages.map((name) => ({
    test: /\/(app|domain)\//,
    name: (id: string, graph: ModuleGraph) => {
      files ??= filesByModule(graph);
      return files.get(id) === name ? name : null;
    },
  }));
}

type ModuleGraph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

function filesByModule(graph: ModuleGraph): Map<string, string> {
  const routes = join(import.meta.dirname, 'app/routes');
  const storefront = (page: string) => join(routes, `storefront/${page}.tsx`);
  const screens = readdirSync(join(routes, 'admin')).map((file) => join(routes, 'admin', file));
  const ofConsole = reachedFrom(screens, graph);
  const pagesOf = new Map<string, string[]>();
  for (const page of [...publicPages, ...otherPages])
    for (const id of reachedFrom([storefront(page)], graph)) pagesOf.set(id, [...(pagesOf.get(id) ?? []), page]);

  const files = new Map<string, string>();
  for (const [id, pages] of pagesOf) {
    const isPublic = pages.some((page) => publicPages.includes(page));
    if (isPublic && pages.length > 1) files.set(id, 'public-pages');
    else files.set(id, [...pages, ...(!isPublic && ofConsole.has(id) ? ['console'] : [])].join('-'));
  }
  for (const id of reachedFrom([join(routes, '../root.tsx'), storefront('layout')], graph))
    files.set(id, 'public-pages');
  return files;
}

function reachedFrom(entries: readonly string[], graph: ModuleGraph): Set<string> {
  const reached = new Set(entries);
  for (const id of reached) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  return reached;
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [reactRouter(), serviceWorker()],
  // All packages are found at the start: one that is found on a visit would make Vite reload the page.
  optimizeDeps: { entries: ['app/**/*.{ts,tsx}', '!app/**/*.test.{ts,tsx}'] },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    rolldownOptions: isSsrBuild
      ? {}
      : {
          output: {
            codeSplitting: {
              groups: [{ name: 'framework', test: framework }, ...groupsOfPages()],
            },
          },
        },
  },
}));
