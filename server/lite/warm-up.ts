// Upstream: the library introspects the database during its first request, and forty first requests at once fail.
// Can go when upstream-defects.test.ts, "forty first requests at once fail", fails.
import type { Lite } from './lite.ts';

/** Makes the library's first request, before anybody else can. */
export async function warmUp(lite: Lite, apikey: string): Promise<void> {
  const response = await lite.fetch(
    new Request('http://localhost/rest/v1/Products?select=Id&limit=1', { headers: { apikey } }),
  );
  if (!response.ok) throw new Error(`the Data API does not respond: ${response.status} ${await response.text()}`);
}
