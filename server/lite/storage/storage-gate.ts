import type { Sql } from 'postgres';
import { z } from 'zod';
import { webpSize } from '../../../domain/pictures/webp.ts';
import { bearerToken } from '../../../supabase/functions/_shared/handle-request.ts';
import { problem } from '../../../supabase/functions/_shared/problem.ts';
import { readBody } from '../../../supabase/functions/_shared/read-body.ts';
import { jsonIn } from '../json-body.ts';

const MAX_UPLOAD = 2 * 1024 * 1024;
const MAX_PIXELS = 2400 * 2400;

// Names people can read and file systems can keep; no way up, no hidden files.
const objectPath = /^\/object\/(?<bucket>products|banners|receipts)\/[a-z0-9][\w-]*(\/[a-z0-9][\w-]*)*\.webp$/i;
const publicPath = /^\/object\/public\/(products|banners)\/[\w./-]+$/;

export type StorageGateOptions = { isAdministrator(token: string): Promise<boolean> };

/** Everybody reads public pictures; administrators read receipts and write WebP pictures; everything else is closed. */
export async function passStorageGate(
  request: Request,
  { isAdministrator }: StorageGateOptions,
): Promise<Request | Response> {
  const url = new URL(request.url);
  const path = url.pathname.slice('/storage/v1'.length);
  if (request.method === 'OPTIONS') return request;
  if ((request.method === 'GET' || request.method === 'HEAD') && publicPath.test(path)) {
    return new Request(`${url.origin}${url.pathname}`, request); // without transformation parameters
  }

  const bucket = objectPath.exec(path)?.groups?.bucket;
  const isFile = bucket !== undefined && isSaneLength(path);
  const reads = (request.method === 'GET' || request.method === 'HEAD') && isFile && bucket === 'receipts';
  const writes = ['POST', 'PUT', 'DELETE'].includes(request.method) && isFile;
  const lists = request.method === 'POST' && /^\/object\/list\/(products|banners)$/.test(path);
  const removes = request.method === 'DELETE' && /^\/object\/(products|banners|receipts)$/.test(path);
  const bulk = lists || removes;
  if (!reads && !writes && !bulk) return problem(404, 'not-offered', 'Only pictures of the shop are kept here.');

  const token = bearerToken(request.headers);
  if (!token) return problem(401, 'sign-in-required', 'Sign in as an administrator.');
  if (!(await isAdministrator(token)))
    return problem(403, 'administrators-only', 'Only administrators see receipts and change pictures.');
  if (reads) return new Request(`${url.origin}${url.pathname}`, request);
  const body = await readBody(request, MAX_UPLOAD + 64 * 1024);
  if (!body.ok) return body.response;
  if (writes && request.method !== 'DELETE') {
    const picture = await pictureIn(body.request.clone(), body.bytes);
    if (picture && picture.length > MAX_UPLOAD) return tooLarge();
    const size = picture && webpSize(picture);
    if (!picture || !size)
      return problem(
        400,
        'not-webp',
        'Pictures are uploaded as WebP: still, without metadata and with nothing else in the file.',
      );
    if (size.width * size.height > MAX_PIXELS) return tooLarge();
    // supabase-js puts the file of a form under no name, the library looks for "file": bare bytes suit both.
    const headers = new Headers(body.request.headers);
    headers.set('content-type', 'image/webp');
    return new Request(request.url, {
      method: request.method,
      headers,
      body: new Uint8Array(picture),
      signal: request.signal,
    });
  }
  if (bulk) {
    const wanted = (lists ? ListBody : RemoveBody).safeParse(jsonIn(body.bytes));
    if (!wanted.success) return problem(400, 'invalid-body', 'This is not a list of pictures.');
  }
  return body.request;
}

// Any number, the same for all nodes; prepare-database.ts and the demo's simulator have others.
const WRITERS_LOCK = 20_261_117;

/**
 * Lets those who write wait for each other, on all nodes: the library looks for a file and writes it down in two steps, and
 * fails if another request does the same in between. Requests of one node wait here, with one connection for all.
 */
export function oneWriterAtATime(sql: Sql, answer: (request: Request) => Promise<Response>): typeof answer {
  let last: Promise<unknown> = Promise.resolve();
  const alone = (request: Request) =>
    sql.begin(async (turn) => {
      await turn`select pg_advisory_xact_lock(${WRITERS_LOCK})`;
      return answer(request);
    });
  return (request) => {
    // OPTIONS is not authenticated: many of them would delay other requests.
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return answer(request);
    const turn = last.then(() => alone(request));
    last = turn.catch(() => {});
    return turn;
  };
}

/** A receipt stays with who asked for it: no cache on the way keeps it. */
export function withoutKeeping(response: Response, request: Request): Response {
  if (!new URL(request.url).pathname.startsWith('/storage/v1/object/receipts/')) return response;
  const headers = new Headers(response.headers);
  headers.set('cache-control', 'private, no-store');
  return new Response(response.body, { status: response.status, headers });
}

const tooLarge = () => problem(413, 'picture-too-large', 'A picture has at most 2 MiB and 2400 × 2400 pixels.');

const ListBody = z.looseObject({
  prefix: z.string().max(300).optional(),
  limit: z.int().min(1).max(1000).optional(),
  offset: z.int().min(0).optional(),
  sortBy: z
    .object({ column: z.enum(['name', 'created_at', 'updated_at']), order: z.enum(['asc', 'desc']) })
    .partial()
    .optional(),
});
const RemoveBody = z.object({ prefixes: z.array(z.string().max(300)).max(1000) });

// File systems keep names of 255 bytes, and the whole path lies below the files folder.
function isSaneLength(path: string): boolean {
  return path.length <= 300 && path.split('/').every((part) => part.length <= 120);
}

/** supabase-js sends files as multipart forms and bare bytes as they are. */
async function pictureIn(request: Request, bytes: Uint8Array): Promise<Uint8Array | null> {
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('image/webp')) return bytes;
  if (!type.startsWith('multipart/form-data')) return null;
  const form = await request.formData().catch(() => null);
  const files = form ? [...form.values()].filter((value) => value instanceof File) : [];
  const [file] = files;
  if (files.length !== 1 || !file || file.type !== 'image/webp') return null;
  return new Uint8Array(await file.arrayBuffer());
}
