/** The JSON in a body; undefined when it is none, or nested so deeply that libraries walking it would give up. */
export function jsonIn(bytes: Uint8Array): unknown {
  if (nestsTooDeep(bytes)) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Nothing of ours nests deeper than a handful of levels. */
export function nestsTooDeep(bytes: Uint8Array, limit = 64): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (inString) {
      if (byte === 0x5c) i += 1;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
  }
  return false;
}
