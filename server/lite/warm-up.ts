// Upstream: the library introspects the database during its first request, and again in each one that arrives before it has ended.
// Can go when upstream-defects.test.ts, "each of the first requests at once introspects the
// database", fails.
import type { Lite } from './lite.ts';

/** Makes the library's first request before the host accepts others. */
export async function warmUp(lite: Lite, apikey: string): Promise<void> {
  const response = await lite.fetch(
    new Request('http://localhost/rest/v1/Products?select=Id&limit=1', { headers: { apikey } }),
  );
  if (!response.ok) throw new Error(`the Data API does not respond: ${response.status} ${await response.text()}`);
}
