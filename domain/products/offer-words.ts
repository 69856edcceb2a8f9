import { formatPaise, paise } from '../money.ts';
import { maxOfferPercent, savedPercent, trueOfferPercent } from './true-offer.ts';

export type OfferPrices = { pricePaise: number | null; regularPricePaise: number | null };

/** What customers will see of an offer, in a sentence. The tag follows from the two prices. */
export function offerWords({ pricePaise, regularPricePaise }: OfferPrices): string {
  if (pricePaise === null || regularPricePaise === null || regularPricePaise <= pricePaise)
    return 'No tag and no struck-through price. For an offer, enter the price before it as the regular price.';
  const percent = trueOfferPercent({ pricePaise, regularPricePaise });
  if (percent === 0) return 'No tag and no struck-through price, as it is less than 1% off.';
  const saved = savedPercent({ pricePaise, regularPricePaise });
  const capped = saved > percent ? ` It is ${saved}% off, but a tag never says more than ${maxOfferPercent}%.` : '';
  return `The tag “${percent}% off” and ${formatPaise(paise(regularPricePaise))} struck through beside the price.${capped}`;
}
