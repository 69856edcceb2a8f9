import type { AppliedOffer, Offer } from './offer.ts';
import { splitPaise } from './split.ts';

export type DiscountedLine = { paise: number; category: string };

export type OfferEffects = {
  /** Of each line. */
  discounts: number[];
  /** Of each offer, in the order in which they apply. */
  effects: (AppliedOffer & { offerId: number })[];
};

/** What is left of the goods at least. */
const leastPaise = 100;

/**
 * What offers take off an order, applied in order of kind (percent, amount, free delivery) and id, each to what the earlier ones left.
 * `private.calculate_offers()` is the same rule.
 */
export function calculateOffers(
  lines: readonly DiscountedLine[],
  shippingPaise: number,
  offers: readonly Offer[],
): OfferEffects {
  let remaining = lines.map(({ paise }) => paise);
  let shipping = shippingPaise;
  const effects: OfferEffects['effects'] = [];
  for (const offer of inOrder(offers)) {
    const goods = sum(remaining);
    const fitting = remaining.map((paise, place) => (isFor(offer, lines[place]) ? paise : 0));
    const base = sum(fitting);
    const discount = Math.max(0, Math.min(amountOf(offer, base), base, goods - leastPaise));
    const shares = splitPaise(discount, fitting);
    remaining = remaining.map((paise, place) => paise - (shares[place] ?? 0));
    const isFree = offer.kind === 'free-delivery' && base > 0 && goods >= leastPaise;
    const { id, code, name, kind } = offer;
    effects.push({ offerId: id, code, name, kind, discountPaise: discount, shippingPaise: isFree ? shipping : 0 });
    if (isFree) shipping = 0;
  }
  return { discounts: lines.map(({ paise }, place) => paise - (remaining[place] ?? 0)), effects };
}

export const savedPaise = (effects: OfferEffects['effects']): number =>
  effects.reduce((total, { discountPaise, shippingPaise }) => total + discountPaise + shippingPaise, 0);

/** Why a cart does not get an offer; null: it does. What was used before is for the database to say (`private.try_offer()`). */
export type CartProblem = 'other-goods' | 'minimum' | 'no-delivery-charge' | 'too-small';

export function cartProblem(offer: Offer, lines: readonly DiscountedLine[], shippingPaise: number): CartProblem | null {
  const goods = sum(lines.filter((line) => isFor(offer, line)).map(({ paise }) => paise));
  if (goods === 0) return 'other-goods';
  if (goods < offer.minOrderPaise) return 'minimum';
  if (savedPaise(calculateOffers(lines, shippingPaise, [offer]).effects) > 0) return null;
  return offer.kind === 'free-delivery' ? 'no-delivery-charge' : 'too-small';
}

/**
 * The offers of an order: one alone, or all that combine together, whatever saves most; of equal ones the code's, then the oldest.
 * `private.best_offers()` is the same rule.
 */
export function bestOffers(
  fitting: readonly Offer[],
  lines: readonly DiscountedLine[],
  shippingPaise: number,
): readonly Offer[] {
  const together = fitting.filter(({ combines }) => combines);
  const candidates = [...fitting.map((offer) => [offer]), ...(together.length > 1 ? [together] : [])];
  const ranked = candidates
    .map((offers) => ({
      offers,
      saved: savedPaise(calculateOffers(lines, shippingPaise, offers).effects),
      isAutomatic: offers.every(({ code }) => code === null),
      id: Math.min(...offers.map(({ id }) => id)),
    }))
    .filter(({ saved }) => saved > 0)
    .sort((a, b) => b.saved - a.saved || Number(a.isAutomatic) - Number(b.isAutomatic) || a.id - b.id);
  return ranked[0]?.offers ?? [];
}

const kinds: readonly Offer['kind'][] = ['percent', 'amount', 'free-delivery'];

const inOrder = (offers: readonly Offer[]): Offer[] =>
  offers.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.id - b.id);

function amountOf({ kind, percent, amountPaise, maxDiscountPaise }: Offer, base: number): number {
  if (kind === 'percent')
    return Math.min(Math.floor((base * (percent ?? 0) + 50) / 100), maxDiscountPaise ?? Number.POSITIVE_INFINITY);
  return kind === 'amount' ? (amountPaise ?? 0) : 0;
}

const isFor = ({ categories }: Offer, line: DiscountedLine | undefined): boolean =>
  categories.length === 0 || (line !== undefined && categories.includes(line.category));

const sum = (amounts: readonly number[]): number => amounts.reduce((total, paise) => total + paise, 0);
