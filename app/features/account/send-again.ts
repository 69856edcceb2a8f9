import type { ShopClient } from '#app/backend/client.ts';
import { saveAddress } from '#app/parts/address-book.ts';
import { addressErrors, tidiedAddress } from '#domain/addresses/address-book.ts';
import type { BoxLine } from '#domain/boxes/box.ts';
import type { CartLine } from '#domain/cart/cart.ts';
import type { Gift } from '#domain/gifts/gift.ts';
import { boxesToSend, type GiftAgain, linesToSend, parseGiftAgain } from '#domain/gifts/send-again.ts';

/** A gift ready for the cart: what is still sold of it, its card, and the entry of the address book it goes to. */
export type GiftToSend = { userId: string; lines: CartLine[]; boxes: BoxLine[]; gift: Gift; addressId: string | null };

/** What an earlier gift is today. Throws when it cannot be read. */
export async function readGiftAgain(client: ShopClient, orderId: string): Promise<GiftAgain> {
  const { data, error } = await client.rpc('my_gift_again', { order_id: orderId });
  const again = error ? null : parseGiftAgain(data);
  if (!again) throw error ?? new Error('there is no such gift');
  return again;
}

export type Prepared = { ok: true; gift: GiftToSend } | { ok: false; message: string };

/** Puts an address that was deleted since back into the address book. */
export async function prepareGift(client: ShopClient, userId: string, again: GiftAgain): Promise<Prepared> {
  const { to, gift, lines } = again;
  const ready = (addressId: string | null): Prepared => ({
    ok: true,
    gift: { userId, lines: linesToSend(lines), boxes: boxesToSend(lines), gift, addressId },
  });
  if (to.isOwn || to.addressId !== null) return ready(to.addressId);
  const { name, phone, buildingNo, street, city, state, zip } = to;
  const fields = tidiedAddress({ label: '', name, phone, buildingNo, street, city, state, zip });
  // Of an order from before addresses were checked.
  if (Object.keys(addressErrors(fields)).length > 0) return ready(null);
  const saved = await saveAddress(client, userId, fields, null);
  return saved.ok ? ready(saved.address.id) : { ok: false, message: saved.message };
}
