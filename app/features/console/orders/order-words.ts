import type { Tone } from '#app/ui/badge.tsx';
import { type OrderLine, offlineMethods, type Refund } from '#contracts/console/order.ts';
import { formatGrams } from '#domain/catalog/weight.ts';
import { formatMoment, instantFrom } from '#domain/time.ts';

export const moment = (text: string) => {
  const instant = instantFrom(text);
  return instant ? formatMoment(instant) : '';
};

export const offlineWords: Record<(typeof offlineMethods)[number], string> = {
  cash: 'Cash',
  upi: 'UPI',
  card: 'Card',
  bank: 'Bank transfer',
};

/** How money was paid back by hand; before it was recorded: just that. */
export function handWords(method: string | null): string {
  const known = offlineMethods.find((one) => one === method);
  return known ? offlineWords[known] : 'not recorded how';
}

const providerMethods: Record<string, string> = {
  upi: 'UPI',
  card: 'Card',
  netbanking: 'Netbanking',
  wallet: 'Wallet',
  emi: 'EMI',
};
export const methodWords = (method: string | null) => (method ? (providerMethods[method] ?? method) : 'Online');

const mailWords: Record<string, string> = {
  'order-placed': 'Order placed',
  'order-confirmed': 'Confirmed',
  'order-shipped': 'Shipped',
  'order-ready': 'Ready for pick-up',
  'order-delivered': 'Delivered or collected',
  'order-canceled': 'Cancelled',
  'refund-started': 'Refund started',
  'refund-processed': 'Refund sent',
  'refund-delayed': 'Refund delayed',
  'group-placed': 'Group order placed',
  'gift-on-its-way': 'Gift on its way, to the recipient',
  'claim-received': 'Claim received',
  'claim-answered': 'Claim answered',
  'claim-decided': 'Claim decided',
  'claim-sent': 'Replacement sent',
};
export const mailTitle = (template: string) => mailWords[template] ?? template;

export const refundWords: Record<Refund['status'], { title: string; tone: Tone }> = {
  queued: { title: 'Queued', tone: 'busy' },
  pending: { title: 'With the provider', tone: 'busy' },
  processed: { title: 'Refunded', tone: 'good' },
  failed: { title: 'Failed', tone: 'bad' },
};

const refundReasons: Record<string, string> = {
  'order canceled': 'The order was cancelled',
  'order refunded': 'The order was refunded',
  'sold-out': 'Sold out before the payment arrived',
  'wrong-amount': 'The amount paid didn’t match the order',
  'second-payment': 'Paid twice',
  'given-back': 'Refunded at the payment provider',
  other: 'Other reason',
};

/** Why a refund was made: as an administrator wrote it, or as the shop knows it. */
export const refundReason = ({ note, reason }: Pick<Refund, 'note' | 'reason'>) =>
  note || (refundReasons[reason] ?? reason);

/** How much of a sweet: 2 × 500 g, or 3 pieces. */
export function amountOf({ quantity, size, has_size }: Pick<OrderLine, 'quantity' | 'size' | 'has_size'>): string {
  if (has_size) return `${quantity} × ${formatGrams(size)}`;
  return `${quantity} ${quantity === 1 ? 'piece' : 'pieces'}`;
}

/** How often a customer ordered, worded as on the customer's page. */
export function ordersOf({ orders, canceled }: { orders: number; canceled: number }): string {
  if (orders + canceled === 1) return 'first order';
  const standing = `${orders.toLocaleString('en-IN')} ${orders === 1 ? 'order' : 'orders'}`;
  return canceled > 0 ? `${standing} and ${canceled.toLocaleString('en-IN')} cancelled` : standing;
}
