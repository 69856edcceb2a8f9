import { problem } from '../../supabase/functions/_shared/problem.ts';
import type { Backend } from './backend.ts';

/** A Supabase project elsewhere: browsers talk to it directly, and so do we when rendering. */
export function connectHostedBackend({ url, anonKey }: { url: string; anonKey: string }): Backend {
  async function isHealthy(): Promise<boolean> {
    try {
      const response = await fetch(`${url}/rest/v1/shop_settings?select=name`, {
        headers: { apikey: anonKey },
        signal: AbortSignal.timeout(4000),
      });
      return response.ok;
    } catch {
      return false;
    }
  }

  return {
    publicConfig: { url, key: anonKey, signInProvider: 'google' },
    async read(name, args) {
      const response = await fetch(`${url}/rest/v1/rpc/${name}`, {
        method: 'POST',
        headers: { apikey: anonKey, 'content-type': 'application/json' },
        body: JSON.stringify(args),
        signal: AbortSignal.timeout(10_000),
      });
      if (!response.ok) throw new Error(`${name} answered ${response.status}`);
      return response.json();
    },
    async serve(request) {
      const { pathname } = new URL(request.url);
      return /^\/(rest|auth|storage|functions|realtime)\/v1(\/|$)/.test(pathname)
        ? problem(404, 'hosted-elsewhere', 'The backend of this shop has its own address: see /env.json.')
        : null;
    },
    onPagesChanged() {},
    pagesLastMs: 60_000,
    handleUpgrade(_request, socket) {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
    },
    isHealthy,
    figures: async () => [],
    close: async () => {},
  };
}
