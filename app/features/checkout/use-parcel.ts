import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { readAddresses, saveAddress } from '#app/parts/address-book.ts';
import type { AddressFields, BookAddress } from '#domain/addresses/address-book.ts';
import { type Gift, type GiftErrors, giftErrors, tidiedGift } from '#domain/gifts/gift.ts';
import { emptyDraft, forgetDraft, type ParcelDraft, recalledDraft, storeDraft } from './parcel-draft.ts';

export type Parcel = {
  /** null: to the customer's own address. */
  to: BookAddress | null;
  /** False while it is not known where it goes. */
  isReady: boolean;
  addresses: readonly BookAddress[] | 'loading' | 'failed';
  reload(): void;
  choose(id: string | null): void;
  /** Adds or changes an entry of the book, and chooses it; why not, or null. */
  save(fields: AddressFields, id: string | null): Promise<string | null>;
  isGift: boolean;
  setIsGift(isGift: boolean): void;
  gift: Gift;
  changeGift(change: Partial<Gift>): void;
  errors: GiftErrors;
  /** The gift to buy, null where it is none; undefined: something in it is wrong, and is now said. */
  checked(): Gift | null | undefined;
  /** After the purchase: the next order is not a gift. */
  clear(): void;
};

/** Where an order goes, and whether it is a gift. */
export function useParcel(): Parcel {
  const { who, client } = useSession();
  const userId = who?.id ?? '';
  const [draft, setDraft] = useState<ParcelDraft>(() => emptyDraft('', ''));
  const [addresses, setAddresses] = useState<Parcel['addresses']>('loading');
  const [attempt, setAttempt] = useState(0);
  const [errors, setErrors] = useState<GiftErrors>({});
  // Another person in the same tab starts with nothing.
  const own = draft.userId === userId ? draft : recalledDraft(userId, who?.name ?? '');

  const change = (next: Partial<ParcelDraft>) => {
    const changed = { ...own, ...next };
    setDraft(changed);
    storeDraft(changed);
  };

  const read = useEffectEvent(async () => readAddresses(await client()));
  // Another attempt reads the same again.
  const request = userId && `${userId} ${attempt}`;
  useEffect(() => {
    setAddresses('loading');
    if (!request) return;
    let isStale = false;
    read().then(
      (found) => isStale || setAddresses(found),
      () => isStale || setAddresses('failed'),
    );
    return () => {
      isStale = true;
    };
  }, [request]);

  const to = Array.isArray(addresses) ? (addresses.find(({ id }) => id === own.addressId) ?? null) : null;
  return {
    to,
    isReady: own.addressId === null || Array.isArray(addresses),
    addresses,
    reload: useCallback(() => setAttempt((count) => count + 1), []),
    choose: (addressId) => change({ addressId }),
    async save(fields, id) {
      const saved = await client()
        .then((shop) => saveAddress(shop, userId, fields, id))
        .catch(() => null);
      if (!saved?.ok) return saved?.message ?? 'We couldn’t save this address. Please try again.';
      setAddresses((before) => {
        const others = Array.isArray(before) ? before : [];
        const isKnown = others.some((one) => one.id === saved.address.id);
        return isKnown
          ? others.map((one) => (one.id === saved.address.id ? saved.address : one))
          : [...others, saved.address];
      });
      change({ addressId: saved.address.id });
      return null;
    },
    isGift: own.isGift,
    setIsGift: (isGift) => change({ isGift }),
    gift: own.gift,
    changeGift(part) {
      const gift = { ...own.gift, ...part };
      change({ gift });
      if (Object.keys(errors).length > 0) setErrors(giftErrors(tidiedGift(gift)));
    },
    errors,
    checked() {
      if (!own.isGift) return null;
      const gift = tidiedGift(own.gift);
      const found = giftErrors(gift);
      setErrors(found);
      return Object.keys(found).length > 0 ? undefined : gift;
    },
    clear() {
      forgetDraft();
      setDraft(emptyDraft(userId, who?.name ?? ''));
    },
  };
}
