export const paymentStatuses = [
  'unpaid',
  'paid',
  'paid_offline',
  'refund_pending',
  'partially_refunded',
  'refunded',
  'refund_failed',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** How a payment stands, as every screen calls it. */
export const paymentTitles = {
  unpaid: 'Unpaid',
  paid: 'Paid',
  paid_offline: 'Paid offline',
  refund_pending: 'Refund in progress',
  partially_refunded: 'Partly refunded',
  refunded: 'Refunded',
  refund_failed: 'Refund failed',
} as const;
