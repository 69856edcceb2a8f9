import { z } from 'zod';
import {
  type Gift,
  giftErrors,
  giftMotifs,
  longestNote,
  longestSender,
  tidiedGift,
} from '../../../domain/gifts/gift.ts';
import { openCheckout } from '../../contracts/checkout.ts';
import { call } from '../../contracts/contract.ts';
import type { FunctionContext } from '../_shared/context.ts';
import { postedBody } from '../_shared/input.ts';
import { problem } from '../_shared/problem.ts';
import { orderAtProvider } from '../_shared/provider-order.ts';
import { refuse } from '../_shared/refusals.ts';

const Rupees = z
  .number()
  .min(1)
  .max(10_000_000)
  .refine((rupees) => Math.abs(rupees * 100 - Math.round(rupees * 100)) < 1e-6, 'has at most two decimals')
  .transform((rupees) => Math.round(rupees * 100));
const GiftBody = z
  .strictObject({
    note: z.string().max(4 * longestNote),
    motif: z.enum(giftMotifs),
    sender_name: z.string().max(4 * longestSender),
    recipient_email: z.string().max(1000).nullish(),
  })
  .transform(({ note, motif, sender_name, recipient_email }) =>
    tidiedGift({ note, motif, senderName: sender_name, recipientEmail: recipient_email ?? '' }),
  )
  .superRefine((gift, context) => {
    for (const field of Object.keys(giftErrors(gift))) context.addIssue({ code: 'custom', path: [field] });
  });
const Body = z.strictObject({
  amount: Rupees,
  currency: z.literal('INR'),
  quote_id: z.uuid().optional(),
  address_id: z.uuid().optional(),
  gift: GiftBody.optional(),
});

const storedGift = ({ note, motif, senderName, recipientEmail }: Gift) => ({
  note,
  motif,
  sender_name: senderName,
  recipient_email: recipientEmail || null,
});

/** Binds a quote, reserves its stock and creates the provider's order. Idempotent. */
export async function createOrder(request: Request, context: FunctionContext): Promise<Response> {
  const { db, customer, payments, now } = context;
  if (request.method === 'POST' && !customer)
    return problem(401, 'sign-in-required', 'You need to log in to proceed with the purchase.');
  const posted = await postedBody(request, Body);
  if (!posted.ok) return posted.response;
  if (!payments) return problem(503, 'no-payments', 'We don’t take online payments yet. Please write to us.');

  const checkout = await call(db.rpc, openCheckout, {
    customer_id: customer?.id ?? null,
    amount_paise: posted.body.amount,
    quote_id: posted.body.quote_id ?? null,
    at: now().toISOString(),
    ...(posted.body.address_id && { address_id: posted.body.address_id }),
    ...(posted.body.gift && { gift: storedGift(posted.body.gift) }),
    ...(context.addressHash && { ip_hash: context.addressHash }),
  });
  if (!checkout.ok) return refuse(checkout);

  return orderAtProvider(context, payments, { ...checkout, id: checkout.checkout_id });
}
