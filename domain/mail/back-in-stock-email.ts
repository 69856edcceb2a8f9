import { formatPaise } from '../money.ts';
import { type Email, note, paragraph } from './email.ts';
import type { BackInStockFacts } from './facts.ts';
import { shopLink, webLink } from './links.ts';

export function backInStockEmail({ shop, name, product }: BackInStockFacts): Email {
  const picture = webLink(product.imageUrl, shop.siteUrl);
  return {
    subject: `${product.name} is back in stock`,
    preheader: `${formatPaise(product.pricePaise)}, fresh from our kitchen.`,
    heading: `${product.name} is back in stock`,
    to: name,
    blocks: [
      ...(picture ? [{ kind: 'picture', src: picture, alt: product.name } as const] : []),
      paragraph(
        `You asked us to let you know: ${product.name} is back in stock, for ${formatPaise(product.pricePaise)}. We can’t reserve it, so don’t wait too long.`,
      ),
      { kind: 'button', label: 'See it in the shop', href: shopLink(shop, product.url) },
      note('We only email you once for each request, so there’s nothing to unsubscribe from.'),
    ],
  };
}
