import type { Sql } from 'postgres';
import type { Client } from '../../backends/auth/security-log.ts';
import { authError } from './auth-error.ts';

/** What the library reports for a code that does not exist, any more or at all. */
const USED_UP = 'flow_state_not_found';

type Exchange = {
  code: string;
  client: Client;
  /** The library's exchange. */
  run(): Promise<Response>;
  reasonOf(response: Response): Promise<string | null>;
  sessionOf(response: Response): Promise<string | null>;
};

/**
 * Exchanges an authorization code for tokens, and ends the session of a code that is used again: one of the two who brought
 * it stole it. On several nodes at once, too: the database knows which code opened which session.
 */
export async function exchangeCode(sql: Sql, { code, client, run, reasonOf, sessionOf }: Exchange): Promise<Response> {
  const { address, userAgent } = client;
  await sql`select private.record_code(${code})`;
  const response = await run();
  if ((await reasonOf(response)) === USED_UP)
    await sql`select private.report_reused_code(${code}, ${address}, ${userAgent})`;
  const sessionId = response.ok ? await sessionOf(response) : null;
  if (sessionId === null) return response;
  const [bound] = await sql<{ kept: boolean }[]>`
    select private.bind_code(${code}, ${sessionId}, ${address}, ${userAgent}) as kept`;
  return bound?.kept ? response : authError(404, USED_UP, 'invalid flow state, no valid flow state found');
}
