import { formatGrams } from '../catalog/weight.ts';
import { type Email, note, paragraph } from './email.ts';
import type { CartReminderFacts } from './facts.ts';
import { shopLink } from './links.ts';
import { details } from './order-blocks.ts';

/** Once for a cart, an hour after its checkout was opened and not paid, to customers who agreed to it. */
export function cartReminderEmail({ shop, name, items, restoreUrl, stopUrl }: CartReminderFacts): Email {
  return {
    subject: 'Your cart is saved',
    preheader: 'You can finish your order on any device.',
    heading: 'Your cart is saved',
    to: name,
    blocks: [
      paragraph('You started a checkout and didn’t pay. Nothing was charged, and your items are saved.'),
      ...details(
        items.map(({ name: item, quantity, sizeGrams }) => ({
          label: item,
          lines: [sizeGrams === null ? `${quantity}` : `${quantity} × ${formatGrams(sizeGrams)}`],
        })),
      ),
      { kind: 'button', label: 'Open your cart', href: shopLink(shop, restoreUrl) },
      paragraph(
        'If a price or the stock has changed since, your cart tells you before you pay. If you have paid in the meantime, ignore this email.',
      ),
      ...details([{ label: 'Reminders', lines: ['Stop cart reminders'], href: shopLink(shop, stopUrl) }]),
      note(
        'You get this because you ticked it at checkout or in your profile. We send one email for a cart, never more.',
      ),
    ],
  };
}
