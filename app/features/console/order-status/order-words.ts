import type { Tone } from '#app/ui/panel.tsx';
import { type PaymentStatus, paymentTitles } from '#domain/orders/payment-status.ts';
import type { OrderStatus } from '#domain/orders/status.ts';
import { canBeUndone } from '#domain/orders/undo.ts';

type StatusWords = {
  title: string;
  /** On the button that brings an order there, on its own page. */
  move: string;
  /** The same where many orders stand below one another. */
  shortMove: string;
  /** Before it is done, of one or several: 5 orders. */
  question(what: string): string;
  /** After it got there: order 1042 is … */
  done: string;
};

const words = (title: string, move: string, shortMove: string): StatusWords => ({
  title,
  move,
  shortMove,
  question: (what) => `Mark ${what} as ${title.toLowerCase()}?`,
  done: title.toLowerCase(),
});

export const statusWords: Record<OrderStatus, StatusWords> = {
  Pending: words('Pending', 'Mark as pending', 'Mark as pending'),
  Confirmed: { ...words('Confirmed', 'Confirm', 'Confirm'), question: (what) => `Confirm ${what}?` },
  Preparing: {
    ...words('Preparing', 'Start preparing', 'Prepare'),
    question: (what) => `Start preparing ${what}?`,
    done: 'being prepared',
  },
  Packed: words('Packed', 'Mark as packed', 'Pack'),
  Shipped: words('Shipped', 'Ship', 'Ship'),
  Delivered: words('Delivered', 'Mark as delivered', 'Mark delivered'),
  Undelivered: words('Undelivered', 'Mark as undelivered', 'Mark undelivered'),
  Ready: words('Ready', 'Mark as ready', 'Mark ready'),
  Collected: words('Collected', 'Mark as collected', 'Mark collected'),
  canceled: words('Cancelled', 'Cancel order', 'Cancel'),
  Refunded: words('Refunded', 'Mark as refunded', 'Refund'),
};

/** Said before an order is moved. */
export function undoWords(to: OrderStatus): string {
  if (canBeUndone(to)) return 'You can undo this for a minute.';
  return to === 'Packed' ? 'This issues the invoice and can’t be undone.' : 'This can’t be undone.';
}

export const paymentWords: Record<PaymentStatus, { title: string; tone: Tone }> = {
  unpaid: { title: paymentTitles.unpaid, tone: 'warn' },
  paid: { title: paymentTitles.paid, tone: 'good' },
  paid_offline: { title: paymentTitles.paid_offline, tone: 'good' },
  refund_pending: { title: paymentTitles.refund_pending, tone: 'busy' },
  partially_refunded: { title: paymentTitles.partially_refunded, tone: 'warn' },
  refunded: { title: paymentTitles.refunded, tone: 'calm' },
  refund_failed: { title: paymentTitles.refund_failed, tone: 'bad' },
};

export const ordersInWords = (count: number) => `${count.toLocaleString('en-IN')} ${count === 1 ? 'order' : 'orders'}`;
