import { pathToFileURL } from 'node:url';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import type { Backend } from './backend/backend.ts';
import { pagePolicy } from './security-headers.ts';

type EntryModule = typeof import('../app/entry.server.tsx');
export type LoadBuild = () => Promise<ServerBuild>;

export const builtPages =
  (file: string): LoadBuild =>
  () =>
    import(pathToFileURL(file).href);

export type PagesOptions = {
  backend: Backend;
  siteUrl: string;
  loadBuild: LoadBuild;
  mode: 'production' | 'development';
  /** The real payment widget opens on these pages. */
  razorpay: boolean;
};

/** Renders pages with React Router. In development the build changes under us, so it is asked for each time. */
export async function createPages({ backend, siteUrl, loadBuild, mode, razorpay }: PagesOptions) {
  let handler = mode === 'production' ? createRequestHandler(await loadBuild(), mode) : null;
  let entry = mode === 'production' ? entryOf(await loadBuild()) : null;

  return async (request: Request): Promise<Response> => {
    if (mode === 'development') {
      const build = await loadBuild();
      handler = createRequestHandler(build, mode);
      entry = entryOf(build);
    }
    if (!handler || !entry) throw new Error('pages are not loaded');
    const context = new RouterContextProvider();
    let html: string | null = null;
    context.set(entry.shopContext, {
      siteUrl,
      publicConfig: backend.publicConfig,
      read: (name, args) => backend.read(name, args),
      deliver: (page) => {
        html = page;
      },
    });
    const response = await handler(request, context);
    if (html === null) return response;
    const headers = new Headers(response.headers);
    headers.set('content-type', 'text/html; charset=utf-8');
    if (mode === 'production')
      headers.set('content-security-policy', pagePolicy(html, backend.publicConfig.url, { razorpay }));
    else headers.set('content-security-policy', "frame-ancestors 'none'"); // Vite's client needs inline scripts
    return new Response(request.method === 'HEAD' ? null : html, { status: response.status, headers });
  };
}

// The context key that loaders use lives in the bundle; the same module imported here would be another object.
function entryOf(build: ServerBuild): EntryModule {
  return build.entry.module as unknown as EntryModule;
}
