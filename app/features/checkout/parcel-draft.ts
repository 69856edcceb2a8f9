import { parcelKey } from '#app/backend/parcel-key.ts';
import { forget, recall, remember } from '#app/backend/remembered.ts';
import { type Gift, giftMotifs } from '#domain/gifts/gift.ts';

/** What was chosen besides the goods: kept for this tab, so that a reload loses no word of a note. */
export type ParcelDraft = { userId: string; addressId: string | null; isGift: boolean; gift: Gift };

export const storeDraft = (draft: ParcelDraft): boolean => remember('sessionStorage', parcelKey, JSON.stringify(draft));
export const forgetDraft = (): void => forget('sessionStorage', parcelKey);

export const emptyDraft = (userId: string, senderName: string): ParcelDraft => ({
  userId,
  addressId: null,
  isGift: false,
  gift: { note: '', motif: giftMotifs[0], senderName, recipientEmail: '' },
});

/** What this browser stored, as far as it makes sense. */
export function recalledDraft(userId: string, name: string): ParcelDraft {
  const empty = emptyDraft(userId, name);
  try {
    const stored: Partial<ParcelDraft> | null = JSON.parse(recall('sessionStorage', parcelKey) ?? 'null');
    if (!userId || stored?.userId !== userId) return empty;
    const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise);
    const gift = stored.gift;
    return {
      userId,
      addressId: typeof stored.addressId === 'string' ? stored.addressId : null,
      isGift: stored.isGift === true,
      gift: {
        note: text(gift?.note, ''),
        motif: giftMotifs.find((motif) => motif === gift?.motif) ?? giftMotifs[0],
        senderName: text(gift?.senderName, name),
        recipientEmail: text(gift?.recipientEmail, ''),
      },
    };
  } catch {
    return empty;
  }
}
