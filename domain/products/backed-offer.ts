import { type Paise, paise } from '../money.ts';

type Prices = { pricePaise: number; regularPricePaise: number | null };

/**
 * What an offer tag may say: whole per cent below the regular price, rounded down so that it never promises more than was
 * taken off. The same rule as private.calculate_offer() in SQL.
 */
export function backedOfferPercent(prices: Prices): number {
  return Math.min(maxOfferPercent, savedPercent(prices));
}

/** The highest per cent that a tag shows. */
export const maxOfferPercent = 90;

/** Whole per cent below the regular price, rounded down. */
export function savedPercent({ pricePaise, regularPricePaise }: Prices): number {
  if (regularPricePaise === null || regularPricePaise <= pricePaise || pricePaise < 0) return 0;
  return Math.floor(((regularPricePaise - pricePaise) * 100) / regularPricePaise);
}

/** The regular price, where it may be struck through: the saving is at least 1%, as much as a tag needs. */
export function struckPaise(prices: { pricePaise: Paise; regularPricePaise: Paise | null }): Paise | null {
  return backedOfferPercent(prices) > 0 ? prices.regularPricePaise : null;
}

/** No tag is always true; a stored null shows 10%, as specified. */
export function isOfferBacked({ offerPercent, ...prices }: Prices & { offerPercent: number | null }): boolean {
  const shown = offerPercent ?? 10;
  return shown === 0 || shown === backedOfferPercent(prices);
}

/** The price at which a tag of so many per cent is true: in whole rupees where that leaves the tag as it is. */
export function offerPrice(regularPaise: number, percent: number): Paise {
  const exact = Math.floor((regularPaise * (100 - percent)) / 100);
  const wholeRupees = Math.floor(exact / 100) * 100;
  const isSameTag = backedOfferPercent({ pricePaise: wholeRupees, regularPricePaise: regularPaise }) === percent;
  return paise(isSameTag ? wholeRupees : exact);
}
