import { backInStockEmail } from './back-in-stock-email.ts';
import type { Email } from './email.ts';
import type { MailFacts } from './facts.ts';
import { layoutHtml } from './layout.ts';
import { layoutText } from './layout-text.ts';
import { orderEmail } from './order-emails.ts';
import { oneLine } from './plain-text.ts';
import { paymentRefusedEmail, refundProcessedEmail } from './refund-emails.ts';

export type RenderedMail = { subject: string; html: string; text: string };

export function renderMail(facts: MailFacts): RenderedMail {
  const email = emailFor(facts);
  return {
    subject: oneLine(email.subject),
    html: layoutHtml(email, facts.shop),
    text: layoutText(email, facts.shop),
  };
}

function emailFor(facts: MailFacts): Email {
  switch (facts.template) {
    case 'refund-processed':
      return refundProcessedEmail(facts);
    case 'payment-refused':
      return paymentRefusedEmail(facts);
    case 'back-in-stock':
      return backInStockEmail(facts);
    default:
      return orderEmail(facts);
  }
}
