import { problem } from '../supabase/functions/_shared/problem.ts';

export type BodyResult = { ok: true; request: Request; bytes: Uint8Array } | { ok: false; response: Response };

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
