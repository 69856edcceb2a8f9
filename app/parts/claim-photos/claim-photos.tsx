import { useId, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Dialog, DialogActions, DialogBody } from '#app/ui/dialog.tsx';
import styles from './claim-photos.module.css';
import { useClaimPhoto } from './use-claim-photo.ts';

export type ClaimPhotosProps = {
  photos: readonly { id: string; width: number; height: number }[];
};

/** The photos of a claim, small; each opens large. */
export function ClaimPhotos({ photos }: ClaimPhotosProps) {
  const [open, setOpen] = useState<number | null>(null);
  const titleId = useId();
  const shown = open === null ? undefined : photos[open];
  if (photos.length === 0) return null;
  return (
    <>
      <ul className={styles.photos} aria-label="Photos">
        {photos.map(({ id }, place) => (
          <li key={id}>
            <button type="button" aria-haspopup="dialog" onClick={() => setOpen(place)}>
              <Photo id={id} alt={`Photo ${place + 1}`} />
            </button>
          </li>
        ))}
      </ul>
      <Dialog open={shown !== undefined} onClose={() => setOpen(null)} labelledBy={titleId} className={styles.large}>
        {shown && (
          <DialogBody>
            <h2 id={titleId}>
              Photo {(open ?? 0) + 1} of {photos.length}
            </h2>
            <Photo id={shown.id} alt="" />
            <DialogActions>
              <Button data-first-focus onClick={() => setOpen(null)}>
                Close
              </Button>
            </DialogActions>
          </DialogBody>
        )}
      </Dialog>
    </>
  );
}

function Photo({ id, alt }: { id: string; alt: string }) {
  const photo = useClaimPhoto(id);
  if (photo.state === 'ready') return <img src={photo.address} alt={alt} />;
  return <span className={styles.missing}>{photo.state === 'failed' ? 'This photo can’t be shown.' : 'Loading…'}</span>;
}
