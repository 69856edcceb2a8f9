/** Browsers of our own site may call functions; those of other sites get no permission. */
export function preflight(request: Request, siteUrl: string): Response {
  if (request.headers.get('origin') !== siteUrl) return new Response(null, { status: 403 });
  return withCors(new Response(null, { status: 204 }), siteUrl);
}

export function withCors(response: Response, siteUrl: string): Response {
  response.headers.set('access-control-allow-origin', siteUrl);
  response.headers.set('access-control-allow-methods', 'GET, POST, DELETE');
  response.headers.set(
    'access-control-allow-headers',
    'authorization, apikey, content-type, x-client-info, x-region, x-order-link',
  );
  // What the console reads beside the file it asked for.
  response.headers.set('access-control-expose-headers', 'content-disposition, retry-after, x-left-out, x-next');
  response.headers.append('vary', 'Origin');
  return response;
}
