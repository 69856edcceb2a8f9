const reasons: Record<string, string> = {
  'sold-out': 'It sold out before your payment arrived.',
  'second-payment': 'This was paid twice.',
  'wrong-amount': 'The amount was not the one we asked for.',
  'given-back': 'This payment was given back before it became an order.',
};

/** Why a payment never became an order, in the words of the page, the history and the function alike. */
export function refundReason(reason: string): string {
  return reasons[reason] ?? 'Your payment could not become an order.';
}
