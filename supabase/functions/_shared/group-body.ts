import { z } from 'zod';
import { maxQuantity } from '../../../domain/cart/cart.ts';
import { giftMotifs, longestNote, longestSender, tidiedGift } from '../../../domain/gifts/gift.ts';
import type { RefusedRow, Short } from '../../contracts/groups.ts';
import { ProductId } from './input.ts';
import { statusAndSentence } from './refusals.ts';

/** Five hundred recipients, each with the longest note in Devanagari. */
export const maxGroupBytes = 1024 * 1024;
export const maxRecipients = 500;

const Text = z.string().max(1000);
const Box = z.strictObject({
  productId: ProductId,
  quantity: z.int().min(1).max(maxQuantity),
  size: z.literal([500, 1000]),
});
/** Whether the texts fit is decided row by row: one wrong row must not refuse the others. */
const Recipient = z.strictObject({
  name: Text,
  phone: Text,
  building_no: Text,
  street: Text,
  city: Text,
  state: Text,
  pincode: Text,
  delivery_on: z.iso
    .date()
    // PostgreSQL knows no year 0.
    .refine((day) => day >= '2000')
    .nullish(),
  note: z.string().max(4 * longestNote),
  email: Text.nullish(),
  boxes: z.array(Box).min(1).max(20),
});
export const GroupBody = z.strictObject({
  recipients: z.array(Recipient).min(1).max(maxRecipients),
  card: z.strictObject({ motif: z.enum(giftMotifs), sender_name: z.string().max(4 * longestSender) }),
});

/** As the database takes them. */
export function groupFrom({ recipients, card }: z.infer<typeof GroupBody>) {
  const tidied = (note: string, email = '') =>
    tidiedGift({ note, motif: card.motif, senderName: card.sender_name, recipientEmail: email });
  return {
    recipients: recipients.map(({ pincode, delivery_on, note, email, boxes, ...person }) => ({
      ...person,
      zip: pincode.trim(),
      delivery_on: delivery_on ?? null,
      note: tidied(note).note,
      email: tidied('', email ?? '').recipientEmail || null,
      lines: boxes.map(({ productId, quantity, size }) => ({ product_id: productId, quantity, size })),
    })),
    card: { motif: card.motif, sender_name: tidied('').senderName },
  };
}

const fieldNames: Record<string, string> = {
  name: 'name',
  phone: 'phone number',
  building_no: 'building or apartment',
  street: 'street',
  city: 'city',
  state: 'state',
  zip: 'pincode',
  note: 'note',
  email: 'email address',
};
const fieldSentences: Record<string, string> = {
  phone: 'Enter a 10-digit Indian mobile number, such as 98765 43210.',
  zip: 'Enter a 6-digit pincode, such as 400028.',
  note: 'Use at most 300 characters and 10 lines, and only characters that can be printed.',
  email: 'Enter an email address, such as nani@example.com, or leave it empty.',
};
const daysOf = ['day-past', 'day-too-far', 'day-off', 'day-closed', 'day-too-soon', 'day-cutoff-passed'];
const pincodeReasons = ['outside-zones', 'would-spoil', 'closed'];

/** What is wrong with a recipient: the row, counted from 1, the field to correct, and a sentence. */
export function wrongRow({ place, field, ...refusal }: RefusedRow) {
  const at =
    field ??
    (daysOf.includes(refusal.reason) ? 'delivery_on' : pincodeReasons.includes(refusal.reason) ? 'zip' : 'boxes');
  const name = fieldNames[at] ?? at;
  const message =
    refusal.reason === 'missing-field'
      ? `Enter the ${name}.`
      : refusal.reason === 'invalid-field'
        ? (fieldSentences[at] ??
          `The ${name} is too long or has characters that can’t be printed. Please type it again.`)
        : refusal.reason === 'invalid-card'
          ? 'Enter the sender’s name and choose a picture for the card.'
          : statusAndSentence({ ...refusal, ok: false })[1];
  const isCard = refusal.reason === 'invalid-card';
  return { row: place, code: refusal.reason, field: isCard ? 'card' : at === 'zip' ? 'pincode' : at, message };
}

export function shortProduct(short: Short) {
  const { product_id, wanted, left = 0, unit = 'pieces' } = short;
  const amount = (units: number) => (unit === 'g' ? `${units / 1000} kg` : `${units}`);
  const message =
    short.reason === 'not-enough-stock' && left > 0
      ? `${short.product}: ${amount(wanted)} needed, ${amount(left)} left in stock.`
      : statusAndSentence({ ...short, ok: false })[1];
  return { product_id, wanted, left: Math.max(left, 0), unit, message };
}
