// Upstream: PostgREST runs GET and HEAD in read-only transactions, and a Supabase project gives `anon` three seconds for a
// statement. The library does neither.
// Can go when supabase/tests/data-api-limits.test.ts passes without these settings.
import type { Setting } from './batch-settings.ts';
import { currentCall } from './current-call.ts';

const ANON_TIMEOUT_MS = 3000;

/** Whether PostgREST would run the request in a read-only transaction. */
export function isRead(request: Request): boolean {
  return /^(GET|HEAD)$/.test(request.method) && new URL(request.url).pathname.startsWith('/rest/v1/');
}

/** What a transaction is set to besides its role. */
export function settingsOfRole(role: string): Setting[] {
  const limit = role === 'anon' ? [{ name: 'statement_timeout', value: String(ANON_TIMEOUT_MS) }] : [];
  const readOnly = currentCall()?.readsOnly ? [{ name: 'transaction_read_only', value: 'on' }] : [];
  return [...limit, ...readOnly];
}
