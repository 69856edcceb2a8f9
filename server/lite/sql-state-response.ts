// Upstream: the library responds 500 to SQL errors that are the caller's mistake, or that say the database is away.
// Can go when upstream-defects.test.ts, "a statement that took too long is a 500, and is reported with
// console.error only", fails, and supabase/tests/failed-questions.test.ts passes without this file.
import { isSqlMistake } from '../../domain/sql-mistakes.ts';
import { isDatabaseAway } from '../postgres/database-away.ts';

/** Inside a function or a trigger the caller named no column and wrote no statement: such an error is ours. */
export function isMistakeOfOurs(failure: unknown): boolean {
  const { code, where } = (failure ?? {}) as { code?: unknown; where?: unknown };
  return Boolean(where) && isSqlMistake(code);
}

/** The response that a SQL error deserves; null: it is an error of the shop. */
export function fromSqlState(failure: unknown): Response | null {
  const { code, message, detail, hint, syscall } = (failure ?? {}) as Partial<
    Record<'code' | 'message' | 'detail' | 'hint' | 'syscall', string>
  >;
  if (typeof code !== 'string') return null;
  // The driver's own refusals: a number or a list where PostgreSQL would have been given the text of a date or of a list,
  // and more values than a message carries.
  if (code === 'ERR_INVALID_ARG_TYPE' || code === 'MAX_PARAMETERS_EXCEEDED') return wrongType();
  // A picture that was deleted during its request; the database's socket would be one to connect to.
  if (code === 'ENOENT' && syscall !== 'connect') {
    return Response.json({ statusCode: '404', error: 'not_found', message: 'Object not found' }, { status: 404 });
  }
  if (isDatabaseAway(failure)) {
    const body = { code, message: 'The database is away', details: null, hint: null };
    return Response.json(body, { status: 503, headers: { 'retry-after': '5' } });
  }
  if (code === 'PT401') return Response.json({ code, message, details: null, hint: null }, { status: 401 });
  if (code === '25006') {
    const body = { code, message: 'GET and HEAD cannot write', details: null, hint: null };
    return Response.json(body, { status: 405, headers: { allow: 'POST' } });
  }
  // 55000: writing to a view; 57014: a statement that took too long
  if (!/^(0A|21|22|23|42|54|55000|57014)/.test(code)) return null;
  return Response.json(
    { code, message: message ?? 'Bad request', details: detail ?? null, hint: hint ?? null },
    { status: 400 },
  );
}

export function ourMistake(): Response {
  const body = { code: '21000', message: 'The shop failed', details: null, hint: null };
  return Response.json(body, { status: 500 });
}

function wrongType(): Response {
  const body = { code: '22P02', message: 'A value has the wrong type', details: null, hint: null };
  return Response.json(body, { status: 400 });
}
