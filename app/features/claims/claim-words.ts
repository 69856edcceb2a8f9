import type { Tone } from '#app/ui/badge.tsx';
import type { CustomerClaim } from '#contracts/claims.ts';
import { formatPaise } from '#domain/money.ts';
import { formatDate, formatMoment, instantFrom } from '#domain/time.ts';

export const itemName = ({ name, size, quantity }: { name: string; size: number | null; quantity: number }) =>
  `${name}${size === null ? '' : `, ${size === 1000 ? '1 kg' : `${size} g`}`}${quantity > 1 ? ` × ${quantity}` : ''}`;

const momentOf = (text: string | null): string => {
  const instant = text ? instantFrom(text) : null;
  return instant ? formatMoment(instant) : '';
};

/** Where a claim stands: a word, and a sentence with what comes next and by when. */
export function standingOfClaim(
  claim: CustomerClaim,
  isByLink = false,
): { word: string; tone: Tone; sentence: string } {
  const { state, decision, settle_by } = claim;
  const by = settle_by ? ` by ${formatDate(settle_by)}` : '';
  if (state === 'received')
    return { word: 'Received', tone: 'waiting', sentence: `We’ll answer by ${momentOf(claim.acknowledge_by)}.` };
  if (state === 'acknowledged')
    return {
      word: 'Acknowledged',
      tone: 'busy',
      sentence: `We’re looking into it and will decide by ${formatDate(claim.decide_by)}.`,
    };
  if (decision === 'refund') {
    const amount = formatPaise(claim.refund_paise);
    return claim.is_refunded
      ? { word: 'Refunded', tone: 'good', sentence: `We’ve refunded ${amount}.` }
      : { word: 'Refund on its way', tone: 'busy', sentence: `We’re refunding ${amount}${by}.` };
  }
  if (decision === 'replacement') return replacementStanding(claim, by);
  return {
    word: 'Declined',
    tone: 'calm',
    sentence: `We couldn’t refund or replace it. Our reason is ${isByLink ? 'in our email' : 'below'}.`,
  };
}

function replacementStanding({ replacement }: CustomerClaim, by: string) {
  if (replacement?.state === 'delivered')
    return {
      word: 'Replaced',
      tone: 'good',
      sentence: `The replacement arrived on ${momentOf(replacement.delivered_at)}.`,
    } as const;
  if (replacement?.state === 'sent')
    return {
      word: 'Replacement sent',
      tone: 'busy',
      sentence: `It left us on ${momentOf(replacement.sent_at)}. There is nothing to pay.`,
    } as const;
  return { word: 'Replacement', tone: 'busy', sentence: `We’ll send it again${by}, at no charge.` } as const;
}

export { momentOf };
