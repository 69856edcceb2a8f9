import type { Line } from './till.ts';
import { publicEnvironment, type ShopClient, tokenOf, userIdOf } from './visitor.ts';

export const address = {
  phone: '9820012345',
  building_no: '4B',
  street: 'Ranade Road',
  city: 'Mumbai',
  state: 'Maharashtra',
  zip: '400001',
};

/** Everything a parcel needs to arrive. */
export async function setAddress(client: ShopClient): Promise<void> {
  const { error } = await client.from('user_profiles').upsert({ user_id: await userIdOf(client), ...address });
  if (error) throw error;
}

type Priced = { total: number; quote_id: string };
type Paid = { razorpay_order_id: string; razorpay_payment_id: string; razorpay_signature: string };

/** Buys as the browser does, step by step: price, order to pay, test payment, order. Answers the order's id. */
export async function buyOverHttp(shopUrl: string, client: ShopClient, orders: Line[]): Promise<string> {
  const { url, key } = await publicEnvironment(shopUrl);
  const headers = {
    apikey: key,
    authorization: `Bearer ${await tokenOf(client)}`,
    'content-type': 'application/json',
    origin: new URL(shopUrl).origin,
  };
  async function post<T>(path: string, body: unknown): Promise<T> {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }
  const { total, quote_id } = await post<Priced>('/functions/v1/getShippingPrice', {
    orders,
    delivery: { pincode: address.zip },
    source: 'cart',
  });
  const { id } = await post<{ id: string }>('/functions/v1/createOrder', { amount: total, currency: 'INR', quote_id });
  const paid = await post<Paid>('/test-payments/pay', { order_id: id, outcome: 'pay' });
  const { order_id } = await post<{ order_id: string }>('/functions/v1/placeOrder', {
    provider_order_id: paid.razorpay_order_id,
    payment_id: paid.razorpay_payment_id,
    signature: paid.razorpay_signature,
  });
  return order_id;
}
