// Customers who buy over HTTP by the hundred: written into the database with a complete address, signed in by a token
// made with the shop's own secret. How people really sign in is proven elsewhere.
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Sql } from 'postgres';
import { address } from './buying.ts';
import { instanceKeys } from './instance-keys.ts';

export type BuyerLine = { productId: number; quantity: number; size: 500 | 1000 };
export type FunctionAnswer = { status: number; body: Record<string, unknown> & { error?: { code: string } } };
export type Paid = { razorpay_payment_id: string; razorpay_order_id: string; razorpay_signature: string };

export type Buyer = {
  id: string;
  token: string;
  call(name: string, body: unknown): Promise<FunctionAnswer>;
  quote(lines: BuyerLine[], source?: 'cart' | 'direct'): Promise<FunctionAnswer>;
  create(quote: FunctionAnswer): Promise<FunctionAnswer>;
  pay(created: FunctionAnswer, wish?: Record<string, unknown>): Promise<Paid>;
  place(paid: Paid): Promise<FunctionAnswer>;
  /** From quote to order: what came of it, and where it ended. */
  buy(
    lines: BuyerLine[],
    wish?: Record<string, unknown>,
  ): Promise<{ outcome: string; orderId?: string; paymentId?: string }>;
};

/** How a body is posted to the shop; the benchmark brings a lighter way. */
export type Post = (
  path: string,
  body: string,
  headers: Record<string, string>,
) => Promise<{ status: number; text: string }>;

export async function newBuyers(
  sql: Sql,
  shop: { url: string; backendUrl?: string; dataDir: string },
  count: number,
  send: Post = fetchFrom(shop.backendUrl ?? shop.url),
): Promise<Buyer[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await sql`insert into auth.users ${sql(ids.map((id) => ({ id, email: `${id}@example.com` })))}`;
  await sql`insert into public.user_profiles ${sql(ids.map((id) => ({ user_id: id, ...address })))}`;
  return Promise.all(
    ids.map(async (id) => {
      return buyer(shop.url, id, await mintToken(shop.dataDir, id), send);
    }),
  );
}

/** What signing in would have returned. */
export function mintToken(dataDir: string, userId: string): Promise<string> {
  return new SignJWT({ sub: userId, role: 'authenticated', aud: 'authenticated' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(instanceKeys(dataDir).jwtSecret));
}

function fetchFrom(url: string): Post {
  return async (path, body, headers) => {
    const response = await fetch(url + path, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  };
}

function buyer(url: string, id: string, token: string, send: Post): Buyer {
  const post = async (path: string, body: unknown, headers: Record<string, string>) => {
    const { status, text } = await send(path, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
    return { status, body: JSON.parse(text) as FunctionAnswer['body'] };
  };
  const call = (name: string, body: unknown) =>
    post(`/functions/v1/${name}`, body, { authorization: `Bearer ${token}` });

  const self: Buyer = {
    id,
    token,
    call,
    quote: (orders, source = 'cart') => call('getShippingPrice', { orders, delivery: { pincode: '400001' }, source }),
    create: ({ body }) => call('createOrder', { amount: body.total, currency: 'INR', quote_id: body.quote_id }),
    async pay({ body }, wish = {}) {
      const paid = await post('/test-payments/pay', { order_id: body.id, outcome: 'pay', ...wish }, { origin: url });
      return paid.body as unknown as Paid;
    },
    place: (paid) =>
      call('placeOrder', {
        provider_order_id: paid.razorpay_order_id,
        payment_id: paid.razorpay_payment_id,
        signature: paid.razorpay_signature,
      }),
    async buy(lines, wish) {
      const quote = await self.quote(lines);
      if (quote.status !== 200) return { outcome: refusal(quote) };
      const created = await self.create(quote);
      if (created.status !== 201) return { outcome: refusal(created) };
      const paid = await self.pay(created, wish);
      const placed = await self.place(paid);
      const paymentId = paid.razorpay_payment_id;
      if (placed.status !== 201) return { outcome: refusal(placed), paymentId };
      return { outcome: 'ordered', orderId: String(placed.body.order_id), paymentId };
    },
  };
  return self;
}

function refusal({ status, body }: FunctionAnswer): string {
  return body.error?.code ?? String(status);
}
