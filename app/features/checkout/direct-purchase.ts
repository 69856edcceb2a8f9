import type { Session } from '#app/backend/session.tsx';
import type { CartLine } from '#domain/cart/cart.ts';
import type { Quote } from '#domain/checkout/quote.ts';
import { offerCode, setOfferCode } from './offer-code-store.ts';
import { purchase } from './purchase.ts';

// The amounts last shown for something that was not paid: opened again, it is the same order.
let unpaid: { what: string; quote: Quote } | null = null;

export type DirectPurchase = {
  session: Session;
  line: CartLine;
  /** The day that was chosen; null: as soon as possible. */
  deliveryOn: string | null;
  goTo(path: string): Promise<void> | void;
  /** The customer leaves to sign in or to complete the address, and comes back. */
  onLeave(): void;
};

/** Buys one thing from its page or modal. Cart and checkout list stay as they are. */
export async function buyDirectly({ session, line, deliveryOn, goTo, onLeave }: DirectPurchase): Promise<void> {
  const code = offerCode();
  const what = JSON.stringify([session.who?.id, line, deliveryOn, code]);
  const mayBePaid = await purchase({
    session,
    wanted: { source: 'direct', lines: [line], fulfilment: 'delivery', deliveryOn, code },
    agreed: unpaid?.what === what ? unpaid.quote : null,
    onQuote: (answer) => {
      unpaid = answer.ok ? { what, quote: answer.quote } : null;
    },
    onStep: () => {},
    goTo,
    takeBought: () => {},
    onLeave,
  });
  if (!mayBePaid) return;
  unpaid = null;
  setOfferCode(null);
}
