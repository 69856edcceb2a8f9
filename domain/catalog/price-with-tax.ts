import { formatPaise, type Paise, paise } from '../money.ts';

/**
 * A line with its GST, rounded once to the paisa as the order's tax is (private.price_orders() in SQL). Rates have at most
 * two decimals, so hundredths of a per cent keep it exact.
 */
export function withTaxPaise(linePaise: Paise, gstPercent: number): Paise {
  const tax = Math.floor((linePaise * Math.round(gstPercent * 100) * 2 + 10_000) / 20_000);
  return paise(linePaise + tax);
}

/** "₹614.25 incl. GST"; null where no GST is added, or where there is no price yet. */
export function inclGst(linePaise: Paise, gstPercent: number): string | null {
  return gstPercent > 0 && linePaise > 0 ? `${formatPaise(withTaxPaise(linePaise, gstPercent))} incl. GST` : null;
}
