import { backInStockEmail } from './back-in-stock-email.ts';
import { cartReminderEmail } from './cart-reminder-email.ts';
import { claimEmail } from './claim-emails.ts';
import type { Email } from './email.ts';
import type { MailFacts } from './facts.ts';
import { giftEmail } from './gift-email.ts';
import { giftReminderEmail } from './gift-reminder-email.ts';
import { groupEmail } from './group-email.ts';
import { layoutHtml } from './layout.ts';
import { layoutText } from './layout-text.ts';
import { shopLink } from './links.ts';
import { orderEmail } from './order-emails.ts';
import { oneLine } from './plain-text.ts';
import { paymentRefusedEmail, refundOpenEmail, refundProcessedEmail } from './refund-emails.ts';
import { reviewRequestEmail } from './review-request-email.ts';

export type RenderedMail = {
  subject: string;
  html: string;
  text: string;
  /** Where emails of its purpose can be stopped; left out: it has none, because it belongs to an order or was asked for. */
  unsubscribeUrl?: string;
};

export function renderMail(facts: MailFacts): RenderedMail {
  const email = emailFor(facts);
  return {
    subject: oneLine(email.subject),
    html: layoutHtml(email, facts.shop),
    text: layoutText(email, facts.shop),
    ...('stopUrl' in facts ? { unsubscribeUrl: shopLink(facts.shop, facts.stopUrl) } : {}),
  };
}

function emailFor(facts: MailFacts): Email {
  switch (facts.template) {
    case 'refund-processed':
      return refundProcessedEmail(facts);
    case 'refund-started':
    case 'refund-delayed':
      return refundOpenEmail(facts);
    case 'payment-refused':
      return paymentRefusedEmail(facts);
    case 'group-placed':
      return groupEmail(facts);
    case 'gift-on-its-way':
      return giftEmail(facts);
    case 'gift-reminder':
      return giftReminderEmail(facts);
    case 'review-request':
      return reviewRequestEmail(facts);
    case 'cart-reminder':
      return cartReminderEmail(facts);
    case 'claim-received':
    case 'claim-answered':
    case 'claim-decided':
    case 'claim-sent':
      return claimEmail(facts);
    case 'back-in-stock':
      return backInStockEmail(facts);
    default:
      return orderEmail(facts);
  }
}
