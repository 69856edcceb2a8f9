import { problem } from './problem.ts';

type Refused = { ok: false; response: Response };
export type BodyResult = { ok: true; request: Request; bytes: Uint8Array<ArrayBuffer> } | Refused;

/** A request whose body is no longer than the limit. One that tells its length is left unread: no more of it is taken. */
export async function limitBody(request: Request, limit: number): Promise<{ ok: true; request: Request } | Refused> {
  const length = request.headers.get('content-length');
  const hasNone = request.method === 'GET' || request.method === 'HEAD';
  return hasNone || (length !== null && Number(length) <= limit) ? { ok: true, request } : readBody(request, limit);
}

/** Reads the whole body, up to a limit, and gives back a request that can be read again. */
export async function readBody(request: Request, limit: number): Promise<BodyResult> {
  // Deno offers an empty body where there is none, and nobody can make a TRACE.
  if (request.body === null || request.method === 'TRACE') return { ok: true, request, bytes: new Uint8Array() };
  const tooLarge = () => problem(413, 'body-too-large', `At most ${Math.floor(limit / 1024)} KiB, please.`);
  if (Number(request.headers.get('content-length') ?? 0) > limit) return { ok: false, response: tooLarge() };
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body) {
      size += chunk.byteLength;
      if (size > limit) return { ok: false, response: tooLarge() };
      chunks.push(chunk);
    }
  } catch {
    // Whoever hangs up in the middle is no failure of the shop's.
    return { ok: false, response: problem(400, 'body-cut-off', 'The request ended before it was whole.') };
  }
  const bytes = new Uint8Array(size);
  let filled = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, filled);
    filled += chunk.byteLength;
  }
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  headers.delete('transfer-encoding');
  return {
    ok: true,
    bytes,
    request: new Request(request.url, { method: request.method, headers, body: bytes, signal: request.signal }),
  };
}
