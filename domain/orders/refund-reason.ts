const reasons: Record<string, string> = {
  'sold-out': 'It sold out before your payment arrived.',
  'offer-used-up': 'The offer was used up before your payment arrived.',
  'second-payment': 'This order was already paid.',
  'wrong-amount': 'The amount paid didn’t match the order.',
  'given-back': 'This payment was refunded before the order was placed.',
};

/** Why a payment never became an order, in the words of the page, the history and the function alike. */
export function refundReason(reason: string): string {
  return reasons[reason] ?? 'We couldn’t place an order for this payment.';
}
