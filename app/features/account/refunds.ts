import type { Database } from '#database-types';
import { type Paise, paise } from '#domain/money.ts';
import { calendarDay, formatCalendarDay, formatStep, formatWeekday, instantFrom } from '#domain/time.ts';

export type RefundRow = Database['public']['Functions']['my_refunds']['Returns'][number];

/** Money on its way back. */
export type Refund = {
  id: string;
  /** null: the payment never became an order. */
  orderId: string | null;
  amountPaise: Paise;
  /** retried: the bank did not take it, and it is tried again; failed: it is not, until the shop decides. */
  state: 'under-way' | 'retried' | 'done' | 'failed';
  reason: string;
  askedAt: Date | null;
  doneAt: Date | null;
  /** yyyy-mm-dd */
  dueOn: string;
  nextTryAt: Date | null;
  /** How the shop paid it back itself, and on which day; null: it was sent the way it was paid. */
  byHand: { method: string; paidOn: string } | null;
  /** The bank's, else the provider's. */
  reference: string | null;
};

export function refundsFrom(rows: readonly RefundRow[]): Refund[] {
  return rows.map((row) => ({
    id: row.id ?? '',
    orderId: row.order_id,
    amountPaise: paise(Number(row.amount_paise ?? 0)),
    state: stateOf(row),
    reason: row.reason ?? '',
    askedAt: instantFrom(row.created_at ?? ''),
    doneAt: instantFrom(row.processed_at ?? ''),
    dueOn: row.due_on ?? '',
    nextTryAt: instantFrom(row.next_try_at ?? ''),
    byHand: row.method && row.paid_on ? { method: row.method, paidOn: row.paid_on } : null,
    reference: row.reference ?? row.provider_refund_id,
  }));
}

function stateOf({ status, next_try_at }: RefundRow): Refund['state'] {
  if (status === 'processed') return 'done';
  if (status === 'failed') return 'failed';
  return next_try_at ? 'retried' : 'under-way';
}

const titles: Record<Refund['state'], string> = {
  'under-way': 'Refund on its way',
  retried: 'Refund delayed',
  done: 'Refunded',
  failed: 'Refund delayed',
};

export const refundTitle = ({ state }: Refund): string => titles[state];

const handWords: Record<string, string> = {
  cash: 'in cash',
  upi: 'by UPI',
  card: 'to your card',
  bank: 'by bank transfer',
};

/** When it was asked for, when it was sent, and what happens next. */
export function refundLines(refund: Refund, now: Date): string[] {
  const { state, askedAt, reference } = refund;
  const asked = askedAt ? `Requested on ${formatStep(askedAt)}` : null;
  return [asked, ...nextLines(refund, now), state === 'done' && reference ? `Reference ${reference}` : null].filter(
    (line) => line !== null,
  );
}

function nextLines({ state, doneAt, dueOn, nextTryAt, byHand }: Refund, now: Date): string[] {
  const due = dueOn ? formatCalendarDay(dueOn) : null;
  const isLate = dueOn !== '' && dueOn < calendarDay(now);
  const sorry = isLate ? `We promised it by ${due} and are sorry for the delay. ` : '';
  switch (state) {
    case 'under-way':
      return isLate || !due
        ? [`${sorry}We’re following it up with the bank; you don’t need to do anything.`]
        : [`We’ll send it to your bank by ${due}.`];
    case 'retried': {
      const day = nextTryAt && nextTryAt > now ? formatWeekday(nextTryAt) : null;
      return [
        `${sorry}Your bank didn’t accept it yet. We’ll try again ${day ? `on ${day}` : 'soon'}; you don’t need to do anything.`,
      ];
    }
    case 'failed':
      return [`${sorry}It hasn’t gone through. We’ll pay it back another way and contact you.`];
    case 'done': {
      if (byHand) return [`Paid back ${handWords[byHand.method] ?? 'by us'} on ${formatCalendarDay(byHand.paidOn)}`];
      return [
        doneAt ? `Sent to your bank on ${formatStep(doneAt)}` : 'Sent to your bank',
        'Banks usually take 5 to 7 business days to show it.',
      ];
    }
  }
}
