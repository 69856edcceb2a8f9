import type { Consent, ConsentPurpose, ConsentSource } from '#domain/customers/consents.ts';
import { formatDay } from '#domain/time.ts';

/** What a switch in the profile says. */
export const consentWords: Record<ConsentPurpose, { label: string; hint: string }> = {
  'festival-reminders': {
    label: 'Email me my gift list before festivals',
    hint: 'One email before each festival for which you sent gifts last year.',
  },
  'review-requests': {
    label: 'Ask me to review what I bought',
    hint: 'One email some days after your order is delivered.',
  },
  'cart-reminders': {
    label: 'Remind me of a cart I left',
    hint: 'One email when you begin to check out and don’t finish.',
  },
  news: { label: 'Send me news and offers', hint: 'New sweets, festival boxes and offers, by email.' },
  whatsapp: {
    label: 'Order updates on WhatsApp',
    hint: 'To the mobile number in your profile. No messages from 9 pm to 9 am, unless your order arrives that day.',
  },
  sms: {
    label: 'Order updates by SMS',
    hint: 'To the mobile number in your profile. No messages from 9 pm to 9 am, unless your order arrives that day.',
  },
};

const places: Record<ConsentSource, string> = {
  profile: 'in your profile',
  order: 'after an order',
  email: 'by the link in a message',
  checkout: 'at checkout',
};

/** Since when it is on or off; empty where the customer never chose. */
export function stateOf({ agreed, since, source }: Consent): string {
  if (!since || !source) return '';
  return `${agreed ? 'On' : 'Off'} since ${formatDay(since)}, chosen ${places[source]}.`;
}

export type Choice = { key: string; at: Date; what: string };

/** Every choice there was, newest first. */
export function historyOf(consents: readonly Consent[]): Choice[] {
  return consents
    .flatMap(({ purpose, history }) =>
      history.map(({ agreed, at, source }, place) => ({
        key: `${purpose} ${place}`,
        at,
        what: `“${consentWords[purpose].label}” turned ${agreed ? 'on' : 'off'} ${places[source]}`,
      })),
    )
    .sort((a, b) => Number(b.at) - Number(a.at));
}
