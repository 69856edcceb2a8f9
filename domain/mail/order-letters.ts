import type { OrderFacts, OrderMailFacts, ShopFacts } from './facts.ts';
import { type Block, type Letter, note, paragraph } from './letter.ts';
import { writeToUs } from './links.ts';
import {
  dayFrom,
  destination,
  details,
  expected,
  orderButton,
  reference,
  rupees,
  summary,
  tracking,
} from './order-blocks.ts';

type OrderLetter = (order: OrderFacts, shop: ShopFacts) => Omit<Letter, 'to'>;

export function orderLetter({ template, shop, order }: OrderMailFacts): Letter {
  const letter = letters[template](order, shop);
  const [opening, ...rest] = letter.blocks;
  const blocks = opening ? [opening, ...ownWords(order), ...rest] : rest;
  return { ...letter, blocks, to: order.name };
}

/** After the opening: what somebody of the shop wrote to this customer. */
function ownWords({ note: words }: OrderFacts): Block[] {
  return words?.trim() ? [paragraph(`A note for you: ${words.trim()}`)] : [];
}

/** It is there from packing on. */
const whereTheInvoiceIs = note('Your invoice is in your order history, as a PDF file.');

const letters: Record<OrderMailFacts['template'], OrderLetter> = {
  'order-placed': (order, shop) => ({
    subject: `We have your order ${order.number}`,
    preheader: `${rupees(order.totalPaise)}${order.isPaid === false ? '' : ', paid'}. We write again when it is confirmed.`,
    heading: 'Thank you for your order',
    blocks: [
      paragraph(
        `We have ${order.isPaid === false ? 'your order' : 'your order and your payment'}. We look at it now and write again when it is confirmed. Until we begin to prepare it you can cancel it in your order history.`,
      ),
      ...summary(order),
      ...details(expected(order), destination(order, shop), reference(order)),
      orderButton(shop, order),
    ],
  }),
  'order-confirmed': (order, shop) => ({
    subject: `Your order ${order.number} is confirmed`,
    preheader: arrival(order) ?? 'Your sweets are next in our kitchen.',
    heading: 'Your order is confirmed',
    blocks: [
      paragraph(
        `Your sweets are next in our kitchen. We write again when they are ${order.fulfilment === 'pickup' ? 'ready to collect' : 'on their way'}.`,
      ),
      ...summary(order),
      ...details(expected(order), destination(order, shop), reference(order)),
      orderButton(shop, order),
    ],
  }),
  'order-shipped': (order, shop) => ({
    subject: `Your order ${order.number} is on its way`,
    preheader: arrival(order) ?? 'It has left our kitchen.',
    heading: 'Your sweets are on their way',
    blocks: [
      paragraph(
        'Your order has left our kitchen. Please have somebody there to receive it: sweets do not like to wait.',
      ),
      ...details(tracking(order), expected(order), destination(order, shop), reference(order)),
      orderButton(shop, order),
      ...summary(order),
      whereTheInvoiceIs,
    ],
  }),
  'order-ready': (order, shop) => ({
    subject: `Your order ${order.number} is ready to collect`,
    preheader: `Please bring the order number, ${order.number}.`,
    heading: 'Your order is ready',
    blocks: [
      paragraph(`Your sweets are packed and waiting for you. Please bring the order number, ${order.number}.`),
      ...details(destination(order, shop), reference(order)),
      orderButton(shop, order),
      ...summary(order),
      whereTheInvoiceIs,
    ],
  }),
  'order-delivered': (order, shop) => {
    const collected = order.fulfilment === 'pickup';
    return {
      subject: `Your order ${order.number} was ${collected ? 'collected' : 'delivered'}`,
      preheader: 'We hope that it tastes as it should.',
      heading: collected ? 'Your order was collected' : 'Your order has arrived',
      blocks: [
        paragraph(
          `Your order ${order.number} was ${collected ? 'collected' : 'delivered'}. We hope that it tastes as it should.`,
        ),
        paragraph(
          `If anything is spoiled, damaged, missing or not what you ordered, ask for a refund within 24 hours of ${collected ? 'collecting it' : 'delivery'}: ${writeToUs(shop)}, with the order number and a photograph of the sweets and the box. Sweets are perishable, so there are no returns.`,
        ),
        ...summary(order),
        ...details(reference(order)),
        orderButton(shop, order),
      ],
    };
  },
  'order-canceled': (order, shop) => ({
    subject: `Your order ${order.number} is canceled`,
    preheader: order.isPaid === false ? 'There is nothing to pay.' : 'What you paid comes back within 7 business days.',
    heading: 'Your order is canceled',
    blocks: [
      paragraph(cancellation(order)),
      paragraph(
        order.isPaid === false
          ? 'Nothing was paid, and there is nothing to pay.'
          : 'What you paid comes back to you in the way you paid, within 7 business days. Your bank may need some days more to show it. We write again when it is sent.',
      ),
      ...summary(order),
      ...details(reference(order)),
      orderButton(shop, order),
    ],
  }),
};

function arrival(order: OrderFacts): string | null {
  const day = order.fulfilment === 'delivery' ? dayFrom(order.deliveryBy) : null;
  return day && `Expected by ${day}.`;
}

function cancellation({ number, canceledBy, cancelReason }: OrderFacts): string {
  const reason = cancelReason?.trim() ? ` The reason: ${cancelReason.trim()}` : '';
  if (canceledBy === 'customer') return `You canceled your order ${number}, and we have stopped working on it.`;
  if (canceledBy === 'shop') return `We are sorry: we had to cancel your order ${number}.${reason}`;
  return `Your order ${number} is canceled.${reason}`;
}
