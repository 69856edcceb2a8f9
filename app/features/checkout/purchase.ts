import type { Session } from '#app/backend/session.tsx';
import { clearToasts, type ToastKind, toast } from '#app/ui/toast.tsx';
import {
  isAlreadyPaid,
  orderProblem,
  purchaseMessages,
  type QuoteProblem,
  totalsMessage,
} from '#domain/checkout/messages.ts';
import { isProduct } from '#domain/checkout/order-line.ts';
import { hasTimeToPay, isDeliveredLater, type Quote } from '#domain/checkout/quote.ts';
import { arrivesBy } from '#domain/delivery/delivery-messages.ts';
import { formatPaise } from '#domain/money.ts';
import { addressWarning } from '#domain/profile.ts';
import {
  askQuote,
  type Customer,
  createOrder,
  type ProviderOrder,
  type QuoteAnswer,
  readCustomer,
  type Wanted,
} from './checkout-backend.ts';
import { showEarlierPayment, showPaidGoods, warnOfLeftPayment } from './earlier-payment.ts';
import { rememberPayment, type TakeBought } from './payment-notes.ts';
import { settleOutcome } from './settle-outcome.ts';
import { openWidget } from './widget.ts';

export type PurchaseStep = 'opening' | 'paying' | 'placing';

export type Purchase = {
  session: Session;
  wanted: Wanted;
  /** The amounts the customer has looked at; null when none were shown yet: the widget shows them. */
  agreed: Quote | null;
  /** Amounts were asked for again, or it turned out that there are none. */
  onQuote(answer: QuoteAnswer): void;
  onStep(step: PurchaseStep): void;
  goTo(path: string): Promise<void> | void;
  takeBought: TakeBought;
  /** The customer leaves to sign in or to complete the address, and comes back. */
  onLeave?(): void;
};

let isUnderWay = false;

/**
 * Buys: checks who it is and where it goes, binds the amounts, opens the payment and places the order. Shows
 * all messages. True when the payment may have been made, so that the same order must not be opened again. One at a time,
 * however often it is asked for.
 */
export async function purchase(wish: Purchase): Promise<boolean> {
  if (isUnderWay) return false;
  isUnderWay = true;
  clearToasts();
  try {
    return await buy(wish);
  } catch (error) {
    reportError(error);
    toast('error', purchaseMessages.unexpected);
    return false;
  } finally {
    isUnderWay = false;
  }
}

async function buy(wish: Purchase): Promise<boolean> {
  const { session, wanted } = wish;
  if (!navigator.onLine) {
    say('warning', purchaseMessages.offline);
    return false;
  }
  wish.onStep('opening');
  const access = await session.token();
  if (!access.ok) {
    if (access.reason === 'signed-out') await signInToBuy(wish);
    else say('error', totalsMessage({ reason: 'no-token' }));
    return false;
  }
  const customer = await readCustomer(session);
  if (!customer) {
    say('error', purchaseMessages.unexpected);
    return false;
  }
  const missing = wanted.to ? null : addressWarning(customer, wanted.fulfilment);
  if (missing) {
    sayAddress(wish, missing);
    return false;
  }
  if (await showEarlierPayment(wish, customer.id)) return true;
  if (await warnOfLeftPayment(wish, customer.id)) return false;
  const opened = await openOrder(wish, access.token, customer);
  if (!opened) return false;
  if (opened === 'paid-already') {
    await showPaidGoods(wish, customer.id);
    return true;
  }

  const { order, quote } = opened;
  rememberPayment({
    providerOrderId: order.id,
    userId: customer.id,
    source: wanted.source,
    lines: [...wanted.lines],
    startedAt: Date.now(),
    standing: 'open',
  });
  wish.onStep('paying');
  const outcome = await openWidget({
    order,
    quote,
    onAttemptFailed: (description) => {
      if (!isAlreadyPaid(description)) say('error', purchaseMessages.paymentFailed, description);
    },
  });
  if (outcome.outcome === 'paid') wish.onStep('placing');
  return settleOutcome(outcome, order, wish);
}

/** Time to read why the page is left. */
const readingMs = 2000;

/** Says why, and starts the sign-in, which comes back to this page. */
async function signInToBuy({ session, onLeave }: Purchase): Promise<void> {
  say('warning', purchaseMessages.logInFirst);
  await new Promise((resolve) => setTimeout(resolve, readingMs));
  onLeave?.();
  const started = await session.signIn();
  if (!started.ok) say('error', started.message);
}

/** The provider's order for amounts that the customer knows. Stale ones are asked for again, once, by themselves. */
async function openOrder(
  wish: Purchase,
  token: string,
  customer: Customer,
): Promise<{ order: ProviderOrder; quote: Quote } | 'paid-already' | null> {
  const { session, wanted, agreed, onQuote } = wish;
  let quote = agreed && hasTimeToPay(agreed, new Date()) ? agreed : null;
  for (const isLastTry of [false, true]) {
    if (!quote) {
      const answer = await askQuote(session, wanted, customer);
      onQuote(answer);
      if (!answer.ok) return sayNoQuote(wish, answer.problem);
      quote = answer.quote;
      // Not looked at yet: a code that does not count must not become a higher price unnoticed.
      if (!agreed && wanted.code && quote.codeProblem) {
        say(
          'warning',
          `${quote.codeProblem} Without it you pay ${formatPaise(quote.totalPaise)}: press Buy Now again.`,
        );
        return null;
      }
      if (agreed && quote.totalPaise !== agreed.totalPaise) {
        say('warning', `The total is now ${formatPaise(quote.totalPaise)}. Please check it and press Buy Now again.`);
        return null;
      }
      if (agreed && isDeliveredLater(quote, agreed)) {
        say('warning', `${arrivesBy(quote.deliveryBy ?? '')} now. Please check it and press Buy Now again.`);
        return null;
      }
    }
    const created = await createOrder(session, token, quote, wanted);
    if (created.ok) return { order: created.order, quote };
    const problem = orderProblem(created.refusal);
    if (problem.next === 'show-order') return 'paid-already';
    if (problem.next === 'complete-address') return sayAddress(wish, problem.text);
    if (problem.next === 'stop') return say(problem.kind, problem.text, problem.sentence);
    if (problem.next === 'change-goods') {
      onQuote({ ok: false, problem: { reason: 'failed', sentence: problem.sentence } });
      return say('error', problem.text, problem.sentence);
    }
    if (isLastTry) return say('error', `Server error: ${created.refusal.status}`, created.refusal.message);
    quote = null;
  }
  return null;
}

function say(kind: ToastKind, text: string, sentence: string | null = null): null {
  toast(kind, text);
  if (sentence) toast('info', sentence);
  return null;
}

/** From a product the profile leads back to it, from the cart to the cart. */
function sayAddress({ wanted, onLeave }: Purchase, text: string): null {
  const [line] = wanted.source === 'direct' ? wanted.lines : [];
  const href = line && isProduct(line) ? `/profile?product=${line.productId}` : '/profile';
  toast('warning', text, { href, label: 'Go to profile', onFollow: onLeave });
  return null;
}

function sayNoQuote(wish: Purchase, problem: QuoteProblem): null {
  if (problem.reason === 'no-pincode') return sayAddress(wish, totalsMessage(problem));
  return say('error', totalsMessage(problem));
}
