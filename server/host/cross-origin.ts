type Serve = (request: Request, socketAddress: string | undefined) => Promise<Response | null>;

/** What supabase-js reads of an answer beside its body. */
const exposed = 'content-range, content-location, location, preference-applied, retry-after, x-total-count';

/**
 * Browsers may use the backend from pages of the shop and from no other site. The library behind it answers everybody
 * with `*`, errors and preflights included, so its own headers are removed from every answer. Functions set theirs
 * themselves (supabase/functions/_shared/cors.ts), hosted and embedded.
 */
export function allowOnlySite(siteUrl: string, serve: Serve): Serve {
  return async (request, socketAddress) => {
    if (new URL(request.url).pathname.startsWith('/functions/v1/')) return serve(request, socketAddress);
    const isFromSite = request.headers.get('origin') === siteUrl;
    const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
    const response =
      isFromSite && isPreflight ? new Response(null, { status: 204 }) : await serve(request, socketAddress);
    if (!response) return null;
    const headers = withoutCors(response.headers);
    headers.append('vary', 'Origin');
    if (isFromSite) {
      headers.set('access-control-allow-origin', siteUrl);
      headers.set('access-control-expose-headers', exposed);
      if (isPreflight) allowMethods(headers, request);
    }
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
  };
}

const api = /^\/(rest|auth|storage|functions)\/v1\//;

/**
 * What a page of the shop needs to read a response that did not come from the backend: a rate limit, a deadline, a failure.
 * Without these headers a browser would call all of them "network error" where the backend has an address of its own.
 */
export function siteHeaders(
  { path, origin }: { path: string; origin: string | undefined },
  siteUrl: string | undefined,
): Record<string, string> {
  if (origin === undefined || origin !== siteUrl || !api.test(path)) return {};
  return { 'access-control-allow-origin': siteUrl, 'access-control-expose-headers': exposed, vary: 'Origin' };
}

function allowMethods(headers: Headers, request: Request): void {
  headers.set('access-control-allow-methods', 'GET, HEAD, POST, PATCH, PUT, DELETE');
  headers.set('access-control-allow-headers', request.headers.get('access-control-request-headers') ?? '');
  headers.set('access-control-max-age', '3600');
}

function withoutCors(given: Headers): Headers {
  const headers = new Headers(given);
  for (const name of [...headers.keys()]) if (name.startsWith('access-control-')) headers.delete(name);
  const vary = (headers.get('vary') ?? '').split(',').map((name) => name.trim());
  const others = vary.filter((name) => name !== '' && name.toLowerCase() !== 'origin');
  if (others.length > 0) headers.set('vary', others.join(', '));
  else headers.delete('vary');
  return headers;
}
