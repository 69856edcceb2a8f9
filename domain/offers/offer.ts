export const offerKinds = ['percent', 'amount', 'free-delivery'] as const;
export type OfferKind = (typeof offerKinds)[number];

/** What an offer gives, and to which goods. */
export type Offer = {
  id: number;
  /** null: automatic. */
  code: string | null;
  name: string;
  kind: OfferKind;
  percent: number | null;
  amountPaise: number | null;
  /** The most that a percentage takes off one order. */
  maxDiscountPaise: number | null;
  /** Of the goods that it applies to, before tax and discount. */
  minOrderPaise: number;
  /** Empty: all of them. */
  categories: readonly string[];
  /** May stand beside others that combine, too. */
  combines: boolean;
};

/** What an offer did to an order. */
export type AppliedOffer = {
  code: string | null;
  name: string;
  kind: OfferKind;
  discountPaise: number;
  /** The delivery charge that was not taken. */
  shippingPaise: number;
};

export const codePattern = /^[A-Z0-9]{3,20}$/;

/** A code as it is compared: capital letters and digits, however it was typed. `private.tidy_code()` is the same rule. */
export const tidyCode = (typed: string): string => typed.replaceAll(/[\s-]+/g, '').toUpperCase();

/** A typed code without anything but letters and digits; of something that has none, a sign that no code has. */
export function plainCode(typed: string): string {
  const code = tidyCode(typed);
  return code === '' ? '' : code.replaceAll(/[^\p{L}\p{N}]/gu, '') || '?';
}
