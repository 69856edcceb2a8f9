import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ServerBuild } from 'react-router';

/** Vite inside our own host: pages with hot reload, on the same origin as the backend. */
export async function startVite(root: string, dataDir: string, server: Server) {
  const { createServer } = await import('vite');
  // Vite serves the project's folder, and DATA_DIR with its keys usually lies in it.
  const deny = ['.env', '.env.*', '*.{crt,pem}', '**/.git/**', '**/.data/**', `${dataDir}/**`, '**/keys.json'];
  const vite = await createServer({ root, server: { middlewareMode: true, hmr: { server }, fs: { deny } } });
  return {
    middleware: (request: IncomingMessage, response: ServerResponse, next: () => void) =>
      vite.middlewares(request, response, next),
    loadBuild: () => vite.ssrLoadModule('virtual:react-router/server-build') as Promise<ServerBuild>,
    close: () => vite.close(),
  };
}
