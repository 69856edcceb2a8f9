import type { PaymentRefusedFacts, RefundProcessedFacts } from './facts.ts';
import { type Letter, note, paragraph } from './letter.ts';
import { orderHistoryLink, writeToUs } from './links.ts';
import { details, reference, rupees, summary } from './order-blocks.ts';

const whyNoOrder: Record<PaymentRefusedFacts['reason'], string> = {
  'sold-out':
    'While you were paying, the last of what you chose was sold, so we could not make an order of your payment.',
  'wrong-amount': 'What was paid is not what the order costs, so we could not make an order of your payment.',
  'second-payment': 'Your order was already paid, so we did not take this second payment.',
};

export function paymentRefusedLetter({ shop, name, amountPaise, reason }: PaymentRefusedFacts): Letter {
  const amount = rupees(amountPaise);
  return {
    subject: `Your payment of ${amount} is on its way back`,
    preheader: 'You have it again within 7 business days.',
    heading: reason === 'second-payment' ? 'We send the second payment back' : 'We could not take your order',
    to: name,
    blocks: [
      paragraph(`${reason === 'second-payment' ? '' : 'We are sorry. '}${whyNoOrder[reason]}`),
      paragraph(
        `All of it, ${amount}, is on its way back to you in the way you paid, within 7 business days. Your bank may need some days more to show it. You need not do anything.`,
      ),
      { kind: 'button', label: 'See your payments', href: orderHistoryLink(shop, null) },
      note(`Questions? Please ${writeToUs(shop)}.`),
    ],
  };
}

export function refundProcessedLetter({ shop, name, amountPaise, order, reason }: RefundProcessedFacts): Letter {
  const amount = rupees(amountPaise);
  return {
    subject: `We have refunded ${amount}${order ? ` for your order ${order.number}` : ''}`,
    preheader: 'It goes back in the way you paid.',
    heading: `${amount} refunded`,
    to: name,
    blocks: [
      paragraph(whyRefunded(reason, order?.number ?? null)),
      paragraph(
        `We have sent ${amount} back in the way you paid. Your bank may need some days to show it: if it is not there after 7 business days, please ${writeToUs(shop)}.`,
      ),
      ...(order ? [...summary(order), ...details(reference(order))] : []),
      { kind: 'button', label: order ? 'See your order' : 'See your payments', href: orderHistoryLink(shop, order) },
    ],
  };
}

function whyRefunded(reason: RefundProcessedFacts['reason'], number: number | null): string {
  const order = number === null ? 'your order' : `your order ${number}`;
  if (reason === 'order-canceled') return `This is the refund for ${order}, which was canceled.`;
  if (reason === 'order-refunded') return `This is the refund we agreed on for ${order}.`;
  if (reason === 'other') return number === null ? 'This is a refund from us.' : `This is a refund for ${order}.`;
  return whyNoOrder[reason];
}
