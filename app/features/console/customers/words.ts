import { formatDay, instantFrom } from '#domain/time.ts';

/** The day of a moment that came from the database. */
export function daySaid(moment: string): string {
  const instant = instantFrom(moment);
  return instant ? formatDay(instant) : '';
}

const payments: Partial<Record<string, string>> = {
  unpaid: 'unpaid',
  refund_pending: 'refund in progress',
  partially_refunded: 'partly refunded',
  refunded: 'refunded',
  refund_failed: 'refund failed',
};
/** Empty where there is nothing to say: it is paid. */
export const paymentSaid = (status: string): string => payments[status] ?? '';

/** 12 kg 500 g, or 3 pieces. */
export function amountSaid({ grams, pieces }: { grams: number | null; pieces: number | null }): string {
  const weight = grams === null ? '' : `${(grams / 1000).toLocaleString('en-IN', { maximumFractionDigits: 2 })} kg`;
  const count = pieces === null ? '' : `${pieces.toLocaleString('en-IN')} ${pieces === 1 ? 'piece' : 'pieces'}`;
  return [weight, count].filter(Boolean).join(' and ');
}
