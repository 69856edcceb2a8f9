import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const source = join(import.meta.dirname, 'service-worker.ts');
const fileName = 'service-worker.js';
/** Left to the network: the console, and what needs a session, which needs the network anyway. */
const notOffline = /\/app\/(features\/(console|account)|routes\/admin)\/|node_modules\/@supabase\//;

type Chunk = {
  type: 'chunk';
  fileName: string;
  code: string;
  moduleIds: string[];
  facadeModuleId: string | null;
  imports: string[];
  dynamicImports: string[];
  viteMetadata?: { importedCss: Set<string>; importedAssets: Set<string> };
};

/** Builds the service worker with the browser's code, and tells it which files there are. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    buildStart() {
      this.emitFile({ type: 'chunk', id: source, fileName });
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = new Map(
          Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file as Chunk]] : [])),
        );
        const worker = chunks.get(fileName);
        if (!worker) throw new Error('the service worker was not built');
        if (worker.imports.length > 0) throw new Error('the service worker must be one file');
        const version = createHash('sha256')
          .update(Object.keys(bundle).sort().join())
          .update(worker.code)
          .digest('hex');
        const files = storefrontFiles(chunks).map((file) => `/${file}`);
        worker.code = worker.code.replaceAll('__BUILD__', JSON.stringify({ version: version.slice(0, 16), files }));
      },
    },
  };
}

/** What storefront pages load, at once or later, with their styles and fonts. */
function storefrontFiles(chunks: ReadonlyMap<string, Chunk>): string[] {
  const files = new Set<string>();
  const visit = (name: string) => {
    const chunk = chunks.get(name);
    if (!chunk || files.has(name) || name === fileName || chunk.moduleIds.some((id) => notOffline.test(id))) return;
    files.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
    for (const asset of chunk.viteMetadata?.importedAssets ?? []) if (asset.endsWith('.woff2')) files.add(asset);
    for (const next of [...chunk.imports, ...chunk.dynamicImports]) visit(next);
  };
  for (const { fileName: name, facadeModuleId } of chunks.values()) if (facadeModuleId) visit(name);
  return [...files].sort();
}
