import { z } from 'zod';
import { call } from '../../contracts/contract.ts';
import { setNotification } from '../../contracts/stock.ts';
import type { FunctionContext } from '../_shared/context.ts';
import { ProductId } from '../_shared/input.ts';
import { problem } from '../_shared/problem.ts';

const Body = z.strictObject({ product_id: ProductId });

const wanted = { GET: null, POST: true, DELETE: false } as const;

/** Back-in-stock notification for a product: read (GET), subscribe (POST), unsubscribe (DELETE). */
export async function notify(request: Request, { db, customer }: FunctionContext): Promise<Response> {
  if (!isOffered(request.method))
    return problem(405, 'method-not-allowed', 'Use GET, POST or DELETE.', { allow: 'GET, POST, DELETE' });
  if (!customer) return problem(401, 'sign-in-required', 'Please log in to manage notifications.');
  const input =
    request.method === 'GET'
      ? { product_id: new URL(request.url).searchParams.get('product_id') }
      : await request.json().catch(() => null);
  const body = Body.safeParse(input);
  if (!body.success) return problem(400, 'invalid-product', 'product_id must be the number of a product.');
  const subscribed = await call(db.rpc, setNotification, {
    customer_id: customer.id,
    product_id: body.data.product_id,
    wanted: wanted[request.method],
  });
  if (subscribed === null) return problem(404, 'unknown-product', 'We couldn’t find this product.');
  return Response.json({ subscribed });
}

function isOffered(method: string): method is keyof typeof wanted {
  return Object.hasOwn(wanted, method);
}
