import type { ClaimDecision, ClaimProblem, ComplaintContact } from '../claims/claim.ts';

/** The shop's own facts, from its settings; all but name and siteUrl may be empty. */
export type ShopFacts = {
  name: string;
  /** The public address; every link to the shop starts with it. */
  siteUrl: string;
  email: string;
  whatsapp: string;
  address: string;
  fssai: string | null;
};

export type OrderFacts = {
  id: string;
  number: number;
  /** ISO, or as PostgreSQL writes it. */
  placedAt: string;
  name: string;
  items: { name: string; quantity: number; sizeGrams: number | null; linePaise: number }[];
  subTotalPaise: number;
  /** What offers took off the goods, and their names; left out: none. */
  discountPaise?: number;
  offers?: string;
  taxPaise: number;
  shippingPaise: number;
  /** The GST in it; left out: none. */
  shippingTaxPaise?: number;
  totalPaise: number;
  /** false for an order taken by phone that is not paid yet; left out: paid. */
  isPaid?: boolean;
  fulfilment: 'delivery' | 'pickup';
  address: { building: string; street: string; city: string; state: string; zip: string } | null;
  phone: string;
  /** yyyy-mm-dd */
  deliveryBy: string | null;
  /** The day that the customer chose; left out: as soon as possible. */
  deliverOn?: string | null;
  /** The day that was chosen first, for which the payment came too late. */
  missedDay?: string | null;
  courier: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
  cancelReason: string | null;
  /** By when the money of a cancelled order is sent back, yyyy-mm-dd; left out: nothing is. */
  refundDueOn?: string | null;
  /** What the shop wrote to the customer when the order got here. */
  note?: string | null;
  canceledBy: 'customer' | 'shop' | null;
  /** The customer's own name, whom the email greets: a parcel may go to another person. */
  buyer?: string | null;
  isGift?: boolean;
  /** Opens this order without a login; left out: the order history does, with one. */
  followUrl?: string;
};

export type OrderMailFacts = {
  template: 'order-placed' | 'order-confirmed' | 'order-shipped' | 'order-ready' | 'order-delivered' | 'order-canceled';
  shop: ShopFacts;
  order: OrderFacts;
};

export type RefundProcessedFacts = {
  template: 'refund-processed';
  shop: ShopFacts;
  name: string;
  amountPaise: number;
  order: OrderFacts | null;
  reason: RefundReason;
  /** yyyy-mm-dd */
  sentOn: string | null;
  /** How the shop paid it back itself; null: the provider sent it the way it was paid. */
  method: 'cash' | 'upi' | 'card' | 'bank' | null;
  /** The bank's own reference. */
  reference: string | null;
  providerRefundId: string | null;
};

/** Why the money came back. */
export type RefundReason =
  | 'order-canceled'
  | 'order-refunded'
  | 'sold-out'
  | 'offer-used-up'
  | 'wrong-amount'
  | 'second-payment'
  | 'other';

/** A refund that is not sent within half an hour of when it was made, or not by its due day. */
export type RefundOpenFacts = {
  template: 'refund-started' | 'refund-delayed';
  shop: ShopFacts;
  name: string;
  amountPaise: number;
  order: OrderFacts | null;
  reason: RefundReason;
  /** yyyy-mm-dd */
  dueOn: string;
  /** Nothing is tried any more until an administrator decides. */
  isGivenUp: boolean;
};

/** We could not make an order of this payment; the money is on its way back. */
export type PaymentRefusedFacts = {
  template: 'payment-refused';
  shop: ShopFacts;
  name: string;
  amountPaise: number;
  reason: 'sold-out' | 'offer-used-up' | 'wrong-amount' | 'second-payment';
  /** yyyy-mm-dd */
  dueOn: string;
};

export type BackInStockFacts = {
  template: 'back-in-stock';
  shop: ShopFacts;
  name: string | null;
  product: { name: string; url: string; imageUrl: string | null; pricePaise: number };
};

/** To the person who gets a gift: no amounts, and nothing of the buyer but the name they chose. */
export type GiftMailFacts = {
  template: 'gift-on-its-way';
  shop: ShopFacts;
  name: string;
  sender: string;
  city: string;
  /** yyyy-mm-dd */
  deliveryBy: string | null;
  courier: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
};

/** To a customer who agreed to it: before a festival, the gifts they sent for it last year. */
export type GiftReminderFacts = {
  template: 'gift-reminder';
  shop: ShopFacts;
  name: string | null;
  festival: string;
  /** yyyy-mm-dd: the last day to order. */
  orderBy: string;
  gifts: { recipient: string; city: string; items: string }[];
  /** How many there were besides. */
  more: number;
  historyUrl: string;
  /** Stops reminders without a login. */
  stopUrl: string;
};

/** Some days after an order arrived, once: what the customer has not reviewed of it. */
export type ReviewRequestFacts = {
  template: 'review-request';
  shop: ShopFacts;
  name: string | null;
  number: number;
  /** yyyy-mm-dd */
  arrivedOn: string;
  products: { name: string; url: string }[];
  stopUrl: string;
};

/** To a customer who agreed to it: what they left in the checkout, once. */
export type CartReminderFacts = {
  template: 'cart-reminder';
  shop: ShopFacts;
  name: string | null;
  items: { name: string; quantity: number; sizeGrams: number | null }[];
  /** Puts the items back into the cart, on any device. */
  restoreUrl: string;
  stopUrl: string;
};

/** Many recipients, one payment: one email for all of them. */
export type GroupPlacedFacts = {
  template: 'group-placed';
  shop: ShopFacts;
  name: string;
  /** `orderId`: the order of its first recipient, where the history opens. */
  group: { orderId: string; recipients: number; totalPaise: number; placedAt: string };
};

export type ClaimFacts = {
  ticket: string;
  /** The signed link of the order, where the ticket is. */
  followUrl: string;
  orderNumber: number;
  /** null: not decided yet. */
  decision: ClaimDecision | null;
  acknowledgeBy: string;
  /** yyyy-mm-dd: by when what was decided is done. */
  settleBy: string | null;
  items: { name: string; quantity: number; problem: ClaimProblem }[];
  refundPaise: number;
  /** Whom the law lets the customer complain to. */
  contact: ComplaintContact;
  /** Paid at the counter or by UPI: the money is not sent by the provider. */
  isOffline: boolean;
  /** What the shop wrote. */
  words: string | null;
  courier: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
};

/** About a problem that a customer reported. */
export type ClaimMailFacts = {
  template: 'claim-received' | 'claim-answered' | 'claim-decided' | 'claim-sent';
  shop: ShopFacts;
  name: string;
  claim: ClaimFacts;
};

export type MailFacts =
  | ClaimMailFacts
  | GroupPlacedFacts
  | GiftMailFacts
  | GiftReminderFacts
  | OrderMailFacts
  | RefundProcessedFacts
  | RefundOpenFacts
  | PaymentRefusedFacts
  | ReviewRequestFacts
  | CartReminderFacts
  | BackInStockFacts;
