import { createHash } from 'node:crypto';

const avatarHosts = 'https://*.googleusercontent.com https://avatars.githubusercontent.com';

/** What the payment provider's widget loads, frames, shows and reports to. */
const razorpay = {
  script: ' https://checkout.razorpay.com https://cdn.razorpay.com',
  frame: "frame-src 'self' https://api.razorpay.com https://checkout.razorpay.com",
  img: ' https://cdn.razorpay.com',
  connect: ' https://lumberjack.razorpay.com https://lumberjack-metrics.razorpay.com https://api.razorpay.com',
};

/** The hashes of what a page holds of scripts and styles of ours. */
export type PageSources = { scriptSources: readonly string[]; styleSources: readonly string[] };

export type PagePolicyOptions = {
  /**
   * Where payments are real. On every page then, not only on those that pay: a visitor who goes from page to page in the
   * browser keeps the policy of the first one.
   */
  razorpay?: boolean;
};

/**
 * The page without its nonces, and the hashes of the inline scripts and styles that carried one: those of ours. A page has
 * some ten of them in 94 KB, so the bytes are searched for those and not decoded.
 */
export function takeNonces(page: Buffer, nonce: string): PageSources & { page: Buffer } {
  const attribute = ` nonce="${nonce}"`;
  const parts: Buffer[] = [];
  const scriptSources: string[] = [];
  const styleSources: string[] = [];
  let from = 0;
  for (let at = page.indexOf(attribute); at >= 0; at = page.indexOf(attribute, from)) {
    parts.push(page.subarray(from, at));
    from = at + attribute.length;
    const textStart = page.indexOf('>', from) + 1;
    const tag = page.toString('utf8', page.lastIndexOf('<', at), textStart);
    const textBefore = (end: string) => page.subarray(textStart, page.indexOf(end, textStart));
    if (tag.startsWith('<style')) styleSources.push(hashSource(textBefore('</style>')));
    if (!tag.startsWith('<script') || /\ssrc=/.test(tag)) continue;
    const script = textBefore('</script>');
    if (script.length > 0) scriptSources.push(hashSource(script));
  }
  parts.push(page.subarray(from));
  return { page: Buffer.concat(parts), scriptSources, styleSources };
}

/** How a policy names a text that stands in the page. */
export function hashSource(text: string | Buffer): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Scripts and styles in the page are allowed by the hash of their text, so that a cached page needs no nonce of its own. */
export function pagePolicy(
  { scriptSources = [], styleSources = [] }: Partial<PageSources>,
  backendOrigin: string | null,
  options: PagePolicyOptions = {},
): string {
  const widget = options.razorpay ? razorpay : null;
  const backend = backendOrigin ? ` ${backendOrigin} ${backendOrigin.replace(/^http/, 'ws')}` : '';
  return [
    "default-src 'self'",
    `script-src 'self' ${[...new Set(scriptSources)].join(' ')}${widget?.script ?? ''}`,
    ["style-src 'self'", ...new Set(styleSources)].join(' '),
    "style-src-attr 'unsafe-inline'",
    "font-src 'self' data:",
    `img-src 'self' data: blob: ${avatarHosts}${backendOrigin ? ` ${backendOrigin}` : ''}${widget?.img ?? ''}`,
    `connect-src 'self'${backend}${widget?.connect ?? ''}`,
    ...(widget ? [widget.frame] : []),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
