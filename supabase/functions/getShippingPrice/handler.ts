import { z } from 'zod';
import { maxQuantity } from '../../../domain/cart/cart.ts';
import { codeSentence } from '../../../domain/offers/code-problem.ts';
import { plainCode } from '../../../domain/offers/offer.ts';
import { isPincode } from '../../../domain/profile.ts';
import { quoteOrder } from '../../contracts/checkout.ts';
import { call } from '../../contracts/contract.ts';
import type { FunctionContext } from '../_shared/context.ts';
import { ProductId, postedBody } from '../_shared/input.ts';
import { problem } from '../_shared/problem.ts';
import { refuse } from '../_shared/refusals.ts';

const Size = z.union([z.literal([500, 1000]), z.enum(['500', '1000']).transform(Number)]);
const Line = z.strictObject({ productId: ProductId, quantity: z.int().min(1).max(maxQuantity), size: Size });
const Pieces = z.strictObject({ productId: ProductId, pieces: z.int().min(1).max(48) });
const Box = z.strictObject({
  box_id: z.int().min(1),
  quantity: z.int().min(1).max(maxQuantity),
  contents: z.array(Pieces).min(1).max(48),
});
const Pincode = z.union([z.string(), z.int().transform(String)]);
const Body = z
  .strictObject({
    orders: z.array(Line).max(100),
    /** Boxes that the customer filled; orders may be empty beside them. */
    boxes: z.array(Box).max(20).default([]),
    delivery: z.strictObject({ pincode: Pincode }).optional(),
    source: z.enum(['cart', 'direct']).default('direct'),
    fulfilment: z.enum(['delivery', 'pickup']).default('delivery'),
    /** The day that the customer chose; left out: the earliest. */
    delivery_on: z.iso
      .date()
      // PostgreSQL knows no year 0.
      .refine((day) => day >= '2000')
      .optional(),
    /** Of an offer, as typed. One that does not count does not fail the quote. */
    code: z.string().max(100).transform(plainCode).optional(),
  })
  .refine(({ orders, boxes }) => orders.length + boxes.length > 0);

/** What an order would cost: priced from the database, and good for fifteen minutes. */
export async function getShippingPrice(request: Request, { db, customer, now }: FunctionContext): Promise<Response> {
  if (request.method === 'POST' && !customer)
    return problem(401, 'sign-in-required', 'You need to log in to calculate totals.');
  const posted = await postedBody(request, Body);
  if (!posted.ok) return posted.response;
  const { orders, boxes, delivery, source, fulfilment, delivery_on, code } = posted.body;
  const pincode = delivery?.pincode.trim() ?? '';
  if (fulfilment === 'delivery' && !isPincode(pincode))
    return problem(400, 'invalid-pincode', 'Please update your address with a valid pincode to calculate shipping.');
  if (fulfilment === 'pickup' && delivery_on)
    return problem(400, 'day-of-pickup', 'A delivery day can be chosen for deliveries only.');

  const quote = await call(db.rpc, quoteOrder, {
    customer_id: customer?.id ?? null,
    lines: [
      ...orders.map(({ productId, quantity, size }) => ({ product_id: productId, quantity, size })),
      ...boxes.map(({ box_id, quantity, contents }) => ({
        box_id,
        quantity,
        contents: contents.map(({ productId, pieces }) => ({ product_id: productId, pieces })),
      })),
    ],
    pincode: fulfilment === 'delivery' ? pincode : '',
    source,
    fulfilment,
    at: now().toISOString(),
    ...(delivery_on && { delivery_on }),
    ...(code && { code }),
  });
  if (!quote.ok) return refuse(quote);
  return Response.json({
    shipping_rate: quote.shipping_paise / 100,
    sub_total: quote.sub_total_paise / 100,
    tax: quote.tax_paise / 100,
    total: quote.total_paise / 100,
    quote_id: quote.quote_id,
    expires_at: quote.expires_at,
    delivery_by: quote.delivery_by,
    shipping_tax: quote.shipping_tax_paise / 100,
    discount: quote.discount_paise / 100,
    offers: quote.offers.map(({ code, name, kind, discount_paise, shipping_paise }) => ({
      code,
      name,
      kind,
      discount: discount_paise / 100,
      shipping: shipping_paise / 100,
    })),
    ...(quote.code_problem && {
      code_problem: { reason: quote.code_problem.reason, message: codeSentence(quote.code_problem) },
    }),
    ...(fulfilment === 'pickup' ? { collect_from: quote.collect_from } : {}),
  });
}
