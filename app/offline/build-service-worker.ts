import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

const source = join(import.meta.dirname, 'service-worker.ts');
const fileName = 'service-worker.js';
/** Left to the network: the console, and what needs a session, which needs the network anyway. */
const notOffline = /\/app\/(features\/(console|account)|routes\/admin)\/|node_modules\/@supabase\//;

type Chunk = {
  fileName: string;
  moduleIds: string[];
  facadeModuleId: string | null;
  imports: string[];
  dynamicImports: string[];
  viteMetadata?: { importedAssets: Set<string>; importedCss: Set<string> };
};

/** Builds the service worker after the browser's code, as one file that knows which others there are. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const chunks = new Map(
          Object.values(bundle).flatMap((file) =>
            file.type === 'chunk' ? [[file.fileName, file as Chunk] as const] : [],
          ),
        );
        const names = Object.keys(bundle).sort().join();
        const version = createHash('sha256').update(names).digest('hex').slice(0, 16);
        const files = storefrontFiles(chunks).map((file) => `/${file}`);
        this.emitFile({ type: 'asset', fileName, source: await workerCode({ version, files }) });
      },
    },
  };
}

async function workerCode(facts: { version: string; files: string[] }): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { __BUILD__: JSON.stringify(facts) },
    build: {
      write: false,
      target: 'es2023',
      lib: { entry: source, formats: ['iife'], name: 'worker', fileName: 'worker' },
    },
  });
  const [output] = [result].flat();
  const code = output && 'output' in output ? output.output[0]?.code : undefined;
  if (!code) throw new Error('the service worker was not built');
  return code;
}

/** What storefront pages load, at once or later, with their styles and fonts. */
function storefrontFiles(chunks: ReadonlyMap<string, Chunk>): string[] {
  const files = new Set<string>();
  const visit = (name: string) => {
    const chunk = chunks.get(name);
    if (!chunk || files.has(name) || chunk.moduleIds.some((id) => notOffline.test(id))) return;
    files.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
    for (const asset of chunk.viteMetadata?.importedAssets ?? []) if (asset.endsWith('.woff2')) files.add(asset);
    for (const next of [...chunk.imports, ...chunk.dynamicImports]) visit(next);
  };
  for (const { fileName: name, facadeModuleId } of chunks.values()) if (facadeModuleId) visit(name);
  return [...files].sort();
}
