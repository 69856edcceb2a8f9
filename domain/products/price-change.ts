import { formatPaise, type Paise, paise } from '../money.ts';

export const roundings = {
  paisa: { label: 'to the paisa', stepPaise: 1 },
  rupee: { label: 'to the nearest whole rupee', stepPaise: 100 },
  five: { label: 'to the nearest ₹5', stepPaise: 500 },
  ten: { label: 'to the nearest ₹10', stepPaise: 1000 },
} as const;
export type Rounding = keyof typeof roundings;

export type PriceChange =
  | { by: 'percent'; percent: number; rounding: Rounding }
  | { by: 'amount'; amountPaise: number };

/** A new price: so much per cent more or less, rounded (halves up), or so many rupees more or less, to the paisa. */
export function changedPrice(pricePaise: Paise, change: PriceChange): Paise {
  if (change.by === 'amount') return paise(pricePaise + change.amountPaise);
  // In hundredths of a per cent, so that no fraction of a paisa is lost before rounding.
  const exact = pricePaise * (10_000 + Math.round(change.percent * 100));
  const step = roundings[change.rounding].stepPaise * 10_000;
  return paise((Math.floor((exact * 2 + step) / (step * 2)) * step) / 10_000);
}

export const priceLimits = { minPaise: 100, maxPaise: 10_000_000 };

/** Why a product cannot have this price; null: it can. */
export function priceProblem(pricePaise: number, regularPricePaise: number | null): string | null {
  if (pricePaise < priceLimits.minPaise) return 'Below ₹1';
  if (pricePaise > priceLimits.maxPaise) return 'Above ₹1,00,000';
  if (regularPricePaise !== null && pricePaise >= regularPricePaise)
    return `Not below its regular price of ${formatPaise(regularPricePaise)}. End the offer first.`;
  return null;
}

export type PlannedPrice<Row> = { row: Row; price: Paise; problem: string | null };

/** A bulk change of prices: one product that cannot have its new price does not keep the others from theirs. */
export function planPrices<Row extends { price_paise: number; regular_price_paise: number | null }>(
  rows: readonly Row[],
  change: PriceChange,
): { all: PlannedPrice<Row>[]; changed: PlannedPrice<Row>[]; refused: PlannedPrice<Row>[] } {
  const all = rows.map((row) => {
    const price = changedPrice(paise(row.price_paise), change);
    return { row, price, problem: priceProblem(price, row.regular_price_paise) };
  });
  return {
    all,
    changed: all.filter(({ row, price, problem }) => problem === null && price !== row.price_paise),
    refused: all.filter(({ problem }) => problem !== null),
  };
}
