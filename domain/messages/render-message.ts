import { oneLine } from '../mail/plain-text.ts';
import { formatPaise } from '../money.ts';
import { formatCalendarDay } from '../time.ts';
import { cutTo, gsm7Length, longestText, toGsm7 } from './gsm7.ts';
import type { MessageFacts, MessageTemplate } from './message.ts';

export type RenderedMessage = {
  /** The name under which the template is registered with the service; WhatsApp and Indian SMS send no others. */
  template: string;
  /** What stands in its places, in order. */
  parameters: string[];
  /** The whole message: at most 160 characters of the GSM alphabet. */
  text: string;
};

type Content = {
  parameters: string[];
  sentences: string[];
};

// Places of a registered template are never empty.
const none = '-';

export function renderMessage(facts: MessageFacts): RenderedMessage {
  const { parameters, sentences } = contents[facts.template](facts);
  const shop = cutTo(toGsm7(facts.shopName), 30);
  return {
    template: facts.template.replaceAll('-', '_'),
    parameters: [facts.shopName, ...parameters, facts.url].map((text) => oneLine(text).slice(0, 200) || none),
    text: fitting(`${shop ? `${shop}: ` : ''}${sentences[0]}`, [...sentences.slice(1), `Details: ${facts.url}`]),
  };
}

/** The first sentence, and of the others those that fit. */
function fitting(first: string, others: string[]): string {
  let text = cutTo(toGsm7(first), longestText);
  for (const sentence of others) {
    const longer = `${text} ${toGsm7(sentence)}`;
    if (gsm7Length(longer) <= longestText) text = longer;
  }
  return text;
}

const orderOf = ({ number }: MessageFacts) => (number === null ? 'Your order' : `Order ${number}`);
const amountOf = ({ amountPaise }: MessageFacts) => (amountPaise === null ? none : formatPaise(amountPaise));
const dayOf = ({ deliveryBy }: MessageFacts) => (deliveryBy ? formatCalendarDay(deliveryBy) : none);
const arrival = (facts: MessageFacts) =>
  facts.deliveryBy ? [`Arrives ${facts.isChosenDay ? 'on' : 'by'} ${dayOf(facts)}.`] : [];

const contents: Record<MessageTemplate, (facts: MessageFacts) => Content> = {
  'order-placed': (facts) => ({
    parameters: [String(facts.number), amountOf(facts), facts.isPickup ? 'At our counter' : dayOf(facts)],
    sentences: [
      `${orderOf(facts)} is placed (${amountOf(facts)}). Thank you!`,
      ...(facts.isPickup ? ['We’ll tell you when it’s ready to collect.'] : arrival(facts)),
    ],
  }),
  'group-placed': (facts) => ({
    parameters: [String(facts.recipients ?? 1), amountOf(facts)],
    sentences: [`Your order for ${facts.recipients ?? 1} recipients is placed (${amountOf(facts)}). Thank you!`],
  }),
  'order-shipped': (facts) => {
    const courier = cutTo(toGsm7(facts.courier ?? ''), 30);
    const tracking = cutTo(toGsm7(facts.trackingNumber ?? ''), 30);
    return {
      parameters: [String(facts.number), facts.courier ?? none, facts.trackingNumber ?? none, dayOf(facts)],
      sentences: [
        `${orderOf(facts)} is on its way${courier && ` with ${courier}`}${tracking && `, tracking no. ${tracking}`}.`,
        ...arrival(facts),
      ],
    };
  },
  'order-ready': (facts) => ({
    parameters: [String(facts.number)],
    sentences: [`${orderOf(facts)} is ready. Collect it at our counter.`, 'Please bring the order number.'],
  }),
  'order-delivered': (facts) => ({
    parameters: [String(facts.number)],
    sentences: [
      `${orderOf(facts)} is ${facts.isPickup ? 'collected' : 'delivered'}. Sweets are best fresh: enjoy!`,
      'Something wrong? Tell us today.',
    ],
  }),
  'order-canceled': (facts) => ({
    parameters: [String(facts.number)],
    sentences: [`${orderOf(facts)} is cancelled.`, 'If you paid, we’ll refund you within 7 business days.'],
  }),
  'refund-processed': (facts) => ({
    parameters: [facts.number === null ? none : String(facts.number), amountOf(facts)],
    sentences: [
      `We’ve refunded ${amountOf(facts)}${facts.number === null ? '' : ` for order ${facts.number}`} to your original payment method.`,
    ],
  }),
};
