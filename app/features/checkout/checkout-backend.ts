import { callFunction } from '#app/backend/client.ts';
import type { Session } from '#app/backend/session.tsx';
import type { BookAddress } from '#domain/addresses/address-book.ts';
import { type CheckoutState, parseCheckoutState } from '#domain/checkout/checkout-state.ts';
import { type QuoteProblem, quoteProblem, type Refusal } from '#domain/checkout/messages.ts';
import { isBox, isProduct, type OrderLine } from '#domain/checkout/order-line.ts';
import { parseQuote, type Quote } from '#domain/checkout/quote.ts';
import type { Gift } from '#domain/gifts/gift.ts';
import { type Paise, paise } from '#domain/money.ts';
import type { Fulfilment } from '#domain/orders/status.ts';
import { isPincode, type Profile, profileFrom } from '#domain/profile.ts';

/** What the customer pays for. `cart` ships for one price, `direct` by zone and weight. */
export type Wanted = {
  source: 'cart' | 'direct';
  lines: readonly OrderLine[];
  fulfilment: Fulfilment;
  /** An address of the customer's book; left out: their own. */
  to?: BookAddress | null;
  gift?: Gift | null;
  /** The delivery day that was chosen; null: the earliest. */
  deliveryOn: string | null;
  /** The offer code that was typed; left out or null: none. */
  code?: string | null;
};

export type QuoteAnswer = { ok: true; quote: Quote } | { ok: false; problem: QuoteProblem };

export type Customer = Profile & { id: string };

/** Who is signed in, with the address as it is stored now; null when it cannot be read. */
export async function readCustomer(session: Session): Promise<Customer | null> {
  try {
    const client = await session.client();
    const { data } = await client.auth.getSession();
    const id = data.session?.user.id;
    if (!id) return null;
    const { data: row, error } = await client
      .from('user_profiles')
      .select('phone, building_no, street, city, state, zip')
      .eq('user_id', id)
      .maybeSingle();
    if (error) return null;
    return { id, ...profileFrom(row) };
  } catch {
    return null;
  }
}

/** The price, or why there is none. `known` are facts of the customer that were read already. */
export async function askQuote(session: Session, wanted: Wanted, known?: Customer): Promise<QuoteAnswer> {
  if (!navigator.onLine) return { ok: false, problem: { reason: 'offline' } };
  const access = await session.token();
  if (!access.ok) return { ok: false, problem: { reason: access.reason === 'signed-out' ? 'signed-out' : 'no-token' } };
  const { source, lines, fulfilment, to, deliveryOn, code } = wanted;
  const customer = known ?? (await readCustomer(session));
  if (!customer) return { ok: false, problem: { reason: 'failed', sentence: null } };
  const pincode = (to ?? customer).zip.trim();
  if (fulfilment === 'delivery' && !isPincode(pincode)) return { ok: false, problem: { reason: 'no-pincode' } };
  const boxes = lines.filter(isBox);
  const answer = await callFunction(session.config, 'getShippingPrice', {
    method: 'POST',
    token: access.token,
    body: {
      orders: lines.filter(isProduct),
      ...(boxes.length > 0 && { boxes: boxes.map(({ boxId, ...box }) => ({ box_id: boxId, ...box })) }),
      source,
      fulfilment,
      ...(fulfilment === 'delivery' ? { delivery: { pincode } } : {}),
      ...(fulfilment === 'delivery' && deliveryOn ? { delivery_on: deliveryOn } : {}),
      ...(code ? { code } : {}),
    },
  });
  if (!answer.ok) return { ok: false, problem: quoteProblem(answer) };
  const quote = parseQuote(answer.data);
  return quote ? { ok: true, quote } : { ok: false, problem: { reason: 'failed', sentence: null } };
}

/** The provider's order, and what its widget needs. */
export type ProviderOrder = {
  id: string;
  provider: 'razorpay' | 'test';
  amountPaise: Paise;
  currency: string;
  key: string;
  shopName: string;
  prefill: { name: string; email: string; contact: string };
  timeoutSeconds: number;
};

export type OrderResponse = { ok: true; order: ProviderOrder } | { ok: false; refusal: Refusal };

export async function createOrder(
  session: Session,
  token: string,
  quote: Quote,
  { to, gift }: Pick<Wanted, 'to' | 'gift'> = {},
): Promise<OrderResponse> {
  const answer = await callFunction(session.config, 'createOrder', {
    method: 'POST',
    token,
    body: {
      amount: quote.totalPaise / 100,
      currency: 'INR',
      quote_id: quote.id,
      ...(to && { address_id: to.id }),
      ...(gift && {
        gift: {
          note: gift.note,
          motif: gift.motif,
          sender_name: gift.senderName,
          recipient_email: gift.recipientEmail || null,
        },
      }),
    },
  });
  return answer.ok ? { ok: true, order: providerOrderFrom(answer.data) } : { ok: false, refusal: answer };
}

/** The response of createOrder, and of createGroupOrder. */
export function providerOrderFrom(data: unknown): ProviderOrder {
  const { amount, name, timeout, ...rest } = data as Omit<
    ProviderOrder,
    'amountPaise' | 'shopName' | 'timeoutSeconds'
  > & { amount: number; name: string; timeout: number };
  return { ...rest, amountPaise: paise(amount), shopName: name, timeoutSeconds: timeout };
}

export type Payment = { paymentId: string; signature: string };
export type PlaceAnswer = { ok: true; isOrdered: boolean } | { ok: false; refusal: Refusal };

export async function placeOrder(session: Session, order: ProviderOrder, payment: Payment): Promise<PlaceAnswer> {
  const access = await session.token();
  if (!access.ok) return { ok: false, refusal: { status: 401, code: 'sign-in-required', message: null } };
  const answer = await callFunction(session.config, 'placeOrder', {
    method: 'POST',
    token: access.token,
    body: { provider_order_id: order.id, payment_id: payment.paymentId, signature: payment.signature },
  });
  return answer.ok ? { ok: true, isOrdered: answer.status === 201 } : { ok: false, refusal: answer };
}

/** The state of a payment; null if it could not be read. */
export async function readCheckout(client: Session['client'], providerOrderId: string): Promise<CheckoutState | null> {
  try {
    const { data, error } = await (await client()).rpc('my_checkout', { provider_order_id: providerOrderId });
    return error ? null : parseCheckoutState(data);
  } catch {
    return null;
  }
}
