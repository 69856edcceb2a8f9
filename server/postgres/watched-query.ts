import postgres from 'postgres';

/** What postgres.js makes of `sql` with a text; it begins when somebody waits for it. */
export type Query = {
  executed: boolean;
  cancelled: unknown;
  strings: readonly string[];
  resolve(result: unknown): void;
  reject(reason: unknown): void;
};

export type QueryEvents = {
  /** `command`: whether it began or ended a transaction. */
  answered(command: 'begin' | 'end' | null): void;
  /** By the server, or by the driver itself. */
  failed(isFromServer: boolean): void;
};

/**
 * Tells when a query is settled. Waiting for it in the usual way would begin it, and parts of other queries
 * (`sql` inside `sql`) must never begin; so it is told by the two functions that postgres.js settles a query with.
 */
export function watchQuery(query: Query, events: QueryEvents): void {
  const { resolve, reject } = query;
  query.resolve = (result) => {
    events.answered(commandOf(query.strings[0] ?? ''));
    resolve(result);
  };
  query.reject = (reason) => {
    reject(reason); // first, so that the caller learns of the cause before its consequences
    events.failed(reason instanceof postgres.PostgresError);
  };
}

function commandOf(text: string): 'begin' | 'end' | null {
  if (/^\s*(begin|start\s+transaction)\b/i.test(text)) return 'begin';
  return /^\s*(commit|end|rollback(?!\s+to\b))\b/i.test(text) ? 'end' : null;
}
