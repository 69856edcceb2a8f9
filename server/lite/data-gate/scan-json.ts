import type { BodyLimits } from './limits.ts';

export type Scanned = 'ok' | 'too-deep' | 'too-many';

/**
 * Counts brackets and values in JSON text in one pass over its bytes, before anything is built from it. Whether it is JSON
 * at all is left to the parser.
 */
export function scanJson(bytes: Uint8Array, limits: Pick<BodyLimits, 'depth' | 'tokens'>): Scanned {
  let depth = 0;
  let tokens = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 0x22) {
      at = endOfText(bytes, at);
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      tokens += 1;
      if (depth > limits.depth) return 'too-deep';
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1;
    } else if (byte === 0x2c || byte === 0x3a) {
      tokens += 1;
    }
    if (tokens > limits.tokens) return 'too-many';
  }
  return 'ok';
}

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== 0x22) at += bytes[at] === 0x5c ? 2 : 1;
  return at;
}
