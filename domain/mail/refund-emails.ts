import { formatPaise } from '../money.ts';
import { type Block, type DetailRow, type Email, note, paragraph } from './email.ts';
import type {
  OrderFacts,
  PaymentRefusedFacts,
  RefundOpenFacts,
  RefundProcessedFacts,
  RefundReason,
  ShopFacts,
} from './facts.ts';
import { orderHistoryLink, writeToUs } from './links.ts';
import { dayFrom, details, historyRow, orderButton, reference, summary } from './order-blocks.ts';

const refusalReasons: Record<PaymentRefusedFacts['reason'], string> = {
  'sold-out': 'Something you chose sold out while you were paying, so we couldn’t place your order.',
  'offer-used-up': 'The offer you chose was used up before your payment arrived, so we couldn’t place your order.',
  'wrong-amount': 'The amount paid didn’t match the order, so we couldn’t place it.',
  'second-payment': 'Your order was already paid, so we’re refunding the second payment.',
};

export function paymentRefusedEmail({ shop, name, amountPaise, reason, dueOn }: PaymentRefusedFacts): Email {
  const amount = formatPaise(amountPaise);
  return {
    subject: `We’re refunding your payment of ${amount}`,
    preheader: `We’ll send it back ${refundBy(dueOn)}.`,
    heading: reason === 'second-payment' ? 'We’re refunding your second payment' : 'We couldn’t place your order',
    to: name,
    blocks: [
      paragraph(`${reason === 'second-payment' ? '' : 'We’re sorry. '}${refusalReasons[reason]}`),
      paragraph(
        `We’ll send the full ${amount} back to your original payment method ${refundBy(dueOn)}. ${bankTime} You don’t need to do anything.`,
      ),
      { kind: 'button', label: 'See your payments', href: orderHistoryLink(shop, null) },
      note(`Questions? Please ${writeToUs(shop)}.`),
    ],
  };
}

const bankTime = 'Banks usually take 5 to 7 business days to show it.';

/** The promise, with its last day where that is known: orders of before have none. */
export function refundBy(dueOn: string | null | undefined): string {
  const day = dayFrom(dueOn ?? null);
  return day ? `by ${day}` : 'within 7 business days';
}

const handWords: Record<NonNullable<RefundProcessedFacts['method']>, string> = {
  cash: 'in cash',
  upi: 'by UPI',
  card: 'to your card',
  bank: 'by bank transfer',
};

export function refundProcessedEmail(facts: RefundProcessedFacts): Email {
  const { shop, name, amountPaise, order, reason, method, sentOn } = facts;
  const amount = formatPaise(amountPaise);
  const day = dayFrom(sentOn);
  const onDay = day ? ` on ${day}` : '';
  return {
    subject: `We’ve refunded ${amount}${order ? ` for your order ${order.number}` : ''}`,
    preheader: method ? `Paid back ${handWords[method]}${onDay}.` : `Sent to your bank${onDay}.`,
    heading: `${amount} refunded`,
    to: name,
    blocks: [
      paragraph(refundExplanation(reason, order?.number ?? null)),
      paragraph(
        method
          ? `We paid ${amount} back ${handWords[method]}${onDay}. If you can’t find it, please ${writeToUs(shop)}.`
          : `We sent ${amount} to your original payment method${onDay}. ${bankTime} If you don’t see it by then, ask your bank with the reference below, or ${writeToUs(shop)}.`,
      ),
      ...details(references(facts)),
      ...ofOrder(shop, order),
    ],
  };
}

/** The order that is refunded, with the way to it; for a payment without an order, the way to the payments. */
function ofOrder(shop: ShopFacts, order: OrderFacts | null): Block[] {
  if (!order) return [{ kind: 'button', label: 'See your payments', href: orderHistoryLink(shop, null) }];
  return [...summary(order), ...details(reference(order), historyRow(shop, order)), orderButton(shop, order)];
}

/** Two emails: one tells when to expect the money, the other that it takes longer. */
export function refundOpenEmail(facts: RefundOpenFacts): Email {
  const { shop, name, amountPaise, order, reason, dueOn, template } = facts;
  const amount = formatPaise(amountPaise);
  const forOrder = order ? ` for your order ${order.number}` : '';
  const isStarted = template === 'refund-started';
  return {
    subject: isStarted ? `Your refund of ${amount}${forOrder}` : `Your refund of ${amount}${forOrder} is delayed`,
    preheader: isStarted ? `We’ll send it ${refundBy(dueOn)}.` : 'We’re sorry. Your money is safe and will come back.',
    heading: isStarted ? `Your refund of ${amount} has started` : `Your refund of ${amount} is delayed`,
    to: name,
    blocks: [
      paragraph(refundExplanation(reason, order?.number ?? null)),
      ...(isStarted
        ? [
            paragraph(
              `We’ll send ${amount} to your original payment method ${refundBy(dueOn)}. ${bankTime} We’ll email you when it’s sent. You don’t need to do anything.`,
            ),
          ]
        : delay(facts, amount).map(paragraph)),
      ...ofOrder(shop, order),
      note(`Questions? Please ${writeToUs(shop)}.`),
    ],
  };
}

function delay({ dueOn, isGivenUp, shop }: RefundOpenFacts, amount: string): string[] {
  const day = dayFrom(dueOn);
  const sorry = `We’re sorry: we promised to send ${amount} ${day ? `by ${day}` : 'within 7 business days'}, and the bank hasn’t accepted it yet. The money is still yours.`;
  return isGivenUp
    ? [
        sorry,
        `We’ll pay it back another way. Please ${writeToUs(shop)} with a UPI ID or bank account of yours, or wait for our call. Never share an OTP or PIN: we don’t need one to pay you.`,
      ]
    : [sorry, 'We keep trying and will email you when it’s sent. You don’t need to do anything.'];
}

/** What the customer's bank looks for, where the provider or the shop gave a reference. */
function references({ method, reference: number, providerRefundId }: RefundProcessedFacts): DetailRow[] {
  return [
    ...(number ? [{ label: method ? 'Transaction reference' : 'Bank reference', lines: [number] }] : []),
    ...(providerRefundId && !method ? [{ label: 'Refund ID', lines: [providerRefundId] }] : []),
  ];
}

function refundExplanation(reason: RefundReason, number: number | null): string {
  const order = number === null ? 'your order' : `your order ${number}`;
  if (reason === 'order-canceled') return `This is the refund for ${order}, which was cancelled.`;
  if (reason === 'order-refunded') return `This is the refund we agreed on for ${order}.`;
  if (reason === 'other') return number === null ? 'This is a refund from us.' : `This is a refund for ${order}.`;
  return refusalReasons[reason];
}
