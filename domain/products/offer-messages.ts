import { offerTag } from '../catalog/offer.ts';
import { formatPaise } from '../money.ts';
import { backedOfferPercent, isOfferBacked, maxOfferPercent, savedPercent } from './backed-offer.ts';

export type OfferPrices = { pricePaise: number | null; regularPricePaise: number | null };

/** What customers will see of an offer, in a sentence. The tag follows from the two prices. */
export function describeOffer({ pricePaise, regularPricePaise }: OfferPrices): string {
  if (pricePaise === null || regularPricePaise === null || regularPricePaise <= pricePaise)
    return 'No offer tag. To show an offer, enter the earlier price as the regular price.';
  const percent = backedOfferPercent({ pricePaise, regularPricePaise });
  if (percent === 0) return 'No offer tag, because it is less than 1% off.';
  const saved = savedPercent({ pricePaise, regularPricePaise });
  const capped = saved > percent ? ` It is ${saved}% off, but tags show ${maxOfferPercent}% at most.` : '';
  return `The tag “${percent}% off” and ${formatPaise(regularPricePaise)} struck through beside the price.${capped}`;
}

export type StoredOffer = {
  pricePaise: number;
  regularPricePaise: number | null;
  offerPercent: number | null;
  /** Listed and in stock: a missing tag shows as 10% only then. */
  isAvailable: boolean;
};

/** What is wrong with the tag that the shop shows until the product is saved; null: nothing is. */
export function describeUnbackedOffer({ isAvailable, ...stored }: StoredOffer): string | null {
  if (isOfferBacked(stored)) return null;
  const tag = offerTag({ available: true, offerPercent: stored.offerPercent });
  const when =
    stored.offerPercent === null && !isAvailable ? 'When it is in stock, the shop shows' : 'The shop now shows';
  return `${when} the tag “${tag}”, which these prices don’t match. Save the product to correct it.`;
}
