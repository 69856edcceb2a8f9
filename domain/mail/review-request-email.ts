import { type Email, note, paragraph } from './email.ts';
import type { ReviewRequestFacts } from './facts.ts';
import { shopLink, writeToUs } from './links.ts';
import { dayFrom, details } from './order-blocks.ts';

/** Once for an order, some days after it arrived, to customers who did not refuse it. */
export function reviewRequestEmail({ shop, name, number, arrivedOn, products, stopUrl }: ReviewRequestFacts): Email {
  const [first] = products;
  const what = products.length === 1 && first ? first.name : 'your sweets';
  const day = dayFrom(arrivedOn);
  return {
    subject: `How did you like ${what}?`,
    preheader: 'A few words help other customers choose.',
    heading: `How did you like ${what}?`,
    to: name,
    blocks: [
      paragraph(
        `Your order ${number} reached you${day ? ` on ${day}` : ''}. Tell other customers what you thought of it: a few words and your stars are enough. It appears as a verified purchase.`,
      ),
      ...(products.length === 1 && first
        ? [{ kind: 'button', label: 'Write a review', href: shopLink(shop, first.url) } as const]
        : details(
            products.map((product) => ({
              label: product.name,
              lines: ['Write a review'],
              href: shopLink(shop, product.url),
            })),
          )),
      paragraph(
        `Was something wrong with it? Please don’t wait for a review: ${writeToUs(shop)}, and we’ll sort it out.`,
      ),
      ...details([{ label: 'Requests', lines: ['Stop review requests'], href: shopLink(shop, stopUrl) }]),
      note('We send one of these for each order, and none for gifts. Emails about your orders are not affected.'),
    ],
  };
}
