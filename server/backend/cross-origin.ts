type Serve = (request: Request, socketAddress: string | undefined) => Promise<Response | null>;

/** What supabase-js reads of an answer beside its body. */
const exposed = 'content-range, content-location, location, preference-applied, retry-after, x-total-count';

/**
 * For a backend with an address of its own: browsers on pages of the shop may use it, those of other sites get no more
 * permission than before. Functions have their own word on this (supabase/functions/_shared/cors.ts).
 */
export function servingAcross(siteUrl: string, serve: Serve): Serve {
  return async (request, socketAddress) => {
    const isFromSite = request.headers.get('origin') === siteUrl;
    if (!isFromSite || new URL(request.url).pathname.startsWith('/functions/v1/')) return serve(request, socketAddress);
    const asked = request.headers.get('access-control-request-method');
    if (request.method === 'OPTIONS' && asked) return allowed(new Response(null, { status: 204 }), request, siteUrl);
    const response = await serve(request, socketAddress);
    return response && allowed(response, request, siteUrl);
  };
}

function allowed(response: Response, request: Request, siteUrl: string): Response {
  const headers = new Headers(response.headers);
  headers.set('access-control-allow-origin', siteUrl);
  headers.append('vary', 'Origin');
  headers.set('access-control-expose-headers', exposed);
  if (request.method === 'OPTIONS') {
    headers.set('access-control-allow-methods', 'GET, HEAD, POST, PATCH, PUT, DELETE');
    headers.set('access-control-allow-headers', request.headers.get('access-control-request-headers') ?? '');
    headers.set('access-control-max-age', '3600');
  }
  return new Response(response.body, { status: response.status, headers });
}
