import { useEffect, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';

export type LoadedPhoto = { state: 'loading' } | { state: 'ready'; address: string } | { state: 'failed' };

/** A photo of a claim, fetched with the session of the signed-in person. */
export function useClaimPhoto(photoId: string): LoadedPhoto {
  const { config, token } = useSession();
  const [photo, setPhoto] = useState<LoadedPhoto>({ state: 'loading' });
  useEffect(() => {
    const left = new AbortController();
    let address: string | null = null;
    async function load(): Promise<void> {
      const access = await token();
      if (!access.ok) throw new Error('not logged in');
      const response = await fetch(`${config.url ?? window.location.origin}/functions/v1/claim?photo=${photoId}`, {
        headers: { apikey: config.key, authorization: `Bearer ${access.token}` },
        signal: left.signal,
      });
      if (!response.ok) throw new Error(`the photo came with ${response.status}`);
      const blob = await response.blob();
      if (left.signal.aborted) return;
      address = URL.createObjectURL(blob);
      setPhoto({ state: 'ready', address });
    }
    load().catch(() => !left.signal.aborted && setPhoto({ state: 'failed' }));
    return () => {
      left.abort();
      if (address) URL.revokeObjectURL(address);
    };
  }, [photoId, config, token]);
  return photo;
}
