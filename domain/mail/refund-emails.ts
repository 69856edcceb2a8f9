import { formatPaise } from '../money.ts';
import { type Email, note, paragraph } from './email.ts';
import type { PaymentRefusedFacts, RefundProcessedFacts } from './facts.ts';
import { orderHistoryLink, writeToUs } from './links.ts';
import { details, reference, summary } from './order-blocks.ts';

const refusalReasons: Record<PaymentRefusedFacts['reason'], string> = {
  'sold-out': 'Something you chose sold out while you were paying, so we couldn’t place your order.',
  'offer-used-up': 'The offer you chose was used up before your payment arrived, so we couldn’t place your order.',
  'wrong-amount': 'The amount paid didn’t match the order, so we couldn’t place it.',
  'second-payment': 'Your order was already paid, so we’re refunding the second payment.',
};

export function paymentRefusedEmail({ shop, name, amountPaise, reason }: PaymentRefusedFacts): Email {
  const amount = formatPaise(amountPaise);
  return {
    subject: `We’re refunding your payment of ${amount}`,
    preheader: 'You’ll get it back within 7 business days.',
    heading: reason === 'second-payment' ? 'We’re refunding your second payment' : 'We couldn’t place your order',
    to: name,
    blocks: [
      paragraph(`${reason === 'second-payment' ? '' : 'We’re sorry. '}${refusalReasons[reason]}`),
      paragraph(
        `We’re refunding the full ${amount} to your original payment method within 7 business days. Your bank may take a few more days to show it. You don’t need to do anything.`,
      ),
      { kind: 'button', label: 'See your payments', href: orderHistoryLink(shop, null) },
      note(`Questions? Please ${writeToUs(shop)}.`),
    ],
  };
}

export function refundProcessedEmail({ shop, name, amountPaise, order, reason }: RefundProcessedFacts): Email {
  const amount = formatPaise(amountPaise);
  return {
    subject: `We’ve refunded ${amount}${order ? ` for your order ${order.number}` : ''}`,
    preheader: 'It goes to your original payment method.',
    heading: `${amount} refunded`,
    to: name,
    blocks: [
      paragraph(refundExplanation(reason, order?.number ?? null)),
      paragraph(
        `We’ve refunded ${amount} to your original payment method. Your bank may take a few days to show it. If you don’t see it after 7 business days, please ${writeToUs(shop)}.`,
      ),
      ...(order ? [...summary(order), ...details(reference(order))] : []),
      { kind: 'button', label: order ? 'See your order' : 'See your payments', href: orderHistoryLink(shop, order) },
    ],
  };
}

function refundExplanation(reason: RefundProcessedFacts['reason'], number: number | null): string {
  const order = number === null ? 'your order' : `your order ${number}`;
  if (reason === 'order-canceled') return `This is the refund for ${order}, which was cancelled.`;
  if (reason === 'order-refunded') return `This is the refund we agreed on for ${order}.`;
  if (reason === 'other') return number === null ? 'This is a refund from us.' : `This is a refund for ${order}.`;
  return refusalReasons[reason];
}
