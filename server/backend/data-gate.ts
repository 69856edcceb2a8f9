import { bearerToken } from '../../supabase/functions/_shared/answer.ts';
import { problem } from '../../supabase/functions/_shared/problem.ts';
import { readBody } from '../../supabase/functions/_shared/read-body.ts';
import { nestsTooDeep } from '../json-body.ts';

const MAX_BODY = 256 * 1024;
const MAX_FILE_BODY = 6 * 1024 * 1024;
const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];

export type DataGateOptions = { isAdministrator(token: string): Promise<boolean> };

/** Refuses what the library behind the Data API would choke on, or spend too long with. Rights are the database's to check. */
export async function passDataGate(request: Request, options: DataGateOptions): Promise<Request | Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (embedsTooDeep(searchParams))
    return problem(400, 'embedded-too-deep', 'At most three tables inside each other, please.');
  // In a name it would end PostgreSQL's message in the middle.
  if ([...searchParams].flat().join('').includes('\0'))
    return problem(400, 'malformed-address', 'This address is not well formed.');
  // Only with GET: to the library what another method says of a function in its address is a comparison.
  const isForFunction = request.method === 'GET' && pathname.startsWith('/rest/v1/rpc/');
  if (comparesWithNothing(searchParams, isForFunction))
    return problem(400, 'unknown-operator', 'The Data API knows no such operator.');
  if (!methods.includes(request.method))
    return problem(405, 'method-not-allowed', 'The Data API knows no such method.');
  const body = await readBody(request, await bodyLimit(request, pathname, options));
  if (!body.ok) return body.response;
  if (nestsTooDeep(body.bytes)) return problem(400, 'invalid-body', 'This is nested too deeply.');
  return body.request;
}

/** A file of products is longer than anything else that is sent, and only administrators have one to send. */
async function bodyLimit(request: Request, pathname: string, { isAdministrator }: DataGateOptions): Promise<number> {
  const isFile = pathname === '/rest/v1/rpc/admin_import_products';
  const token = isFile ? bearerToken(request.headers) : null;
  return token && (await isAdministrator(token)) ? MAX_FILE_BODY : MAX_BODY;
}

/** Tables inside tables multiply their rows; nothing of ours asks for more than two levels. */
function embedsTooDeep(query: URLSearchParams): boolean {
  return query.getAll('select').some((select) => {
    // Names in quotes may hold brackets that are none, and no name of ours needs quotes.
    if (select.includes('"') && /[()]/.test(select)) return true;
    let depth = 0;
    for (const character of select) {
      if (character === '(') depth += 1;
      else if (character === ')') depth -= 1;
      if (depth > 3 || depth < 0) return true;
    }
    return false;
  });
}

/**
 * The library looks an operator up in a plain object, and would find toString and its like there. What a function is given
 * is no comparison, and somebody may look for such a word.
 */
function comparesWithNothing(query: URLSearchParams, isForFunction: boolean): boolean {
  const single = isForFunction ? /^(?:not\.)?(\w+)\./g : /^(?:not\.)?(\w+)/g;
  return [...query].some(([name, value]) => {
    const operators = /^(not\.)?(and|or)$/.test(name)
      ? value.matchAll(/[(,][^.(,]*\.(?:not\.)?(\w+)/g)
      : value.matchAll(single);
    return [...operators].some(([, operator = '']) => operator in Object.prototype);
  });
}
