/** localhost, 127.0.0.1 and [::1] are the same machine, but three origins to a browser. */
export function withLoopbackVariants(siteUrl: string): string[] {
  const url = new URL(siteUrl);
  const names = ['localhost', '127.0.0.1', '[::1]'];
  if (!names.includes(url.hostname)) return [siteUrl];
  const others = names
    .filter((name) => name !== url.hostname)
    .map((name) => `${url.protocol}//${name}${url.port ? `:${url.port}` : ''}`);
  return [siteUrl, ...others];
}
