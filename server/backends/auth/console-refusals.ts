import { bearerToken } from '../../../supabase/functions/_shared/handle-request.ts';
import type { Client, SecurityLog } from './security-log.ts';
import type { Caller } from './verify-token.ts';

type Options = { verifyToken(token: string): Promise<Caller | null>; securityLog: SecurityLog };

// What only administrators call, by the name that goes into the security log.
const forAdministrators = /^\/rest\/v1\/rpc\/(admin_\w{1,100})$|^\/functions\/v1\/(exportCsv)$/;
const uploads = /^\/storage\/v1\/object\//;

/** Records a call that only administrators may make, by a user who is none. In SQL a rollback would lose it. */
export async function recordRefusal(
  request: Request,
  response: Response,
  client: Client,
  { verifyToken, securityLog }: Options,
): Promise<void> {
  if (response.status !== 401 && response.status !== 403) return;
  const { pathname } = new URL(request.url);
  const [, rpc, edgeFunction] = forAdministrators.exec(pathname) ?? [];
  const isUpload = uploads.test(pathname) && ['POST', 'PUT', 'DELETE'].includes(request.method);
  const detail = rpc ?? edgeFunction ?? (isUpload ? 'upload' : null);
  if (detail === null) return;
  const token = bearerToken(request.headers);
  const caller = token ? await verifyToken(token) : null;
  // An expired token or an ended session, of an administrator perhaps.
  if (token && (!caller || response.status === 401)) return;
  await securityLog.record({ kind: 'console-refused', userId: caller?.userId ?? null, detail }, client);
}
