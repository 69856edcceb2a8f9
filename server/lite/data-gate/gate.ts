import { bearerToken } from '../../../supabase/functions/_shared/handle-request.ts';
import { readBytes } from '../../../supabase/functions/_shared/read-body.ts';
import type { Catalogue } from './catalogue.ts';
import { type BodyLimits, ordinaryBody, productFile } from './limits.ts';
import { parseRequest } from './parse-request.ts';
import { Refusal } from './refusal.ts';
import { writeRequest } from './write-request.ts';

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];

export type DataGateOptions = { catalogue: Catalogue; isAdministrator(token: string): Promise<boolean> };

/**
 * The gate in front of the library of the Data API: a request that can be parsed is passed on, rewritten from what was
 * understood, everything else is refused. What a role may do is the database's to decide.
 */
export async function passDataGate(
  request: Request,
  { catalogue, isAdministrator }: DataGateOptions,
): Promise<Request | Response> {
  const url = new URL(request.url);
  if (!methods.includes(request.method)) return new Refusal(405, 'PGRST117', 'Unsupported HTTP method').toResponse();
  const bodyLimits = await limitsFor(request, url.pathname, isAdministrator);
  const body = await readBytes(request, bodyLimits.bytes);
  if (!body.ok) return body.response;
  const { method, headers, signal } = request;
  try {
    const sent = { method, url, headers, body: body.bytes ?? new Uint8Array(), bodyLimits };
    return writeRequest(parseRequest(sent, catalogue), url.origin, signal);
  } catch (error) {
    if (error instanceof Refusal) return error.toResponse();
    throw error;
  }
}

/** A file of products is longer than anything else that is sent, and only administrators have one to send. */
async function limitsFor(
  request: Request,
  pathname: string,
  isAdministrator: DataGateOptions['isAdministrator'],
): Promise<BodyLimits> {
  const token = pathname === '/rest/v1/rpc/admin_import_products' ? bearerToken(request.headers) : null;
  return token && (await isAdministrator(token)) ? productFile : ordinaryBody;
}
