import { formatPaise, paise } from '../money.ts';

export type OfferFacts = { pricePaise: number | null; regularPricePaise: number | null; offerPercent: number | null };

/** What customers will see of an offer, in a sentence, and what is not true about it. */
export function offerWords({ pricePaise, regularPricePaise, offerPercent }: OfferFacts): {
  shows: string;
  warning: string | null;
} {
  const tag = offerPercent === null ? '10% off' : offerPercent > 0 ? `${offerPercent}% off` : null;
  const struck = regularPricePaise === null ? null : formatPaise(paise(regularPricePaise));
  const shows = [
    tag === null
      ? 'No tag on the picture.'
      : offerPercent === null
        ? 'The tag “10% off” while it is in stock: what the shop shows where no offer is given.'
        : `The tag “${tag}”.`,
    struck === null ? 'No struck-through price.' : `${struck} struck through beside the price.`,
  ].join(' ');
  return { shows, warning: untruth(offerPercent ?? 10, pricePaise, regularPricePaise) };
}

function untruth(claimed: number, pricePaise: number | null, regularPricePaise: number | null): string | null {
  if (pricePaise === null) return null;
  if (regularPricePaise === null)
    return claimed > 0 ? `Customers cannot see what it is ${claimed}% off of: give the regular price.` : null;
  if (regularPricePaise <= pricePaise) return null;
  const really = Math.round(((regularPricePaise - pricePaise) * 100) / regularPricePaise);
  if (claimed === 0) return `The price is ${really}% below the regular one, and no tag says so.`;
  return really === claimed ? null : `Against the regular price it is ${really}% off, not ${claimed}%.`;
}
