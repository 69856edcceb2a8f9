import { readAsVisitor } from '#app/backend/client.ts';
import type { PublicConfig } from '#app/shop-context.ts';
import { type CardNote, cardNote, parseDeliveryCheck } from '#domain/delivery/delivery-messages.ts';

/** As many as `check_delivery` looks at in one call. */
const chunk = 300;
/** The delivery calendar may change during a visit. */
const longest = 60 * 60 * 1000;

export type CardNotes = { notes: Map<number, CardNote>; expiresAt: number };

/** Whether each product reaches the pincode, and by when. */
export async function readCardNotes(config: PublicConfig, pincode: string, ids: number[]): Promise<CardNotes> {
  const notes = new Map<number, CardNote>();
  let expiresAt = Date.now() + longest;
  for (let at = 0; at < ids.length; at += chunk) {
    const some = ids.slice(at, at + chunk);
    const path = `rpc/check_delivery?pincode=${pincode}&product_ids={${some.join(',')}}&grams=500`;
    const check = parseDeliveryCheck(await readAsVisitor(config, path));
    if (!check) continue;
    if (check.ok) expiresAt = Math.min(expiresAt, check.orderBefore.getTime());
    for (const id of some) {
      const note = cardNote(check, id, pincode);
      if (note) notes.set(id, note);
    }
  }
  return { notes, expiresAt };
}
