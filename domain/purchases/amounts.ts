import { type Paise, paise } from '../money.ts';

export type PurchaseLine = { thousandths: number; unitCostPaise: Paise; gstPercent: number };
export type PurchaseAmount = { goodsPaise: Paise; gstPaise: Paise; totalPaise: Paise };

/** Quantity × unit cost, and the tax on it, each rounded once to the paisa; as receive_purchase() does it. */
export function lineAmount({ thousandths, unitCostPaise, gstPercent }: PurchaseLine): PurchaseAmount {
  // The product of the three does not fit a float exactly.
  const cost = BigInt(thousandths) * BigInt(unitCostPaise);
  const goods = rounded(cost, 1000n);
  const gst = rounded(cost * BigInt(Math.round(gstPercent * 100)), 1000n * 10_000n);
  return { goodsPaise: paise(goods), gstPaise: paise(gst), totalPaise: paise(goods + gst) };
}

const rounded = (amount: bigint, divisor: bigint): number => Number((amount + divisor / 2n) / divisor);

export function purchaseAmount(lines: readonly PurchaseLine[]): PurchaseAmount {
  const amounts = lines.map(lineAmount);
  const sum = (part: keyof PurchaseAmount) => paise(amounts.reduce((total, amount) => total + amount[part], 0));
  return { goodsPaise: sum('goodsPaise'), gstPaise: sum('gstPaise'), totalPaise: sum('totalPaise') };
}
