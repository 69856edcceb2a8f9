export const messageChannels = ['whatsapp', 'sms'] as const;
export type MessageChannel = (typeof messageChannels)[number];

/** Messages that the shop sends on other channels than email. All are about an order: none has a purpose of its own. */
export const messageTemplates = [
  'order-placed',
  'group-placed',
  'order-shipped',
  'order-ready',
  'order-delivered',
  'order-canceled',
  'refund-processed',
] as const;
export type MessageTemplate = (typeof messageTemplates)[number];

/** What a message says, from private.message_content. */
export type MessageFacts = {
  template: MessageTemplate;
  shopName: string;
  /** null: a refund of a payment that became no order. */
  number: number | null;
  isPickup: boolean | null;
  /** yyyy-mm-dd */
  deliveryBy: string | null;
  isChosenDay: boolean;
  courier: string | null;
  trackingNumber: string | null;
  /** Of a group. */
  recipients: number | null;
  /** What was paid, or refunded. */
  amountPaise: number | null;
  /** The order in the customer's history. */
  url: string;
};
