import { useCallback, useEffect, useState } from 'react';
import { readAsVisitor } from '#app/backend/client.ts';
import { type Session, useSession } from '#app/backend/session.tsx';
import { type DeliveryCheck, parseDeliveryCheck } from '#domain/delivery/delivery-messages.ts';
import { readPincode } from '#domain/delivery/pincode.ts';
import { choosePincode, usePincode } from './delivery-place.ts';
import { readProfilePincode } from './use-profile-pincode.ts';

/** What is asked about: sweets by their ids, and what they weigh together. */
export type Parcel = {
  productIds: readonly number[];
  /** null while it is not known: nothing is asked then, as the charge depends on it. */
  grams: number | null;
  /** Who is signed in buys for the address of the profile, whatever was typed elsewhere. */
  isToAddress?: boolean;
};

/** Several presses on a stepper are one request. */
const debounceMs = 250;

type Answered = { question: string; pincode: string; check: DeliveryCheck | null };

export type PincodeField = {
  /** What is being typed; null while the pincode is known and not being changed. */
  typed: string | null;
  type(text: string): void;
  /** Opens the field; nothing that is read later comes in between. */
  edit(): void;
  leave(): void;
  /** The pincode that is asked about; empty while there is none. */
  pincode: string;
  /** null while it is not known. */
  check: DeliveryCheck | null;
  isBusy: boolean;
  hasFailed: boolean;
  retry(): void;
};

/** The visitor's pincode, and what the shop says of it; asked again whenever the parcel changes. */
export function useDeliveryCheck({ productIds, grams, isToAddress = false }: Parcel): PincodeField {
  const session = useSession();
  const place = usePincode();
  const known = useAddressPincode(session, isToAddress) || place;
  const { typed, type, edit, leave } = useTypedPincode(known, place);
  const [attempt, setAttempt] = useState(0);
  const [answered, setAnswered] = useState<Answered | null>(null);
  const read = readPincode(typed ?? known);
  const pincode = read.ok ? read.pincode : '';
  const path = `rpc/check_delivery?pincode=${pincode}&product_ids={${productIds.join(',')}}&grams=${grams}`;
  const question = `${attempt} ${path}`;
  const isAnswered = answered?.question === question;

  const { config } = session;
  useEffect(() => {
    if (pincode === '' || grams === null || isAnswered) return;
    let gone = false;
    const timer = setTimeout(async () => {
      const answer = await readAsVisitor(config, path).catch(() => null);
      if (!gone) setAnswered({ question, pincode, check: parseDeliveryCheck(answer) });
    }, debounceMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [config, path, pincode, grams, question, isAnswered]);

  const hasFailed = pincode !== '' && isAnswered && answered.check === null;
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  useEffect(() => {
    if (!hasFailed) return;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [hasFailed, retry]);

  return {
    typed: typed ?? (known === '' ? '' : null),
    type,
    edit,
    leave,
    pincode,
    // While the parcel changes, what was said of it before stays; of another pincode, nothing does.
    check: pincode !== '' && answered?.pincode === pincode ? answered.check : null,
    isBusy: pincode !== '' && !isAnswered,
    hasFailed,
    retry,
  };
}

/** What is in the field while it is used. A pincode chosen in the header closes it again. */
function useTypedPincode(known: string, place: string) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isInUse, setInUse] = useState(false);
  const [lastPlace, setLastPlace] = useState(place);
  if (place !== lastPlace) {
    setLastPlace(place);
    if (!isInUse && typed !== null && readPincode(typed).ok) setTyped(null);
  }
  return {
    typed,
    edit() {
      setInUse(true);
      setTyped((text) => text ?? known);
    },
    leave() {
      setInUse(false);
    },
    type(text: string) {
      const now = readPincode(text);
      setInUse(true);
      setTyped(now.ok ? now.pincode : text);
      if (now.ok) choosePincode(now.pincode);
    },
  };
}

/** The pincode of the address in the profile; empty while it is not wanted or not known. */
export function useAddressPincode({ state, who, client }: Session, isWanted: boolean): string {
  const [address, setAddress] = useState('');
  const id = isWanted && state === 'signed-in' ? who?.id : undefined;
  useEffect(() => {
    setAddress('');
    if (!id) return;
    let gone = false;
    readProfilePincode(client, id).then((zip) => !gone && setAddress(zip));
    return () => {
      gone = true;
    };
  }, [id, client]);
  return address;
}
