import { type Email, note, paragraph } from './email.ts';
import type { GiftReminderFacts } from './facts.ts';
import { shopLink } from './links.ts';
import { dayFrom, details } from './order-blocks.ts';

/** Once before a festival, to customers who agreed to it. */
export function giftReminderEmail({ shop, name, festival, orderBy, gifts, more, ...links }: GiftReminderFacts): Email {
  const day = dayFrom(orderBy) ?? orderBy;
  const others = more > 0 ? [paragraph(`And ${more} more, in your order history.`)] : [];
  return {
    subject: `${festival} is coming: your gift list from last year`,
    preheader: `Order by ${day} and your gifts arrive in time.`,
    heading: `Your gifts for ${festival}`,
    to: name,
    blocks: [
      paragraph(`Last year you sent these gifts. Order by ${day} and this year’s arrive in time for ${festival}.`),
      ...details(
        gifts.map(({ recipient, city, items }) => ({ label: recipient, lines: [city, items].filter(Boolean) })),
      ),
      ...others,
      { kind: 'button', label: 'Send them again', href: shopLink(shop, links.historyUrl) },
      paragraph('Send again puts a gift into your cart with its recipient and card. You can change everything first.'),
      {
        kind: 'details',
        rows: [{ label: 'Reminders', lines: ['Stop gift reminders'], href: shopLink(shop, links.stopUrl) }],
      },
      note('You get this because you agreed to be reminded before festivals. We send one email for each festival.'),
    ],
  };
}
