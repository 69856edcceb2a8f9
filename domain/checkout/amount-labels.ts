import { formatPaise } from '../money.ts';

// The amounts of an order, labelled the same in the cart, the order history, the console, messages and documents. The invoice
// splits the same amounts by law: its GST is the GST on items and the GST in shipping together.

/** What "Tax" is: shipping has its own. */
export const taxDetail = 'GST on items';

/** "incl. GST ₹4.29"; null where shipping has none. */
export function shippingDetail(shippingTaxPaise: number): string | null {
  return shippingTaxPaise > 0 ? `incl. GST ${formatPaise(shippingTaxPaise)}` : null;
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
