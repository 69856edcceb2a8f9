import type { Database } from '#database-types';
import { type Paise, paise } from '#domain/money.ts';
import { formatStep, instantFrom } from '#domain/time.ts';

export type RefundRow = Database['public']['Functions']['my_refunds']['Returns'][number];

/** Money on its way back. */
export type Refund = {
  id: string;
  /** null: the payment never became an order. */
  orderId: string | null;
  amountPaise: Paise;
  state: 'under-way' | 'done' | 'failed';
  reason: string;
  askedAt: Date | null;
  doneAt: Date | null;
};

export function refundsFrom(rows: readonly RefundRow[]): Refund[] {
  return rows.map((row) => ({
    id: row.id ?? '',
    orderId: row.order_id,
    amountPaise: paise(Number(row.amount_paise ?? 0)),
    state: row.status === 'processed' ? 'done' : row.status === 'failed' ? 'failed' : 'under-way',
    reason: row.reason ?? '',
    askedAt: instantFrom(row.created_at ?? ''),
    doneAt: instantFrom(row.processed_at ?? ''),
  }));
}

const titles: Record<Refund['state'], string> = {
  'under-way': 'Refund on its way',
  done: 'Refunded',
  failed: 'Refund delayed',
};

export const refundTitle = ({ state }: Refund): string => titles[state];

/** When it was asked for, when it was done, and what happens next. */
export function refundLines({ state, askedAt, doneAt }: Refund): string[] {
  const asked = askedAt ? `Requested on ${formatStep(askedAt)}` : null;
  const done = state === 'done' && doneAt ? `Sent on ${formatStep(doneAt)}` : null;
  const next: Record<Refund['state'], string> = {
    'under-way': 'You’ll get your money back within 7 business days.',
    done: 'Your bank may take up to 7 business days to show it.',
    failed: 'It hasn’t gone through yet. We’re looking into it; you don’t need to do anything.',
  };
  return [asked, done, next[state]].filter((line) => line !== null);
}
