import { useCallback, useEffect, useRef, useState } from 'react';
import { readAsVisitor } from '#app/backend/client.ts';
import { type Session, useSession } from '#app/backend/session.tsx';
import { type DeliveryCheck, deliveryCheckFrom } from '#domain/delivery/delivery-words.ts';
import { readPincode } from '#domain/delivery/pincode.ts';
import { recallPincode, rememberPincode } from './remembered-pincode.ts';

/** What is asked about: sweets by their ids, and what they weigh together. */
export type Parcel = {
  productIds: readonly number[];
  /** null while it is not known: nothing is asked then, as the charge depends on it. */
  grams: number | null;
  /** Who is signed in buys for the address of the profile, whatever was typed elsewhere. */
  isToAddress?: boolean;
};

/** Several presses on a stepper are one question. */
const pause = 250;

type Answered = { question: string; pincode: string; check: DeliveryCheck | null };

export type PincodeField = {
  typed: string;
  type(text: string): void;
  /** Somebody is about to type: nothing comes in between. */
  touch(): void;
  /** The pincode that is asked about; empty while there is none. */
  pincode: string;
  /** null while it is not known; `failed` when nobody could be asked. */
  check: DeliveryCheck | null;
  isBusy: boolean;
  hasFailed: boolean;
  askAgain(): void;
};

/** A pincode, remembered on this device, and what the shop says of it; asked again whenever the parcel changes. */
export function useDeliveryCheck({ productIds, grams, isToAddress = false }: Parcel): PincodeField {
  const session = useSession();
  const [typed, setTyped] = useState(recallPincode);
  const isTouched = useRef(false);
  const [attempt, setAttempt] = useState(0);
  const [answered, setAnswered] = useState<Answered | null>(null);
  const read = readPincode(typed);
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
      if (!gone) setAnswered({ question, pincode, check: deliveryCheckFrom(answer) });
    }, pause);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [config, path, pincode, grams, question, isAnswered]);

  useProfilePincode(session, isToAddress, (zip) => {
    if (!isTouched.current) setTyped(zip);
  });

  const hasFailed = pincode !== '' && isAnswered && answered.check === null;
  const askAgain = useCallback(() => setAttempt((count) => count + 1), []);
  useEffect(() => {
    if (!hasFailed) return;
    window.addEventListener('online', askAgain);
    return () => window.removeEventListener('online', askAgain);
  }, [hasFailed, askAgain]);

  const touch = useCallback(() => {
    isTouched.current = true;
  }, []);
  const type = useCallback((text: string) => {
    const now = readPincode(text);
    isTouched.current = true;
    setTyped(now.ok ? now.pincode : text);
    if (now.ok) rememberPincode(now.pincode);
  }, []);
  return {
    typed,
    type,
    touch,
    pincode,
    // While the parcel changes, what was said of it before stays; of another pincode, nothing does.
    check: pincode !== '' && answered?.pincode === pincode ? answered.check : null,
    isBusy: pincode !== '' && !isAnswered,
    hasFailed,
    askAgain,
  };
}

/** Whoever is signed in and has typed nothing yet means the address of the profile. */
function useProfilePincode(session: Session, isToAddress: boolean, take: (zip: string) => void): void {
  const isWanted = session.state === 'signed-in' && (isToAddress || recallPincode() === '');
  const { client } = session;
  const id = session.who?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each person
  useEffect(() => {
    if (!isWanted || !id) return;
    let gone = false;
    client()
      .then((backend) => backend.from('user_profiles').select('zip').eq('user_id', id).maybeSingle())
      .then(({ data }) => {
        const zip = readPincode(data?.zip ?? '');
        if (!gone && zip.ok) take(zip.pincode);
      })
      .catch(() => {});
    return () => {
      gone = true;
    };
  }, [isWanted, id]);
}
