import type { BackInStockFacts } from './facts.ts';
import { type Letter, note, paragraph } from './letter.ts';
import { shopLink, webLink } from './links.ts';
import { rupees } from './order-blocks.ts';

export function backInStockLetter({ shop, name, product }: BackInStockFacts): Letter {
  const picture = webLink(product.imageUrl, shop.siteUrl);
  return {
    subject: `${product.name} is back`,
    preheader: `${rupees(product.pricePaise)}, fresh from our kitchen.`,
    heading: `${product.name} is back`,
    to: name,
    blocks: [
      ...(picture ? [{ kind: 'picture', src: picture, alt: product.name } as const] : []),
      paragraph(
        `You asked us to tell you: ${product.name} can be ordered again, for ${rupees(product.pricePaise)}. We cannot keep any aside for you.`,
      ),
      { kind: 'button', label: 'Have a look', href: shopLink(shop, product.url) },
      note('We tell you once for each time you ask, so there is nothing to unsubscribe from.'),
    ],
  };
}
