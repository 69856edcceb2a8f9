import { isSqlMistake } from '#domain/sql-mistakes.ts';

export type Refusal = {
  ok: false;
  /** refused: by a rule, and `field` may say where; stale: somebody was faster; failed: nobody knows. */
  reason: 'refused' | 'stale' | 'failed';
  field: string | null;
  message: string;
};

export type Failure = { code?: string; message: string; details?: string | null };

export const changedMeanwhile: Refusal = {
  ok: false,
  reason: 'stale',
  field: null,
  message: 'Somebody changed this meanwhile. Look at it again before saving.',
};

export const notLoggedIn: Refusal = {
  ok: false,
  reason: 'failed',
  field: null,
  message: 'You are not logged in, so nothing was saved. Log in and save again.',
};

/** What the console says about an error response of the Data API. */
export function refusalOf(error: Failure, status: number): Refusal {
  if (error.details === 'stale') return { ...changedMeanwhile, message: error.message };
  // Our own words come with codes of our own; the database's are for engineers.
  if (error.code?.startsWith('PT'))
    return { ok: false, reason: 'refused', field: error.details || null, message: error.message };
  if (status === 401) return notLoggedIn;
  if (isSqlMistake(error.code))
    return {
      ok: false,
      reason: 'failed',
      field: null,
      message: `This is a mistake in the shop, not in what you typed. Nothing was saved. Reference: ${error.code}.`,
    };
  if (status === 0 || status >= 500)
    return { ok: false, reason: 'failed', field: null, message: 'The shop did not answer. Please try again.' };
  const message =
    error.code === '23505'
      ? 'There is already one of that name.'
      : error.code === '23503'
        ? 'Something else still needs this.'
        : 'The shop refused this. Check what you typed.';
  return { ok: false, reason: 'refused', field: null, message };
}
