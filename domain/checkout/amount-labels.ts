import { formatPaise } from '../money.ts';

// The amounts of an order, labelled the same in the cart, the order history, the console, messages and documents. The invoice
// splits the same amounts by law: its GST is the GST on items and the GST in shipping together.

/** What "Tax" is: shipping has its own. */
export const taxDetail = 'GST on items';

/** "incl. GST ₹4.29"; null where shipping has none. */
export function shippingDetail(shippingTaxPaise: number): string | null {
  return shippingTaxPaise > 0 ? `incl. GST ${formatPaise(shippingTaxPaise)}` : null;
}

/** The offers of an order in one line of text; null where it has none. `names` as `private.offer_names()` writes them. */
export function offerRow(discountPaise: number, names: string): { label: string; value: string } | null {
  if (names === '') return null;
  return discountPaise > 0
    ? { label: `Discount: ${names}`, value: `−${formatPaise(discountPaise)}` }
    : { label: `Offer: ${names}`, value: 'Free delivery' };
}

/** For places that have one line of text: "Shipping charge (incl. GST ₹4.29)". */
export const amountLabels = {
  subtotal: 'Subtotal',
  tax: `Tax (${taxDetail})`,
  shipping(shippingTaxPaise: number): string {
    const detail = shippingDetail(shippingTaxPaise);
    return detail ? `Shipping charge (${detail})` : 'Shipping charge';
  },
} as const;
