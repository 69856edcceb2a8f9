/** How a payment stands, as every screen calls it. */
export const paymentTitles = {
  unpaid: 'Unpaid',
  paid: 'Paid',
  paid_offline: 'Paid offline',
  refund_pending: 'Refund on its way',
  partially_refunded: 'Refunded in part',
  refunded: 'Refunded',
  refund_failed: 'Refund failed',
} as const;
