// Upstream: the library sets the caller's role, claims and request, a dozen settings, with a statement each, and waits for
// every result. On a busy day that made ten seconds of a console request.
// Can go when upstream-defects.test.ts, "every setting of a request is a statement of its own", fails.
import type { ReservedSql } from 'postgres';

/** For the rest of a transaction. */
export type Setting = { name: string; value: string };

const setConfig = /^select set_config\('([\w.]+)', (?:\$1|''), true\)$/i;
const rollback = /^rollback\b/i;
const CLAIMS = 'request.jwt.claims';
/** What the library gets where it does not look at the result. */
const emptyResult = Object.assign([], { command: 'SELECT', count: 0 });

/**
 * Holds settings back and sends them as one statement with the next one whose result matters; a setting that is refused
 * fails that statement. Its transaction has begun by then, so no statement runs as another caller. `ofRole` adds what comes
 * with a role; `check` is an SQL expression that runs once a token's claims are set, and fails where they are refused.
 */
export function batchSettings(
  sql: ReservedSql,
  { ofRole = () => [], check }: { ofRole?(role: string): Setting[]; check?: string } = {},
): ReservedSql {
  let pending: Setting[] = [];
  let failure: { reason: unknown } | null = null;

  function sendAhead(text: string, values: string[]): void {
    // Prepared: otherwise the driver asks for the types of the values first, and waits.
    sql.unsafe(text, values, { prepare: true }).catch((reason: unknown) => {
      failure ??= { reason };
    });
  }

  async function orFailure<T>(result: Promise<T>): Promise<T> {
    const [settled] = await Promise.allSettled([result]);
    if (failure) throw failure.reason;
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  }

  function unsafe(text: string, values: never[] = [], ...options: never[]): unknown {
    const [, name] = setConfig.exec(text) ?? [];
    if (name) {
      const value: string = values[0] ?? '';
      pending.push({ name, value });
      if (name === 'role') pending.push(...ofRole(value));
      return Promise.resolve(emptyResult);
    }
    if (rollback.test(text)) {
      pending = [];
      failure = null;
      // A lost connection has rolled back already; the caller has to know why it was lost.
      return sql.unsafe(text, values, ...options).catch((error: { code?: string }) => {
        if (error.code !== 'CONNECTION_CLOSED') throw error;
        return emptyResult;
      });
    }
    if (pending.length > 0) {
      const settings = pending.map(({ name: one }, index) => `set_config('${one}', $${index + 1}, true)`);
      const checks = check && pending.some(({ name: one }) => one === CLAIMS) ? [check] : [];
      sendAhead(
        `select ${[...settings, ...checks].join(', ')}`,
        pending.map(({ value }) => value),
      );
      pending = [];
    }
    return orFailure(sql.unsafe(text, values, ...options));
  }

  return new Proxy(sql, {
    get: (_sql, name) => (name === 'unsafe' ? unsafe : sql[name as keyof ReservedSql]),
  });
}
