import { isHostileKey } from './data-gate/names.ts';

/**
 * The JSON in a body; undefined when it is none, is nested so deeply that libraries walking it would give up, or has a key
 * that leads to a prototype.
 */
export function jsonIn(bytes: Uint8Array): unknown {
  if (nestsTooDeep(bytes)) return undefined;
  try {
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return hasHostileKey(json) ? undefined : json;
  } catch {
    return undefined;
  }
}

function hasHostileKey(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false;
  if (Array.isArray(json)) return json.some(hasHostileKey);
  return Object.entries(json).some(([key, value]) => isHostileKey(key) || hasHostileKey(value));
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
