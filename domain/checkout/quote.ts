import { type Paise, paise, paiseFromRupees } from '../money.ts';

/** What an order would cost, good until it expires. */
export type Quote = {
  id: string;
  subTotalPaise: Paise;
  taxPaise: Paise;
  shippingPaise: Paise;
  /** The GST that is in the shipping charge. */
  shippingTaxPaise: Paise;
  totalPaise: Paise;
  /** The day it arrives, as YYYY-MM-DD; null when it is picked up. */
  deliveryBy: string | null;
  /** The first day on which it can be picked up; null when it is delivered. */
  collectFrom: string | null;
  expiresAt: Date;
};

export type Amounts = Pick<Quote, 'subTotalPaise' | 'taxPaise' | 'shippingPaise' | 'shippingTaxPaise' | 'totalPaise'>;

export const noAmounts: Amounts = {
  subTotalPaise: paise(0),
  taxPaise: paise(0),
  shippingPaise: paise(0),
  shippingTaxPaise: paise(0),
  totalPaise: paise(0),
};

/** Parses the response of getShippingPrice, in rupees; null when it is invalid. */
export function parseQuote(answer: unknown): Quote | null {
  const {
    quote_id,
    sub_total,
    tax,
    shipping_rate,
    shipping_tax = 0,
    total,
    delivery_by,
    collect_from,
    expires_at,
  } = (answer ?? {}) as Record<string, unknown>;
  if (typeof quote_id !== 'string' || typeof expires_at !== 'string') return null;
  try {
    return {
      id: quote_id,
      subTotalPaise: rupees(sub_total),
      taxPaise: rupees(tax),
      shippingPaise: rupees(shipping_rate),
      shippingTaxPaise: rupees(shipping_tax),
      totalPaise: rupees(total),
      deliveryBy: typeof delivery_by === 'string' ? delivery_by : null,
      collectFrom: typeof collect_from === 'string' ? collect_from : null,
      expiresAt: new Date(expires_at),
    };
  } catch {
    return null;
  }
}

function rupees(value: unknown): Paise {
  return paiseFromRupees(typeof value === 'number' ? value.toFixed(2) : String(value));
}

/** Whether enough time is left to pay with it. */
export function hasTimeToPay(quote: Quote, now: Date): boolean {
  return quote.expiresAt.getTime() - now.getTime() > 5_000;
}

/** Whether it arrives later than agreed. */
export function isDeliveredLater({ deliveryBy }: Quote, agreed: Quote): boolean {
  return deliveryBy !== null && agreed.deliveryBy !== null && deliveryBy > agreed.deliveryBy;
}
