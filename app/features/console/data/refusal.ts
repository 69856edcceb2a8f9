import type { ArgsOf, Contract } from '#contracts/contract.ts';
import { isSqlProgrammingError } from '#domain/sql-programming-errors.ts';

export type Refusal = {
  ok: false;
  /** refused: by a rule, `field` may say where; stale: changed by someone else first; failed: unknown. */
  reason: 'refused' | 'stale' | 'failed';
  field: string | null;
  message: string;
};

export type Failure = { code?: string; message: string; details?: string | null };

export const changedMeanwhile: Refusal = {
  ok: false,
  reason: 'stale',
  field: null,
  message: 'Changed by someone else. Check the latest version before you save.',
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
  if (isSqlProgrammingError(error.code))
    return {
      ok: false,
      reason: 'failed',
      field: null,
      message: `Something went wrong on our side and nothing was saved. Please try again. Reference: ${error.code}.`,
    };
  if (status === 0 || status >= 500)
    return {
      ok: false,
      reason: 'failed',
      field: null,
      message: 'The shop didn’t respond. Check your connection and try again.',
    };
  const message =
    error.code === '23505'
      ? 'This name is already in use. Choose another one.'
      : error.code === '23503'
        ? 'It is still in use, so it can’t be deleted.'
        : 'This couldn’t be saved. Check your entries and try again.';
  return { ok: false, reason: 'refused', field: null, message };
}

/**
 * The arguments of a change as its contract takes them. What it does not take was never sent: the form has a mistake, not the
 * connection. `field` is what it names innermost; a form without such a field shows the sentence itself.
 */
export function checkArgs<C extends Contract>(
  { name, args: schema }: C,
  args: ArgsOf<C>,
): { ok: true; value: Record<string, unknown> } | Refusal {
  const checked = schema.safeParse(args);
  if (checked.success) return { ok: true, value: checked.data };
  console.warn(`${name}: arguments that its contract does not take`, checked.error);
  const field = checked.error.issues[0]?.path.findLast((part) => typeof part === 'string') ?? null;
  return {
    ok: false,
    reason: 'refused',
    field,
    message: 'This can’t be saved like this, so nothing was sent. Check it and try again.',
  };
}
