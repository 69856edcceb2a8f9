import { z } from 'zod';
import { claimProblems, complainTo, mostPhotoBytes, mostWords, windowEnded } from '../../../domain/claims/claim.ts';
import { checkPhoto } from '../../../domain/claims/photo-header.ts';
import { addClaimPhoto, answerClaim, openClaim, readClaimPhoto, readClaims } from '../../contracts/claims.ts';
import { call, type ResultOf } from '../../contracts/contract.ts';
import type { FunctionContext, FunctionHandler } from '../_shared/context.ts';
import { postedBody } from '../_shared/input.ts';
import { problem } from '../_shared/problem.ts';

/** The largest photo, and a little for a form around it. */
export const maxClaimBytes = mostPhotoBytes + 16 * 1024;

/** The signed link of an order, in place of a login. In a header: addresses stand in logs. */
export const linkHeader = 'x-order-link';

const Read = z.union([z.strictObject({ photo: z.uuid() }), z.strictObject({ order: z.uuid().optional() })]);
const AddPhoto = z.strictObject({ claim: z.uuid(), entry: z.uuid() });
const words = z
  .string()
  .max(mostWords * 2)
  .refine((text) => !text.includes('\0'));
const Body = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('open'),
    order: z.uuid().optional(),
    items: z
      .array(
        z.strictObject({
          order_item_id: z.int().positive(),
          quantity: z.int().min(1).max(25),
          problem: z.enum(claimProblems),
        }),
      )
      .min(1)
      .max(100),
    words,
    entry: z.uuid(),
  }),
  z.strictObject({ do: z.literal('answer'), claim: z.uuid(), words, entry: z.uuid() }),
]);

type Caller = { asker: string | null; link: string | null; at: string };

/**
 * Everything customers do with claims: GET ?order= reads those of an order, GET ?photo= a photo; POST makes a claim, answers one, or
 * adds a photo (the body is the file). The caller is a customer or has the signed link of one order, with which there are neither messages
 * nor photos; administrators see photos.
 */
export const claim: FunctionHandler = async (request, context) => {
  const link = request.headers.get(linkHeader);
  const { customer } = context;
  if (!link && !customer) return problem(401, 'sign-in-required', 'Please log in to report a problem.');
  const caller: Caller = { asker: link ? null : (customer?.id ?? null), link, at: context.now().toISOString() };
  const asked = Object.fromEntries(new URL(request.url).searchParams);
  if (request.method === 'GET') {
    const read = Read.safeParse(asked);
    if (!read.success) return nothing();
    return 'photo' in read.data ? photoFor(caller, read.data.photo, context) : claimsFor(caller, read.data, context);
  }
  if (request.headers.get('content-type')?.startsWith('image/')) return takePhoto(request, caller, asked, context);
  const posted = await postedBody(request, Body);
  if (!posted.ok) return posted.response;
  const { body } = posted;
  if (body.do === 'answer') {
    const { claim: claim_id, words, entry: entry_id } = body;
    const outcome = await call(context.db.rpc, answerClaim, { ...caller, claim_id, words, entry_id });
    return outcome.ok ? Response.json({ ok: true }, { headers: unstored }) : refused(outcome.reason);
  }
  const outcome = await call(context.db.rpc, openClaim, {
    ...caller,
    order_id: body.order ?? null,
    items: body.items,
    words: body.words,
    entry_id: body.entry,
  });
  if (!outcome.ok) return notOpened(outcome);
  context.wake(); // the email with the ticket
  return Response.json({ id: outcome.id, ticket: outcome.ticket }, { status: 201, headers: unstored });
};

const unstored = { 'cache-control': 'private, no-store' };

// What is missing and what is another customer's get the same response.
const nothing = () =>
  problem(404, 'unknown-claim', 'We couldn’t find this. The link may have expired: log in instead.');

async function claimsFor(caller: Caller, { order }: { order?: string | undefined }, { db }: FunctionContext) {
  const claims = await call(db.rpc, readClaims, { ...caller, order_id: order ?? null });
  return claims ? Response.json(claims, { headers: unstored }) : nothing();
}

/** Nothing of a photo runs, whatever it holds and wherever it is opened. */
const photoHeaders = {
  ...unstored,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
};

async function photoFor({ asker, at }: Caller, photo_id: string, { db }: FunctionContext): Promise<Response> {
  const photo = await call(db.rpc, readClaimPhoto, { asker, photo_id, at });
  if (!photo) return nothing();
  const name = photo.type === 'image/webp' ? 'photo.webp' : 'photo.jpg';
  return new Response(fromBase64(photo.content), {
    headers: { ...photoHeaders, 'content-type': photo.type, 'content-disposition': `inline; filename="${name}"` },
  });
}

const wrongPhotos = {
  type: 'This file is not a photo we can show. Use a JPEG or WebP picture.',
  size: 'This photo is too large. The limit is 600 KB.',
  pixels: 'This photo is too large. The limit is 4096 pixels on each side.',
};

async function takePhoto(
  request: Request,
  caller: Caller,
  asked: Record<string, string>,
  { db }: FunctionContext,
): Promise<Response> {
  if (request.method !== 'POST') return problem(405, 'method-not-allowed', 'Use POST.', { allow: 'POST' });
  const named = AddPhoto.safeParse(asked);
  if (!named.success) return nothing();
  const bytes = new Uint8Array(await request.arrayBuffer());
  const checked = checkPhoto(bytes);
  if (!checked.ok) return problem(checked.reason === 'size' ? 413 : 415, 'wrong-photo', wrongPhotos[checked.reason]);
  const outcome = await call(db.rpc, addClaimPhoto, {
    ...caller,
    claim_id: named.data.claim,
    entry_id: named.data.entry,
    ...checked.photo,
    content: toBase64(bytes),
  });
  return outcome.ok ? Response.json({ id: outcome.id }, { status: 201, headers: unstored }) : refused(outcome.reason);
}

type Refused = Exclude<ResultOf<typeof answerClaim | typeof addClaimPhoto>, { ok: true }>['reason'];

const refusals: Record<Exclude<Refused, 'unknown-claim'>, [number, string]> = {
  closed: [409, 'This was decided more than 30 days ago, so the conversation is closed. Please write to us instead.'],
  words: [422, 'Write what happened, in at most 2,000 characters.'],
  'too-many': [429, 'That was a lot at once. Please try again in an hour.'],
  decided: [409, 'This is already decided, so photos can no longer be added.'],
  'enough-photos': [409, 'Four photos are already here. That is the limit.'],
};

function refused(reason: Refused): Response {
  if (reason === 'unknown-claim') return nothing();
  const [status, message] = refusals[reason];
  return problem(status, reason, message);
}

function notOpened(outcome: Exclude<ResultOf<typeof openClaim>, { ok: true }>): Response {
  const { reason, ended_at, contact, name, left } = outcome;
  const complaint = contact ? ` ${complainTo(contact)}` : '';
  switch (reason) {
    case 'unknown-order':
      return nothing();
    case 'too-late':
      return problem(
        409,
        reason,
        ended_at && contact
          ? windowEnded(ended_at, contact)
          : `Problems can be reported until 24 hours after delivery.${complaint}`,
      );
    case 'too-early':
      return problem(409, reason, 'This order is still on its way. You can report a problem when it has arrived.');
    case 'nothing-to-claim':
      return problem(409, reason, 'This order was cancelled or refunded in full, so there is nothing left to report.');
    case 'already-claimed':
      return problem(
        409,
        reason,
        left
          ? `Of ${name}, only ${left} can still be reported. The others were reported before.`
          : `You have already reported ${name}. See below what became of it.`,
      );
    case 'only-not-delivered':
      return problem(409, reason, 'This order hasn’t arrived yet, so you can only report that it wasn’t delivered.');
    case 'items':
      return problem(422, reason, 'Choose at least one item, and what is wrong with it.');
    default:
      return refused(reason);
  }
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
