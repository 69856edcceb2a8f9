/**
 * The path of a request line, for logs, lanes and headers. Queries may carry codes, whole addresses names and passwords,
 * and IP addresses are personal: none of them are in it.
 */
export function pathOf(target: string): string {
  if (target.startsWith('/')) return target.split(/[?#]/, 1)[0] ?? '';
  return URL.canParse(target) ? new URL(target).pathname : '';
}

/** Dot segments (also encoded), backslashes, white space and control characters: a URL parser makes another path of these. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const rewritten = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|[\\\x00-\x20\x7f]/i;

/**
 * Whether every part of the server reads the same path from this request line. Otherwise a request could wait in the queue
 * of one path and be answered by another.
 */
export function isPlainTarget(target: string): boolean {
  return !rewritten.test(target.split(/[?#]/, 1)[0] ?? '');
}
