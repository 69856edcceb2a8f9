import { formatPaise } from '../money.ts';
import { formatDate } from '../time.ts';
import type { Offer } from './offer.ts';

/** What an offer gives: "10% off, up to ₹200". */
export function whatItGives({
  kind,
  percent,
  amountPaise,
  maxDiscountPaise,
}: Pick<Offer, 'kind' | 'percent' | 'amountPaise' | 'maxDiscountPaise'>): string {
  if (kind === 'free-delivery') return 'Free delivery';
  if (kind === 'amount') return `${formatPaise(amountPaise ?? 0)} off`;
  return `${percent ?? 0}% off${maxDiscountPaise === null ? '' : `, up to ${formatPaise(maxDiscountPaise)}`}`;
}

export type Conditions = {
  minOrderPaise: number;
  categories: readonly string[];
  isFirstOrderOnly: boolean;
  maxUsesPerCustomer: number | null;
  combines: boolean;
};

/** Who gets it and for what, in few words; empty: everyone, for everything. */
export function conditionsOf(offer: Conditions): string[] {
  const { minOrderPaise, categories, isFirstOrderOnly, maxUsesPerCustomer, combines } = offer;
  return [
    minOrderPaise > 0 && `from ${formatPaise(minOrderPaise)}`,
    categories.length > 0 && categories.join(', '),
    isFirstOrderOnly && 'first order',
    maxUsesPerCustomer !== null &&
      (maxUsesPerCustomer === 1 ? 'once per customer' : `${maxUsesPerCustomer} times per customer`),
    combines && 'combines',
  ].filter((words) => words !== false);
}

/** When it can be used; both days are in it. */
export function datesOf(fromDay: string, untilDay: string | null): string {
  return untilDay === null ? `from ${formatDate(fromDay)}` : `${formatDate(fromDay)} to ${formatDate(untilDay)}`;
}
