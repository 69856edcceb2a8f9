import type { Tone } from '#app/ui/panel.tsx';
import { paymentTitles } from '#domain/orders/payment-status.ts';
import type { OrderStatus } from '#domain/orders/status.ts';
import type { OrderRow, PaymentStatus } from './order-data.ts';

type StatusWords = {
  title: string;
  tone: Tone;
  /** On the button that brings an order there. */
  move: string;
  /** Before it is done, of one or several: 5 orders. */
  question(what: string): string;
  /** Whether customers with an account are mailed. */
  mails: boolean;
};

const words = (title: string, tone: Tone, move: string, mails = false): StatusWords => ({
  title,
  tone,
  move,
  question: (what) => `Mark ${what} as ${title.toLowerCase()}?`,
  mails,
});

export const statusWords: Record<OrderStatus, StatusWords> = {
  Pending: words('Pending', 'busy', 'Make pending', true),
  Confirmed: { ...words('Confirmed', 'busy', 'Confirm', true), question: (what) => `Confirm ${what}?` },
  Preparing: { ...words('Preparing', 'busy', 'Prepare'), question: (what) => `Start preparing ${what}?` },
  Packed: words('Packed', 'busy', 'Pack'),
  Shipped: words('Shipped', 'busy', 'Ship', true),
  Delivered: words('Delivered', 'good', 'Delivered', true),
  Undelivered: words('Undelivered', 'warn', 'Undelivered'),
  Ready: words('Ready', 'busy', 'Ready', true),
  Collected: words('Collected', 'good', 'Collected', true),
  canceled: words('Canceled', 'bad', 'Cancel', true),
  Refunded: words('Refunded', 'bad', 'Refund'),
};

export const paymentWords: Record<PaymentStatus, { title: string; tone: Tone }> = {
  unpaid: { title: paymentTitles.unpaid, tone: 'warn' },
  paid: { title: paymentTitles.paid, tone: 'good' },
  paid_offline: { title: paymentTitles.paid_offline, tone: 'good' },
  refund_pending: { title: paymentTitles.refund_pending, tone: 'busy' },
  partially_refunded: { title: paymentTitles.partially_refunded, tone: 'warn' },
  refunded: { title: paymentTitles.refunded, tone: 'calm' },
  refund_failed: { title: paymentTitles.refund_failed, tone: 'bad' },
};

export const sourceWords: Record<OrderRow['source'], string> = {
  cart: 'From the cart',
  direct: 'Bought directly',
  manual: 'By phone or WhatsApp',
};

export const fulfilmentWords: Record<OrderRow['fulfilment'], string> = {
  delivery: 'Sent to the customer',
  pickup: 'Collected at the shop',
};

export const orders = (count: number) => `${count.toLocaleString('en-IN')} ${count === 1 ? 'order' : 'orders'}`;
