import { forget, recall, remember } from '#app/backend/remembered.ts';
import { clearToasts, toast } from '#app/ui/toast.tsx';
import { purchaseMessages } from '#domain/checkout/messages.ts';
import type { OrderLine } from '#domain/checkout/order-line.ts';
import {
  type DialogState,
  type PendingPayment,
  parsePendingPayments,
  serializePendingPayments,
  withoutPendingPayment,
  withPendingPayment,
} from '#domain/checkout/pending-payments.ts';

const key = 'mithaas-payments';

/** Payments this browser has begun and does not know the end of. Storage may be switched off: then there are none. */
export function paymentNotes(): PendingPayment[] {
  return parsePendingPayments(recall('localStorage', key), Date.now());
}

function store(notes: PendingPayment[]): void {
  // Without storage a closed browser finds its order in the order history all the same.
  if (notes.length === 0) forget('localStorage', key);
  else remember('localStorage', key, serializePendingPayments(notes));
}

export function rememberPayment(note: PendingPayment): void {
  store(withPendingPayment(paymentNotes(), note));
}

export function forgetPayment(providerOrderId: string): void {
  store(withoutPendingPayment(paymentNotes(), providerOrderId));
}

export function markPayment(providerOrderId: string, standing: DialogState): void {
  const notes = paymentNotes();
  store(notes.map((note) => (note.providerOrderId === providerOrderId ? { ...note, standing } : note)));
}

/** What was bought leaves the checkout list. */
export type TakeBought = (lines: readonly OrderLine[]) => void;

/**
 * The payment became an order. Several may notice: the purchase itself, the confirmation page, the cart on return. The
 * first to find the note shows the message and removes the lines; the others do nothing.
 */
export function finishPayment(providerOrderId: string, takeBought: TakeBought, isLinked = false): void {
  const note = paymentNotes().find((one) => one.providerOrderId === providerOrderId);
  if (!note) return;
  forgetPayment(providerOrderId);
  if (note.source === 'cart') takeBought(note.lines);
  clearToasts();
  const link = { href: confirmationPath(providerOrderId), label: 'See your order' };
  toast('success', purchaseMessages.ordered, isLinked ? link : undefined);
}

export function confirmationPath(providerOrderId: string): string {
  return `/order-confirmation/${encodeURIComponent(providerOrderId)}`;
}
