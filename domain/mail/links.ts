import { readablePhone } from '../shop/shop-facts.ts';
import type { ShopFacts } from './facts.ts';
import { oneLine } from './plain-text.ts';

/** An address of the shop; whatever leads elsewhere becomes the shop's front page. */
export function shopLink({ siteUrl }: ShopFacts, path: string): string {
  const target = URL.parse(path, siteUrl);
  return target && target.origin === new URL(siteUrl).origin ? target.href : new URL(siteUrl).href;
}

/** An address outside the shop, if a browser may open it from a mail. */
export function webLink(address: string | null, base?: string): string | null {
  const target = address ? URL.parse(address.trim(), base) : null;
  return target && /^https?:$/.test(target.protocol) ? target.href : null;
}

/** The order history; with an order, opened at that one. */
export function orderHistoryLink(shop: ShopFacts, order: { id: string } | null): string {
  return shopLink(shop, `/profile?tab=orders${order ? `&order=${encodeURIComponent(order.id)}` : ''}`);
}

/** How to reach the shop, in a sentence that ends with its address; empty settings are left out. */
export function writeToUs({ email, whatsapp }: ShopFacts): string {
  const ways = [
    email && `write to ${email}`,
    whatsapp && `message us on WhatsApp at ${readablePhone(whatsapp)}`,
  ].filter(Boolean);
  return ways.join(' or ') || 'reply to this email';
}

/** The sender and contact details from the settings. */
export function contactLines({ email, whatsapp, address, fssai }: ShopFacts): { text: string; href?: string }[] {
  const number = whatsapp.replace(/\D/g, '');
  return [
    ...(address ? [{ text: address }] : []),
    ...(email ? [{ text: email, href: `mailto:${encodeURIComponent(oneLine(email)).replace('%40', '@')}` }] : []),
    ...(number ? [{ text: `WhatsApp ${readablePhone(whatsapp)}`, href: `https://wa.me/${number}` }] : []),
    ...(fssai ? [{ text: `FSSAI licence ${fssai}` }] : []),
  ];
}
