import { formatPaise } from '../money.ts';
import { formatDay, instantFrom } from '../time.ts';
import { type Email, paragraph } from './email.ts';
import type { GroupPlacedFacts } from './facts.ts';
import { orderHistoryLink } from './links.ts';

/** One email for all recipients of a group order. */
export function groupEmail({ shop, name, group }: GroupPlacedFacts): Email {
  const placed = instantFrom(group.placedAt);
  const recipients = group.recipients === 1 ? '1 recipient' : `${group.recipients} recipients`;
  return {
    subject: `Your order for ${recipients} is placed`,
    preheader: `${formatPaise(group.totalPaise)}, paid.`,
    heading: 'Thank you for your order',
    to: name,
    blocks: [
      paragraph(
        'We’ve received your order and your payment. Each recipient has a parcel of their own: in your order history you can follow it, correct its address until it’s packed, or cancel it until we start making it.',
      ),
      {
        kind: 'receipt',
        title: `Group order${placed ? `, placed on ${formatDay(placed)}` : ''}`,
        lines: [{ name: 'Parcels', amount: recipients, price: formatPaise(group.totalPaise) }],
        sums: [{ label: 'Total paid', price: formatPaise(group.totalPaise), isTotal: true }],
      },
      { kind: 'button', label: 'See all recipients', href: orderHistoryLink(shop, { id: group.orderId }) },
    ],
  };
}
