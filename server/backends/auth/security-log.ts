import type { Sql } from 'postgres';
import { addressGroup } from '../../host/client-address.ts';
import { describeError, type Log } from '../../host/log.ts';

/** Who a request came from: the address that rate limits count, and the browser's own name for itself. */
export type Client = { address: string; userAgent: string };

export type SecurityEvent = {
  kind:
    | 'sign-in-failed'
    | 'sign-in-refused'
    | 'sign-in-limited'
    | 'logged-out'
    | 'logged-out-everywhere'
    | 'console-refused';
  userId?: string | null;
  /** A code of ours or of the library's; never user input, and never a token. */
  detail?: string;
};

export type SecurityLog = { record(event: SecurityEvent, client: Client): Promise<void> };

const WRITES_PER_MINUTE = 20;
const MAX_COUNTED = 10_000;

/**
 * Writes security events that only the host can see into private.security_events. Bounded before the database is asked: a
 * flood from one address costs it 20 statements a minute and kind, and from however many addresses 10,000.
 */
export function createSecurityLog(sql: Sql, log: Log, now: () => number = Date.now): SecurityLog {
  let minute = 0;
  let written = new Map<string, number>();

  function isAllowed(kind: string, address: string): boolean {
    const thisMinute = Math.floor(now() / 60_000);
    if (thisMinute !== minute) {
      minute = thisMinute;
      written = new Map();
    }
    const key = `${kind} ${addressGroup(address)}`;
    const count = (written.get(key) ?? 0) + 1;
    if (count > WRITES_PER_MINUTE || (count === 1 && written.size >= MAX_COUNTED)) return false;
    written.set(key, count);
    return true;
  }

  return {
    async record({ kind, userId = null, detail = '' }, { address, userAgent }) {
      if (!isAllowed(kind, address)) return;
      try {
        await sql`select private.record_security_event(${kind}, ${userId}, ${address}, ${userAgent}, ${detail})`;
      } catch (error) {
        // The answer to the request does not depend on it.
        log({ level: 'warn', event: 'security-event-not-recorded', kind, error: describeError(error) });
      }
    },
  };
}
