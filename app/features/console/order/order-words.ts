import type { Tone } from '#app/ui/panel.tsx';
import { formatGrams } from '#domain/catalog/weight.ts';
import { formatPaise, paise } from '#domain/money.ts';
import { paymentTitles } from '#domain/orders/payment-status.ts';
import type { OrderStatus } from '#domain/orders/status.ts';
import { formatMoment, instantFrom } from '#domain/time.ts';
import type { Order, OrderLine, offlineMethods, paymentStatuses, Refund } from './order-data.ts';

export const rupees = (amount: number) => formatPaise(paise(amount));
export const moment = (text: string) => {
  const instant = instantFrom(text);
  return instant ? formatMoment(instant) : '';
};

type StatusWords = {
  title: string;
  tone: Tone;
  /** On the button that brings an order there. */
  move: string;
  /** After it got there. */
  done: string;
  /** Whether the customer is mailed. */
  mails: boolean;
};

const words = (title: string, tone: Tone, move: string, mails = false): StatusWords => ({
  title,
  tone,
  move,
  done: `is ${title.toLowerCase()}`,
  mails,
});

export const statusWords: Record<OrderStatus, StatusWords> = {
  Pending: words('Pending', 'busy', 'Make pending', true),
  Confirmed: words('Confirmed', 'busy', 'Confirm', true),
  Preparing: words('Preparing', 'busy', 'Start preparing'),
  Packed: words('Packed', 'busy', 'Mark as packed'),
  Shipped: words('Shipped', 'busy', 'Ship', true),
  Delivered: words('Delivered', 'good', 'Mark as delivered', true),
  Undelivered: words('Undelivered', 'warn', 'Mark as undelivered'),
  Ready: words('Ready', 'busy', 'Ready to collect', true),
  Collected: words('Collected', 'good', 'Mark as collected', true),
  canceled: words('Canceled', 'bad', 'Cancel order', true),
  Refunded: words('Refunded', 'bad', 'Mark as refunded'),
};

export const statusTitle = (status: string) => statusWords[status as OrderStatus]?.title ?? status;

export const paymentWords: Record<(typeof paymentStatuses)[number], { title: string; tone: Tone }> = {
  unpaid: { title: paymentTitles.unpaid, tone: 'warn' },
  paid: { title: paymentTitles.paid, tone: 'good' },
  paid_offline: { title: paymentTitles.paid_offline, tone: 'good' },
  refund_pending: { title: paymentTitles.refund_pending, tone: 'busy' },
  partially_refunded: { title: paymentTitles.partially_refunded, tone: 'warn' },
  refunded: { title: paymentTitles.refunded, tone: 'calm' },
  refund_failed: { title: paymentTitles.refund_failed, tone: 'bad' },
};

export const sourceWords: Record<Order['source'], string> = {
  cart: 'From the cart',
  direct: 'Bought directly',
  manual: 'By phone or WhatsApp',
};

export const offlineWords: Record<(typeof offlineMethods)[number], string> = {
  cash: 'Cash',
  upi: 'UPI',
  card: 'Card',
  bank: 'Bank transfer',
};

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
  'order-shipped': 'On its way',
  'order-ready': 'Ready to collect',
  'order-delivered': 'Delivered or collected',
  'order-canceled': 'Canceled',
  'refund-processed': 'Refund sent',
};
export const mailTitle = (template: string) => mailWords[template] ?? template;

export const refundWords: Record<Refund['status'], { title: string; tone: Tone }> = {
  queued: { title: 'Waiting', tone: 'busy' },
  pending: { title: 'At the bank', tone: 'busy' },
  processed: { title: 'Given back', tone: 'good' },
  failed: { title: 'Failed', tone: 'bad' },
};

/** Why a refund was made that nobody asked for by hand. */
export const refundReason = ({ note, reason }: Pick<Refund, 'note' | 'reason'>) =>
  note ||
  ({ 'order canceled': 'The order was canceled', 'order refunded': 'The order was refunded' }[reason] ?? reason);

/** How much of a sweet: 2 × 500 g, or 3 pieces. */
export function amountOf({ quantity, size, has_size }: Pick<OrderLine, 'quantity' | 'size' | 'has_size'>): string {
  if (has_size) return `${quantity} × ${formatGrams(size)}`;
  return `${quantity} ${quantity === 1 ? 'piece' : 'pieces'}`;
}

/** How often somebody ordered, in the words of the customer's own page. */
export function ordersOf({ orders, canceled }: { orders: number; canceled: number }): string {
  if (orders + canceled === 1) return 'first order';
  const standing = `${orders.toLocaleString('en-IN')} ${orders === 1 ? 'order' : 'orders'}`;
  return canceled > 0 ? `${standing} and ${canceled.toLocaleString('en-IN')} canceled` : standing;
}
