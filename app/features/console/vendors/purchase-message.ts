import type { Purchase } from '#contracts/console/purchases.ts';
import { formatPurchased } from '#domain/purchases/units.ts';
import { formatCalendarDay } from '#domain/time.ts';

/** The order as one writes it to a vendor. */
export function messageText({ id, lines, expected_on }: Pick<Purchase, 'id' | 'lines' | 'expected_on'>): string {
  const list = lines.map(({ item_name, quantity, unit }) => `- ${item_name}: ${formatPurchased(quantity, unit)}`);
  const by = expected_on ? `\nPlease deliver by ${formatCalendarDay(expected_on)}.` : '';
  return `Order ${id}\n${list.join('\n')}${by}`;
}

/** A chat with the vendor, the order written in it; null without a number. */
export function messageLink(purchase: Purchase): string | null {
  const digits = purchase.vendor.phone.replaceAll(/\D/g, '').slice(-10);
  return digits.length === 10 ? `https://wa.me/91${digits}?text=${encodeURIComponent(messageText(purchase))}` : null;
}
