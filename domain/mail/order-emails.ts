import { formatPaise } from '../money.ts';
import { type Block, type Email, note, paragraph } from './email.ts';
import type { OrderFacts, OrderMailFacts, ShopFacts } from './facts.ts';
import { writeToUs } from './links.ts';
import {
  dayFrom,
  destination,
  details,
  expected,
  historyRow,
  orderButton,
  reference,
  summary,
  tracking,
} from './order-blocks.ts';
import { refundBy } from './refund-emails.ts';

type OrderEmail = (order: OrderFacts, shop: ShopFacts) => Omit<Email, 'to'>;

export function orderEmail({ template, shop, order }: OrderMailFacts): Email {
  const email = emails[template](order, shop);
  const [opening, ...rest] = email.blocks;
  const blocks = opening ? [opening, ...personalNote(order), ...rest] : rest;
  return { ...email, blocks, to: order.buyer ?? order.name };
}

/** After the opening: the shop's personal note to this customer. */
function personalNote({ note: words }: OrderFacts): Block[] {
  return words?.trim() ? [paragraph(`A note for you: ${words.trim()}`)] : [];
}

/** Invoices exist from Packed on. */
const invoiceHint = note('You can download your invoice from your order history.');
/** Replaces the sentence that asks the customer to be at home: the parcel goes to the recipient's. */
const giftParagraph = paragraph(
  'Your gift has left our kitchen, with your card and without prices. Only you can download the invoice, from your order history.',
);

const emails: Record<OrderMailFacts['template'], OrderEmail> = {
  'order-placed': (order, shop) => ({
    subject: `Your order ${order.number} is placed`,
    preheader: `${formatPaise(order.totalPaise)}${order.isPaid === false ? '' : ', paid'}. We’ll email you when it’s confirmed.`,
    heading: 'Thank you for your order',
    blocks: [
      paragraph(
        `We’ve received your order${order.isPaid === false ? '' : ' and your payment'}. We’ll email you again when it’s confirmed. You can cancel it in your order history until we start making it.`,
      ),
      ...missedDay(order, shop),
      ...summary(order),
      ...details(expected(order), destination(order, shop), reference(order), historyRow(shop, order)),
      orderButton(shop, order),
    ],
  }),
  'order-confirmed': (order, shop) => ({
    subject: `Your order ${order.number} is confirmed`,
    preheader: arrival(order) ?? making(order),
    heading: 'Your order is confirmed',
    blocks: [
      paragraph(
        `${making(order)} We’ll email you again when they’re ${order.fulfilment === 'pickup' ? 'ready to collect' : 'on their way'}.`,
      ),
      ...summary(order),
      ...details(expected(order), destination(order, shop), reference(order), historyRow(shop, order)),
      orderButton(shop, order),
    ],
  }),
  'order-shipped': (order, shop) => ({
    subject: `Your order ${order.number} is on its way`,
    preheader: arrival(order) ?? 'It has left our kitchen.',
    heading: 'Your sweets are on their way',
    blocks: [
      order.isGift
        ? giftParagraph
        : paragraph(
            'Your order has left our kitchen. Please have someone at home to receive it: sweets are best fresh.',
          ),
      ...details(tracking(order), expected(order), destination(order, shop), reference(order), historyRow(shop, order)),
      orderButton(shop, order),
      ...summary(order),
      invoiceHint,
    ],
  }),
  'order-ready': (order, shop) => ({
    subject: `Your order ${order.number} is ready to collect`,
    preheader: `Please bring your order number, ${order.number}.`,
    heading: 'Your order is ready',
    blocks: [
      paragraph(`Your sweets are packed and waiting for you. Please bring your order number, ${order.number}.`),
      ...details(destination(order, shop), reference(order), historyRow(shop, order)),
      orderButton(shop, order),
      ...summary(order),
      invoiceHint,
    ],
  }),
  'order-delivered': (order, shop) => {
    const collected = order.fulfilment === 'pickup';
    return {
      subject: `Your order ${order.number} was ${collected ? 'collected' : 'delivered'}`,
      preheader: 'We hope you enjoy it.',
      heading: collected ? 'Your order was collected' : 'Your order has arrived',
      blocks: [
        paragraph(`Your order ${order.number} was ${collected ? 'collected' : 'delivered'}. We hope you enjoy it.`),
        paragraph(
          `If anything is spoiled, damaged, missing or not what you ordered, ask for a refund within 24 hours of ${collected ? 'collecting it' : 'delivery'}: open your order and choose “Report a problem”, with photos of the sweets and the box, or ${writeToUs(shop)}. Sweets are perishable, so there are no returns.`,
        ),
        ...summary(order),
        ...details(reference(order), historyRow(shop, order)),
        orderButton(shop, order),
      ],
    };
  },
  'order-canceled': (order, shop) => ({
    subject: `Your order ${order.number} has been cancelled`,
    preheader:
      order.isPaid === false ? 'There’s nothing to pay.' : `We’ll send your money back ${refundBy(order.refundDueOn)}.`,
    heading: 'Your order has been cancelled',
    blocks: [
      paragraph(cancellation(order)),
      paragraph(
        order.isPaid === false
          ? 'You haven’t been charged, and there’s nothing to pay.'
          : `We’ll refund what you paid to your original payment method ${refundBy(order.refundDueOn)}. Your bank may take a few more days to show it. We’ll email you when it’s sent.`,
      ),
      ...summary(order),
      ...details(reference(order), historyRow(shop, order)),
      orderButton(shop, order),
    ],
  }),
};

function arrival(order: OrderFacts): string | null {
  const day = order.fulfilment === 'delivery' ? dayFrom(order.deliveryBy) : null;
  return day && (order.deliverOn ? `Arrives on ${day}.` : `Expected by ${day}.`);
}

/** For a later day it is made just in time. */
function making({ deliverOn }: OrderFacts): string {
  const day = dayFrom(deliverOn ?? null);
  return day ? `We’ll make your sweets fresh, just in time for ${day}.` : 'We’re making your sweets next.';
}

/** The payment came too late for the day that was chosen: the customer learns it here first. */
function missedDay({ missedDay: missed, deliveryBy }: OrderFacts, shop: ShopFacts): Block[] {
  const day = dayFrom(missed ?? null);
  if (!day) return [];
  const next = dayFrom(deliveryBy);
  return [
    paragraph(
      `Your payment reached us too late for ${day}. ${next ? `Your order arrives on ${next}, the next possible day.` : 'We’ll tell you the new day soon.'} If that doesn’t suit you, cancel it in your order history or write to us: ${writeToUs(shop)}.`,
    ),
  ];
}

function cancellation({ number, canceledBy, cancelReason }: OrderFacts): string {
  const reason = cancelReason?.trim() ? ` Reason: ${cancelReason.trim()}` : '';
  if (canceledBy === 'customer') return `You cancelled your order ${number}, and we’ve stopped working on it.`;
  if (canceledBy === 'shop') return `We’re sorry, we had to cancel your order ${number}.${reason}`;
  return `Your order ${number} has been cancelled.${reason}`;
}
