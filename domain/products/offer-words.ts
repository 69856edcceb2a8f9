import { formatPaise, paise } from '../money.ts';
import { trueOfferPercent } from './true-offer.ts';

export type OfferPrices = { pricePaise: number | null; regularPricePaise: number | null };

/** What customers will see of an offer, in a sentence. The tag follows from the two prices. */
export function offerWords({ pricePaise, regularPricePaise }: OfferPrices): string {
  if (pricePaise === null || regularPricePaise === null || regularPricePaise <= pricePaise)
    return 'No tag and no struck-through price. For an offer, enter the price before it as the regular price.';
  const percent = trueOfferPercent({ pricePaise, regularPricePaise });
  const tag = percent > 0 ? `The tag “${percent}% off”` : 'No tag, as it is less than 1% off,';
  return `${tag} and ${formatPaise(paise(regularPricePaise))} struck through beside the price.`;
}
