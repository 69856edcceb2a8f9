import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ServerBuild } from 'react-router';

/** Vite inside our own host: pages with hot reload, on the same origin as the backend. */
export async function startVite(root: string, server: Server) {
  const { createServer } = await import('vite');
  const vite = await createServer({ root, server: { middlewareMode: true, hmr: { server } } });
  return {
    middleware: (request: IncomingMessage, response: ServerResponse, next: () => void) =>
      vite.middlewares(request, response, next),
    loadBuild: () => vite.ssrLoadModule('virtual:react-router/server-build') as Promise<ServerBuild>,
    close: () => vite.close(),
  };
}
