import { formatPaise } from '../money.ts';
import { formatCalendarDay } from '../time.ts';

/** Why a code does not count, as `private.apply_offers()` returns it. */
export type CodeProblem = {
  reason: string;
  code: string;
  day?: string | undefined;
  missing_paise?: number | undefined;
  min_order_paise?: number | undefined;
  categories?: string[] | undefined;
  most?: number | undefined;
  offer?: string | undefined;
};

const sentences: Record<string, (problem: CodeProblem) => string> = {
  unknown: ({ code }) => `We don’t know the code ${code}. Check the spelling.`,
  'not-yet': ({ code, day = '' }) => `${code} can be used from ${formatCalendarDay(day)}.`,
  ended: ({ code }) => `${code} has ended.`,
  'used-up': ({ code }) => `${code} has been used up.`,
  'used-before': ({ code, most = 1 }) =>
    most === 1 ? `You’ve used ${code} already.` : `You’ve used ${code} ${most} times already.`,
  'first-order': ({ code }) => `${code} is for the first order only.`,
  'other-goods': ({ code, categories = [] }) => `${code} is for ${categories.join(', ')} only.`,
  minimum: ({ code, min_order_paise = 0, missing_paise = 0, categories = [] }) =>
    `${code} needs ${formatPaise(min_order_paise)}${categories.length > 0 ? ` of ${categories.join(', ')}` : ''}: ${formatPaise(missing_paise)} more.`,
  'no-delivery-charge': ({ code }) => `There is no delivery charge, so ${code} changes nothing.`,
  'too-small': ({ code }) => `This order is too small for ${code}.`,
  'too-many-codes': () => 'Too many unknown codes. Please try again in an hour.',
  'better-offer': ({ code, offer = '' }) => `${offer} saves you more and can’t be combined with ${code}.`,
};

/** One sentence beside the field of the code; the order itself is priced without it. */
export function codeSentence(problem: CodeProblem): string {
  return sentences[problem.reason]?.(problem) ?? `${problem.code} can’t be used for this order.`;
}
