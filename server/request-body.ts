import { problem } from '../supabase/functions/_shared/problem.ts';

export type BodyResult = { ok: true; request: Request; bytes: Uint8Array } | { ok: false; response: Response };

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

/** Reads the whole body, up to a limit, and gives back a request that can be read again. */
export async function readBody(request: Request, limit: number): Promise<BodyResult> {
  if (request.body === null) return { ok: true, request, bytes: new Uint8Array() };
  const tooLarge = () => problem(413, 'body-too-large', `At most ${Math.floor(limit / 1024)} KiB, please.`);
  if (Number(request.headers.get('content-length') ?? 0) > limit) return { ok: false, response: tooLarge() };
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) return { ok: false, response: tooLarge() };
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(Buffer.concat(chunks));
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  headers.delete('transfer-encoding');
  return {
    ok: true,
    bytes,
    request: new Request(request.url, { method: request.method, headers, body: bytes, signal: request.signal }),
  };
}
