import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { type Session, useSession } from '#app/backend/session.tsx';
import { currentPincode, forgetProfilePincode, isPincode, showPincode } from './delivery-place.ts';

/** A customer who has chosen no pincode means the address of the profile. */
export function useProfilePincode(): void {
  const { state, who, client } = useSession();
  const { pathname } = useLocation();
  // A customer who is logging out is asked nothing more: the session may have ended before the profile is read.
  const id = state === 'signed-in' && pathname !== '/logout' ? who?.id : undefined;
  useEffect(() => {
    if (!id || currentPincode() !== '') return;
    let gone = false;
    readProfilePincode(client, id).then((zip) => {
      if (!gone && zip !== '' && currentPincode() === '') showPincode(zip);
    });
    return () => {
      gone = true;
    };
  }, [id, client]);
  useEffect(() => {
    if (state === 'visitor') forgetProfilePincode();
  }, [state]);
}

/** Empty where there is none, or it cannot be read. */
export async function readProfilePincode(client: Session['client'], userId: string): Promise<string> {
  try {
    const backend = await client();
    const { data } = await backend.from('user_profiles').select('zip').eq('user_id', userId).maybeSingle();
    const zip = data?.zip?.trim() ?? '';
    return isPincode(zip) ? zip : '';
  } catch {
    return '';
  }
}
