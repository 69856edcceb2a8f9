import type { ToldProblem } from './quote-available-lines.ts';

/** Why the amounts of an order are not known. `sentence` is the server's own, where the customer can mend it. */
export type QuoteProblem =
  | { reason: 'signed-out' }
  | { reason: 'no-token' }
  | { reason: 'no-pincode' }
  | { reason: 'offline' }
  /** Each line has its own reason. */
  | { reason: 'none-left' }
  | {
      reason: 'failed';
      sentence: string | null;
      /** Another address would do. */
      isAddress?: true;
      /** Another delivery day would do. */
      isDay?: true;
      /** The products to blame; the rest could be had without them. */
      lines?: ToldProblem[];
    };

export type Refusal = {
  status: number;
  code: string;
  message: string | null;
  lines?: { product_id?: number; box_id?: number; message: string }[];
};

const totals: Record<QuoteProblem['reason'], string> = {
  'signed-out': 'You need to log in to calculate totals.',
  'no-token': 'Failed to retrieve access token. Please log in again.',
  offline: 'You’re offline. We’ll calculate tax and delivery once you’re back online.',
  'no-pincode': 'Please update your address with a valid pincode to calculate shipping.',
  'none-left': 'These items can’t be ordered right now. Remove them, or change your address.',
  failed: 'Could not calculate totals. Please try again.',
};

/** One sentence: the server's own where it tells the customer what to do. */
export const totalsMessage = (problem: QuoteProblem): string =>
  (problem.reason === 'failed' && problem.sentence) || totals[problem.reason];

const mendable = new Set([
  'outside-zones',
  'would-spoil',
  'closed',
  'day-past',
  'day-too-far',
  'day-off',
  'day-closed',
  'day-too-soon',
  'day-cutoff-passed',
  'not-enough-stock',
  'not-available',
  'unknown-product',
  'box-not-offered',
  'box-not-full',
  'not-in-boxes',
  'size-not-offered',
  'too-many',
  'too-heavy',
  'pickup-not-offered',
  'too-many-quotes',
]);

/** Maps a rejected or failed getShippingPrice to what the customer can do. */
export function quoteProblem({ status, code, message, lines }: Refusal): QuoteProblem {
  if (status === 401) return { reason: 'no-token' };
  if (code === 'invalid-pincode') return { reason: 'no-pincode' };
  return {
    reason: 'failed',
    sentence: mendable.has(code) ? message : null,
    ...(code === 'outside-zones' || code === 'would-spoil' ? { isAddress: true } : {}),
    ...(code.startsWith('day-') ? { isDay: true } : {}),
    ...(lines ? { lines: lines.map(toldProblem) } : {}),
  };
}

const toldProblem = ({ product_id, box_id, message }: NonNullable<Refusal['lines']>[number]): ToldProblem => ({
  ...(product_id !== undefined && { productId: product_id }),
  ...(box_id !== undefined && { boxId: box_id }),
  sentence: message,
});

/** Maps a rejected or failed createOrder to the next step. */
export type OrderProblem =
  | { next: 'quote-again' }
  /** The pending payment was paid. */
  | { next: 'show-order' }
  | { next: 'complete-address'; text: string }
  /** The products are not available, so there is no price either. */
  | { next: 'change-goods'; text: string; sentence: string | null }
  | { next: 'stop'; kind: 'warning' | 'error'; text: string; sentence: string | null };

const staleQuote = [
  'quote-expired',
  'offer-changed',
  'no-quote',
  'address-changed',
  'amount-mismatch',
  'ambiguous-amount',
];
const outOfReach = ['not-enough-stock', 'not-available', 'unknown-product'];

export function orderProblem({ status, code, message }: Refusal): OrderProblem {
  const stop = (kind: 'warning' | 'error', text: string, sentence = message): OrderProblem => ({
    next: 'stop',
    kind,
    text,
    sentence,
  });
  if (staleQuote.includes(code)) return { next: 'quote-again' };
  if (code === 'address-incomplete') return { next: 'complete-address', text: message ?? 'Update address' };
  if (code === 'already-paid') return { next: 'show-order' };
  if (outOfReach.includes(code))
    return { next: 'change-goods', text: 'Failed to add items to the order. Please try again.', sentence: message };
  if (status === 401) return stop('warning', purchaseMessages.signedOut, null);
  if (status === 0) return stop('error', purchaseMessages.unexpected);
  return stop('error', `Server error: ${status}`);
}

export const purchaseMessages = {
  logInFirst: 'You need to log in to proceed with the purchase.',
  offline:
    'You’re offline, so we can’t take your payment yet. Your cart is saved: press Buy Now once you’re back online.',
  unexpected: 'Something went wrong. Please try again.',
  emptied: 'Item not found in checkout.',
  listChanged: 'Your checkout was changed in another tab. Please check the new total.',
  ordered: 'Order placed successfully!',
  notPlaced: 'Failed to place order. Please try again.',
  willAppear: 'Don’t pay again: we’re confirming your payment.',
  signedOut: 'User not authenticated',
  widgetMissing: 'Payment widget not loaded',
  paymentFailed: 'Payment failed',
  dismissed: 'You closed the payment window. Your items are saved: press Buy Now to try again.',
  alreadyPaid: 'This is already paid. You’ll find it in your order history.',
  left: 'Your last payment wasn’t completed. If money was taken, your order will appear within two minutes. If not, press Buy Now again.',
  stillConfirming: 'Your payment for these items is still being confirmed. Please don’t pay again.',
  unanswered: 'Your bank hasn’t replied yet. Don’t pay again: we’re confirming your payment.',
} as const;

/** The provider rejects the payment because the order is already paid. */
export const isAlreadyPaid = (description: string | null): boolean => description === 'Order already paid';
