import { type Paise, paise, paiseFromRupees } from '../money.ts';
import type { OfferKind } from '../offers/offer.ts';

/** What an offer did to the amounts. */
export type OfferLine = {
  code: string | null;
  name: string;
  kind: OfferKind;
  discountPaise: Paise;
  /** The delivery charge that was not taken. */
  shippingPaise: Paise;
};

/** What an order would cost, good until it expires. */
export type Quote = {
  id: string;
  subTotalPaise: Paise;
  taxPaise: Paise;
  shippingPaise: Paise;
  /** The GST that is in the shipping charge. */
  shippingTaxPaise: Paise;
  totalPaise: Paise;
  /** Line by line; empty without any. */
  offers: readonly OfferLine[];
  /** Why the code that was typed does not count, in a sentence. */
  codeProblem: string | null;
  /** The day it arrives, as YYYY-MM-DD; null when it is picked up. */
  deliveryBy: string | null;
  /** The first day on which it can be picked up; null when it is delivered. */
  collectFrom: string | null;
  expiresAt: Date;
};

export type Amounts = Pick<Quote, 'subTotalPaise' | 'taxPaise' | 'shippingPaise' | 'shippingTaxPaise' | 'totalPaise'> &
  Partial<Pick<Quote, 'offers'>>;

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
    offers = [],
    code_problem,
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
      offers: offersFrom(offers),
      codeProblem: problemFrom(code_problem),
      deliveryBy: typeof delivery_by === 'string' ? delivery_by : null,
      collectFrom: typeof collect_from === 'string' ? collect_from : null,
      expiresAt: new Date(expires_at),
    };
  } catch {
    return null;
  }
}

function offersFrom(offers: unknown): OfferLine[] {
  if (!Array.isArray(offers)) return [];
  return offers.map(({ code, name, kind, discount, shipping }: Record<string, unknown>) => ({
    code: typeof code === 'string' ? code : null,
    name: String(name),
    kind: kind === 'percent' || kind === 'amount' ? kind : 'free-delivery',
    discountPaise: rupees(discount),
    shippingPaise: rupees(shipping),
  }));
}

function problemFrom(problem: unknown): string | null {
  const { message } = (problem ?? {}) as Record<string, unknown>;
  return typeof message === 'string' ? message : null;
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
