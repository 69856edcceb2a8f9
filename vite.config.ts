import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { serviceWorker } from './app/offline/build-service-worker.ts';

// One file for the framework saves about 3 KiB over many; named, so that lazy packages do not come with it.
const framework = /node_modules\/(react|react-dom|react-router|scheduler)\//;
const publicPages = [
  'root',
  'routes/storefront/layout',
  'routes/storefront/home',
  'routes/storefront/shop',
  'routes/storefront/product',
];

/** What public pages share is one file: as forty small ones it compresses badly, and each would be a request of its own. */
function sharedByPublicPages(): (id: string, context: ModuleGraph) => string | null {
  let shared: Set<string> | undefined;
  return (id, graph) => {
    shared ??= importedByTwo(
      publicPages.map((page) => join(import.meta.dirname, `app/${page}.tsx`)),
      graph,
    );
    return shared.has(id) ? 'public-pages' : null;
  };
}

type ModuleGraph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

function importedByTwo(entries: readonly string[], graph: ModuleGraph): Set<string> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const reached = new Set([entry]);
    for (const id of reached) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
    for (const id of reached) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return new Set([...counts].flatMap(([id, count]) => (count > 1 ? id : [])));
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [reactRouter(), serviceWorker()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    // One stylesheet: what the server renders has its styles, also where its code is loaded later.
    cssCodeSplit: false,
    rolldownOptions: isSsrBuild
      ? {}
      : {
          output: {
            codeSplitting: {
              groups: [
                { name: 'framework', test: framework },
                { name: sharedByPublicPages(), test: /\/(app|domain)\// },
              ],
            },
          },
        },
  },
}));
