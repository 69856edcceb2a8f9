const onPlainHttp: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self)',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
};
const onHttps = { ...onPlainHttp, 'strict-transport-security': 'max-age=63072000; includeSubDomains' };

/** On every response that does not say otherwise. */
export function securityHeaders({ https }: { https: boolean }): Readonly<Record<string, string>> {
  return https ? onHttps : onPlainHttp;
}

/** The same for responses that are written to the socket by hand. */
export function securityHeaderLines({ https = false } = {}): string[] {
  return Object.entries(securityHeaders({ https })).map(([name, value]) => `${name}: ${value}`);
}

/** A service worker has the policy of its own file: it may fetch from this site, and from nowhere else. */
export const workerPolicy =
  "default-src 'none'; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
