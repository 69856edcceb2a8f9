import { backInStockLetter } from './back-in-stock-letter.ts';
import type { MailFacts } from './facts.ts';
import { layoutHtml } from './layout.ts';
import { layoutText } from './layout-text.ts';
import type { Letter } from './letter.ts';
import { orderLetter } from './order-letters.ts';
import { oneLine } from './plain-text.ts';
import { paymentRefusedLetter, refundProcessedLetter } from './refund-letters.ts';

export type RenderedMail = { subject: string; html: string; text: string };

export function renderMail(facts: MailFacts): RenderedMail {
  const letter = letterOf(facts);
  return {
    subject: oneLine(letter.subject),
    html: layoutHtml(letter, facts.shop),
    text: layoutText(letter, facts.shop),
  };
}

function letterOf(facts: MailFacts): Letter {
  switch (facts.template) {
    case 'refund-processed':
      return refundProcessedLetter(facts);
    case 'payment-refused':
      return paymentRefusedLetter(facts);
    case 'back-in-stock':
      return backInStockLetter(facts);
    default:
      return orderLetter(facts);
  }
}
