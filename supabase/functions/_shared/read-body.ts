import { problem } from './problem.ts';

type Refused = { ok: false; response: Response };
type Bytes = Uint8Array<ArrayBuffer>;
export type BodyResult = { ok: true; request: Request; bytes: Bytes } | Refused;

/** A request with a body within the limit. A declared length is trusted and the body left unread. */
export async function limitBody(request: Request, limit: number): Promise<{ ok: true; request: Request } | Refused> {
  return hasNone(request) || tellsItIsWithin(limit, request) ? { ok: true, request } : readBody(request, limit);
}

/** Reads the whole body, up to a limit, and gives back a request that can be read again. */
export async function readBody(request: Request, limit: number): Promise<BodyResult> {
  const read = await readBytes(request, limit);
  if (!read.ok) return read;
  const { bytes } = read;
  if (bytes === null) return { ok: true, request, bytes: new Uint8Array() };
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  headers.delete('transfer-encoding');
  return {
    ok: true,
    bytes,
    request: new Request(request.url, { method: request.method, headers, body: bytes, signal: request.signal }),
  };
}

/** Reads the whole body, up to a limit; null where there is none. */
export async function readBytes(request: Request, limit: number): Promise<{ ok: true; bytes: Bytes | null } | Refused> {
  if (hasNone(request)) return { ok: true, bytes: null };
  try {
    // A body that tells its length is no longer than that; taken whole, it never has to become a stream.
    if (tellsItIsWithin(limit, request)) return { ok: true, bytes: new Uint8Array(await request.arrayBuffer()) };
    if (request.body === null) return { ok: true, bytes: null };
    const bytes = Number(request.headers.get('content-length')) > limit ? null : await joined(request.body, limit);
    if (bytes) return { ok: true, bytes };
    return {
      ok: false,
      response: problem(
        413,
        'body-too-large',
        `This request is too large. The limit is ${Math.floor(limit / 1024)} KiB.`,
      ),
    };
  } catch {
    // A client that disconnects is not our failure.
    return { ok: false, response: problem(400, 'body-cut-off', 'The request ended before it was whole.') };
  }
}

// Deno gives an empty body where there is none, and TRACE requests cannot be built.
function hasNone({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'TRACE';
}

function tellsItIsWithin(limit: number, { headers }: Request): boolean {
  const length = headers.get('content-length');
  return length !== null && Number(length) <= limit;
}

/** The bytes of a stream; null when there are more than the limit. */
async function joined(stream: ReadableStream<Uint8Array>, limit: number): Promise<Bytes | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let filled = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, filled);
    filled += chunk.byteLength;
  }
  return bytes;
}
