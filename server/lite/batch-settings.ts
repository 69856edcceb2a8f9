import type { ReservedSql } from 'postgres';

/** For the rest of a transaction. */
export type Setting = { name: string; value: string };

const setting = /^select set_config\('([\w.]+)', (?:\$1|''), true\)$/i;
const rollback = /^rollback\b/i;
const CLAIMS = 'request.jwt.claims';
/** What the library is told where it does not look at the answer. */
const nothing = Object.assign([], { command: 'SELECT', count: 0 });

/**
 * The library sets a dozen settings for a request, who asks among them, each with a question of its own, and waits for every
 * answer. A busy shop turns to each of them late: on a full day that made ten seconds of a console's request. Here they go
 * along with the first question whose answer matters, and when one is refused that question fails. The transaction they are
 * set in has begun for certain by then, so nothing is ever asked as somebody else. `ofRole` adds what a role brings along;
 * `check` is an SQL expression that runs as soon as the claims of a token are set, and fails where these are refused.
 */
export function settingsAlong(
  sql: ReservedSql,
  { ofRole = () => [], check }: { ofRole?(role: string): Setting[]; check?: string } = {},
): ReservedSql {
  let kept: Setting[] = [];
  let failure: { reason: unknown } | null = null;

  function sendAhead(text: string, values: string[]): void {
    // Prepared: otherwise the driver asks for the types of the values first, and waits.
    sql.unsafe(text, values, { prepare: true }).catch((reason: unknown) => {
      failure ??= { reason };
    });
  }

  async function orFailure<T>(answer: Promise<T>): Promise<T> {
    const [settled] = await Promise.allSettled([answer]);
    if (failure) throw failure.reason;
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  }

  function unsafe(text: string, values: never[] = [], ...options: never[]): unknown {
    const [, name] = setting.exec(text) ?? [];
    if (name) {
      const value: string = values[0] ?? '';
      kept.push({ name, value });
      if (name === 'role') kept.push(...ofRole(value));
      return Promise.resolve(nothing);
    }
    if (rollback.test(text)) {
      kept = [];
      failure = null;
      // A lost connection has taken everything back already; why it was lost is what the caller has to know.
      return sql.unsafe(text, values, ...options).catch((error: { code?: string }) => {
        if (error.code !== 'CONNECTION_CLOSED') throw error;
        return nothing;
      });
    }
    if (kept.length > 0) {
      const settings = kept.map(({ name: one }, index) => `set_config('${one}', $${index + 1}, true)`);
      const checks = check && kept.some(({ name: one }) => one === CLAIMS) ? [check] : [];
      sendAhead(
        `select ${[...settings, ...checks].join(', ')}`,
        kept.map(({ value }) => value),
      );
      kept = [];
    }
    return orFailure(sql.unsafe(text, values, ...options));
  }

  return new Proxy(sql, {
    get: (_sql, name) => (name === 'unsafe' ? unsafe : sql[name as keyof ReservedSql]),
  });
}
