import type { SupabaseClient } from '@supabase/supabase-js';
import type { PublicConfig } from '#app/shop-context.ts';
import type { Database } from '#database-types';
import { sessionKey } from './stored-session.ts';

export type ShopClient = SupabaseClient<Database>;

let client: Promise<ShopClient> | undefined;

/** supabase-js is large, so it is loaded only for a session, a sign-in, or on request. */
export function supabase(config: PublicConfig): Promise<ShopClient> {
  client ??= import('@supabase/supabase-js').then(
    ({ createClient }) =>
      createClient<Database>(backendUrl(config), config.key, {
        auth: { flowType: 'pkce', storageKey: sessionKey, detectSessionInUrl: true },
        global: {
          async fetch(request, init) {
            const response = await fetch(request, init);
            // What Auth itself refuses, its client handles.
            if (response.status === 401 && !response.url.includes('/auth/v1/')) noticeRefusal(config);
            return response;
          },
        },
      }),
    (error: unknown) => {
      client = undefined; // its code could not be loaded: the next call retries
      throw error;
    },
  );
  return client;
}

/** The backend refused the session's token: the session was ended elsewhere, perhaps. */
function noticeRefusal(config: PublicConfig): void {
  void checkSession(config).catch(() => {}); // not reachable: the next refusal tries again
}

let check: Promise<unknown> | undefined;

/**
 * Asks Auth whether there still is such a session; where not, its client removes it from this browser, and the page shows a
 * visitor's view. One request for all who need it: a later response would remove the login that began since the first.
 */
export function checkSession(config: PublicConfig): Promise<unknown> {
  check ??= supabase(config)
    .then(({ auth }) => auth.getUser())
    .finally(() => {
      check = undefined;
    });
  return check;
}

/** A plain read of the Data API as a visitor, for what needs no session and should not wait for supabase-js. */
export async function readAsVisitor(config: PublicConfig, path: string): Promise<unknown> {
  const response = await fetch(`${backendUrl(config)}/rest/v1/${path}`, { headers: { apikey: config.key } });
  if (!response.ok) throw new Error(`the Data API answered ${response.status}`);
  return response.json();
}

/** Whether Auth responds at all; what it says does not matter here. */
export async function isSignInReachable(config: PublicConfig, timeoutMs: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${backendUrl(config)}/auth/v1/health`, { headers: { apikey: config.key }, signal });
    return response.status < 500;
  } catch {
    return false;
  }
}

export type FunctionAnswer =
  | { ok: true; status: number; data: unknown }
  | {
      ok: false;
      status: number;
      code: string;
      message: string | null;
      /** The products to blame, where the rest could be had without them. */
      lines?: { product_id?: number; box_id?: number; message: string }[];
    };

/**
 * Calls an edge function with the session's token. `code` and `message` are the function's own; nothing came back:
 * status 0 and 'unreachable'.
 */
export async function callFunction(
  config: PublicConfig,
  name: string,
  { method, token, body }: { method: 'GET' | 'POST' | 'DELETE'; token: string; body?: unknown },
): Promise<FunctionAnswer> {
  try {
    const response = await fetch(`${backendUrl(config)}/functions/v1/${name}`, {
      method,
      headers: { apikey: config.key, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const data: unknown = await response.json();
    if (response.ok) return { ok: true, status: response.status, data };
    if (response.status === 401) noticeRefusal(config);
    const error = (data as { error?: { code?: string; message?: string; lines?: [] } } | null)?.error;
    const { code = 'unknown', message = null, lines } = error ?? {};
    return { ok: false, status: response.status, code, message, ...(lines ? { lines } : {}) };
  } catch {
    return { ok: false, status: 0, code: 'unreachable', message: null };
  }
}

function backendUrl(config: PublicConfig): string {
  return config.url ?? window.location.origin;
}
