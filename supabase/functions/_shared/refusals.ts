import { dayRefusal, type RefusedDay } from '../../../domain/delivery/delivery-calendar.ts';
import { closedSentence, spoiledSentences, unreachableSentence } from '../../../domain/delivery/delivery-messages.ts';
import { missingWarning } from '../../../domain/profile.ts';
import type { Refusal } from '../../contracts/checkout.ts';
import { type ProblemLine, problem } from './problem.ts';

const sentences: Record<string, [status: number, sentence: (refusal: Refusal) => string]> = {
  'too-many-quotes': [429, () => 'Too many requests. Please wait a minute and try again.'],
  'too-many-checkouts': [429, () => 'Too many attempts to pay. Please wait a minute and try again.'],
  'unknown-product': [404, () => 'One of your items is no longer available.'],
  'not-available': [409, ({ product }) => `${product} isn’t available right now.`],
  'size-not-offered': [400, ({ product }) => `${product} comes in one size only.`],
  'box-not-offered': [409, () => 'This box is no longer available.'],
  'box-not-full': [409, ({ box }) => `${box} has other places now. Change your box.`],
  'not-in-boxes': [409, ({ product }) => `${product} can’t be packed in a box any more. Change your box.`],
  'too-many': [400, () => 'Limit 25 per item and size.'],
  'too-heavy': [409, () => 'One order can weigh at most 30 kg. Please split it, or write to us for a bulk order.'],
  'pickup-not-offered': [409, () => 'Only takeaway items can be picked up at the counter.'],
  'outside-zones': [409, ({ pincode }) => `We don’t deliver to ${pincode} yet.`],
  'would-spoil': [409, ({ spoiled = [], pincode = '' }) => spoiledSentences(spoiled, pincode)],
  closed: [409, () => closedSentence],
  'day-past': [409, (refusal) => daySentence('day-past', refusal)],
  'day-too-far': [409, (refusal) => daySentence('day-too-far', refusal)],
  'day-off': [409, (refusal) => daySentence('day-off', refusal)],
  'day-closed': [409, (refusal) => daySentence('day-closed', refusal)],
  'day-too-soon': [409, (refusal) => daySentence('day-too-soon', refusal)],
  'day-cutoff-passed': [409, (refusal) => daySentence('day-cutoff-passed', refusal)],
  'not-enough-stock': [409, (refusal) => stockSentence(refusal)],
  'no-quote': [409, () => 'This amount doesn’t match your totals. Please calculate them again.'],
  'amount-mismatch': [409, () => 'The amount doesn’t match your totals. Please calculate them again.'],
  'ambiguous-amount': [409, () => 'Two of your carts have the same total. Please calculate the totals again.'],
  'offer-changed': [409, () => 'An offer has changed. Please calculate the totals again.'],
  'quote-expired': [409, () => 'These totals have expired. Please calculate them again.'],
  'already-paid': [409, () => 'This is already paid. You’ll find it in your order history.'],
  blocked: [403, () => 'We can’t take orders from this account. Please write to us.'],
  'address-incomplete': [
    409,
    ({ missing_phone = false, missing_address = false }) =>
      missingWarning(missing_phone, missing_address) ?? 'Update address',
  ],
  'gift-is-delivered': [409, () => 'A gift is sent to somebody. Choose delivery, or switch off “Send as a gift”.'],
  'wrong-rows': [409, () => 'Some recipients need a correction.'],
  'prices-changed': [409, () => 'Prices or delivery days have changed. Please check them again.'],
  'group-is-short': [409, () => 'There isn’t enough stock for all recipients.'],
  'first-group-too-heavy': [
    409,
    ({ limit_grams = 0 }) =>
      `A first order can hold at most ${limit_grams / 1000} kg. Log in with an account that has ordered before, or write to us and we’ll arrange it.`,
  ],
  'too-many-unpaid-groups': [
    409,
    () =>
      'You’ve opened two lists in the last 24 hours without paying. Try again tomorrow, or write to us. Nothing was charged.',
  ],
  'unpaid-groups-of-address': [
    409,
    () =>
      'Another large order from your network isn’t paid yet. Try again in 10 minutes, log in with an account that has ordered before, or write to us. Nothing was charged.',
  ],
  'too-many-first-groups': [
    409,
    () =>
      'We’re reserving other large first orders right now. Try again in 10 minutes, or write to us. Nothing was charged.',
  ],
  'address-changed': [409, () => 'Your address has changed. Please calculate the totals again.'],
};

export function refuse(refusal: Refusal): Response {
  const [status, message] = statusAndSentence(refusal);
  const headers = status === 429 ? { 'retry-after': '60' } : undefined;
  return problem(status, refusal.reason, message, headers, linesOf(refusal, message));
}

export function statusAndSentence(refusal: Refusal): [status: number, sentence: string] {
  const [status, sentence] = sentences[refusal.reason] ?? [409, () => 'Something went wrong. Please try again.'];
  return [status, sentence(refusal)];
}

/** The rejected products or boxes, each with its message: the others can be ordered without them. */
function linesOf({ spoiled, pincode = '', product_id, box_id }: Refusal, message: string): ProblemLine[] | undefined {
  if (spoiled)
    return spoiled.map((one) => ({ product_id: one.product_id, message: unreachableSentence(one, pincode) }));
  if (box_id !== undefined) return [{ box_id, message }];
  return product_id === undefined ? undefined : [{ product_id, message }];
}

function daySentence(
  reason: RefusedDay['reason'],
  { day = '', closure, festival, order_by, last_day }: Refusal,
): string {
  return dayRefusal({ reason, day, closure, festival, orderBy: order_by, lastDay: last_day });
}

function stockSentence({ product, left = 0, unit }: Refusal): string {
  if (left <= 0) return `${product} has just sold out.`;
  return unit === 'g' ? `Only ${left} g of ${product} left in stock.` : `Only ${left} of ${product} left in stock.`;
}
