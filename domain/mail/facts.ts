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
  taxPaise: number;
  shippingPaise: number;
  /** The GST in it; left out: none. */
  shippingTaxPaise?: number;
  totalPaise: number;
  /** false for an order taken by phone that nobody has paid yet; left out: paid. */
  isPaid?: boolean;
  fulfilment: 'delivery' | 'pickup';
  address: { building: string; street: string; city: string; state: string; zip: string } | null;
  phone: string;
  /** yyyy-mm-dd */
  deliveryBy: string | null;
  courier: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
  cancelReason: string | null;
  /** What the shop wrote to the customer when the order got here. */
  note?: string | null;
  canceledBy: 'customer' | 'shop' | null;
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
  /** Why the money came back. */
  reason: 'order-canceled' | 'order-refunded' | 'sold-out' | 'wrong-amount' | 'second-payment' | 'other';
};

/** We could not make an order of this payment; the money is on its way back. */
export type PaymentRefusedFacts = {
  template: 'payment-refused';
  shop: ShopFacts;
  name: string;
  amountPaise: number;
  reason: 'sold-out' | 'wrong-amount' | 'second-payment';
};

export type BackInStockFacts = {
  template: 'back-in-stock';
  shop: ShopFacts;
  name: string | null;
  product: { name: string; url: string; imageUrl: string | null; pricePaise: number };
};

export type MailFacts = OrderMailFacts | RefundProcessedFacts | PaymentRefusedFacts | BackInStockFacts;
