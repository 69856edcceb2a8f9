import type { Tone } from '#app/ui/badge.tsx';
import type { OpenRefund, RefundSpeed } from '#contracts/console/refunds.ts';
import { moment } from '../order-words.ts';

export type Standing = { title: string; tone: Tone; text: string };

type Known = Pick<OpenRefund, 'state' | 'attempts' | 'accepted_at' | 'next_try_at' | 'failed_at' | 'failure'>;

/** A refund is tried five times; private.record_refund() is the rule. */
const mostAttempts = 5;

/** Where an open refund is, and what happens next or what is to be done. */
export function standingOf(refund: Known, now: Date): Standing {
  const { state, attempts, accepted_at, next_try_at } = refund;
  switch (state) {
    case 'queued':
      return { title: 'Queued', tone: 'waiting', text: 'Waiting to be sent to the payment provider.' };
    case 'accepted':
      return {
        title: 'With the provider',
        tone: 'busy',
        text: `${accepted_at ? `Accepted by the payment provider on ${moment(accepted_at)}` : 'Accepted by the payment provider'}. Not confirmed by the bank yet; we check every hour.`,
      };
    case 'retrying': {
      const isLater = next_try_at !== null && Date.parse(next_try_at) > now.getTime();
      return {
        title: 'Trying again',
        tone: 'warn',
        text: `${failureOf(refund)} Attempt ${attempts} of ${mostAttempts} ${isLater ? `on ${moment(next_try_at)}` : 'is due now'}.`,
      };
    }
    case 'failed':
      return {
        title: 'Failed',
        tone: 'bad',
        text: `${failureOf(refund)} It isn’t tried again automatically: retry it, or pay it back by hand and record it.`,
      };
    case 'by-hand':
      return {
        title: 'Pay back by hand',
        tone: 'warn',
        text: 'The order was paid offline and cancelled. Pay the money back and record it here.',
      };
  }
}

function failureOf({ failed_at, failure }: Known): string {
  const reason = failure.trim().replace(/\.$/, '');
  return `Failed${failed_at ? ` on ${moment(failed_at)}` : ''}: ${reason || 'the bank gave no reason'}.`;
}

const counted = (count: number, what: string) => `${count.toLocaleString('en-IN')} ${what}${count === 1 ? '' : 's'}`;

/** 1.5 days; less than a day is the same day. */
export function tookWords(days: number): string {
  if (days === 0) return 'the same day';
  return `${days.toLocaleString('en-IN', { maximumFractionDigits: 1 })} ${days === 1 ? 'day' : 'days'}`;
}

/** How quickly money went back lately; null: nothing did. */
export function speedWords({ count, in_time, median_days }: RefundSpeed): string | null {
  if (count === 0 || median_days === null) return null;
  const share = Math.floor((100 * in_time) / count);
  const half =
    median_days === 0 ? 'Half of them went back the same day' : `Half of them took ${tookWords(median_days)} or less`;
  return `${counted(count, 'refund')} in the last 90 days. ${half}; ${share}% within 7 business days.`;
}
