/** What a customer can agree to or refuse. Twin of private.consent_purposes(); messages about an order have no purpose. */
export const consentPurposes = [
  'festival-reminders',
  'review-requests',
  'cart-reminders',
  'news',
  'whatsapp',
  'sms',
] as const;
export type ConsentPurpose = (typeof consentPurposes)[number];

/** Where a choice was made; `email` is the link in a message. */
export const consentSources = ['profile', 'order', 'email', 'checkout'] as const;
export type ConsentSource = (typeof consentSources)[number];

export type Consent = {
  purpose: ConsentPurpose;
  agreed: boolean;
  since: Date | null;
  source: ConsentSource | null;
  history: { agreed: boolean; at: Date; source: ConsentSource }[];
};

/** The purpose that a stop link names, for the words on its page only: the database checks the signature. */
export function purposeOfStopLink(token: string): ConsentPurpose {
  const [, named] = token.split('.');
  return consentPurposes.find((purpose) => purpose === named) ?? 'festival-reminders';
}

type StopWords = { title: string; button: string; what: string; done: string };

/** What the page of a stop link says. */
export const stopWords: Record<ConsentPurpose, StopWords> = {
  'festival-reminders': {
    title: 'Gift reminders',
    button: 'Stop gift reminders',
    what: 'You won’t get your gift list before festivals any more.',
    done: 'We won’t remind you before festivals any more.',
  },
  'review-requests': {
    title: 'Review requests',
    button: 'Stop review requests',
    what: 'We won’t ask you to review what you bought any more.',
    done: 'We won’t ask you for reviews any more.',
  },
  'cart-reminders': {
    title: 'Cart reminders',
    button: 'Stop cart reminders',
    what: 'We won’t remind you of a cart you left behind any more.',
    done: 'We won’t remind you of a cart any more.',
  },
  news: {
    title: 'News and offers',
    button: 'Stop news and offers',
    what: 'You won’t get our news and offers any more.',
    done: 'We won’t send you news and offers any more.',
  },
  whatsapp: {
    title: 'WhatsApp messages',
    button: 'Stop WhatsApp messages',
    what: 'You won’t get order updates on WhatsApp any more.',
    done: 'We won’t message you on WhatsApp any more.',
  },
  sms: {
    title: 'SMS messages',
    button: 'Stop SMS messages',
    what: 'You won’t get order updates by SMS any more.',
    done: 'We won’t text you any more.',
  },
};
