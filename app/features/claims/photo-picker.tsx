import { useEffect, useId, useMemo, useState } from 'react';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { shrinkPhoto } from '#app/ui/shrink-picture.ts';
import { mostPhotoBytes } from '#domain/claims/claim.ts';
import styles from './claims.module.css';

export type ChosenPhoto = { entry: string; blob: Blob };

export type PhotoPickerProps = {
  photos: readonly ChosenPhoto[];
  /** How many may be chosen in all. */
  most: number;
  onChange(photos: ChosenPhoto[]): void;
};

/** Photos to send: made small here, so that nothing large leaves a phone. */
export function PhotoPicker({ photos, most, onChange }: PhotoPickerProps) {
  const id = useId();
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);

  async function choose(files: readonly File[]) {
    setBusy(true);
    setProblem('');
    const added: ChosenPhoto[] = [];
    for (const file of files.slice(0, most - photos.length)) {
      const shrunk = await shrinkPhoto(file, mostPhotoBytes);
      if (shrunk.ok) added.push({ entry: crypto.randomUUID(), blob: shrunk.blob });
      else setProblem(shrunk.message);
    }
    if (files.length > most - photos.length) setProblem(`At most ${most} photos. The others were left out.`);
    onChange([...photos, ...added]);
    setBusy(false);
  }

  return (
    <div className={styles.picker}>
      {photos.length > 0 && (
        <ul aria-label="Chosen photos">
          {photos.map((photo, place) => (
            <li key={photo.entry}>
              <Preview blob={photo.blob} alt={`Photo ${place + 1}`} />
              <Button
                size="small"
                variant="text"
                aria-label={`Remove photo ${place + 1}`}
                onClick={() => onChange(photos.filter((one) => one !== photo))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {photos.length < most && (
        <>
          <input
            id={id}
            className="visually-hidden"
            type="file"
            accept="image/*"
            multiple
            aria-describedby={problem ? `${id}-problem` : undefined}
            onChange={(event) => {
              const files = [...(event.target.files ?? [])];
              event.target.value = '';
              if (files.length > 0 && !busy) void choose(files);
            }}
          />
          <label htmlFor={id} className={buttonClass({ size: 'small' }, styles.file)}>
            {busy ? 'Preparing…' : photos.length === 0 ? 'Add photos' : 'Add another photo'}
          </label>
        </>
      )}
      {problem && (
        <p id={`${id}-problem`} role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}

function Preview({ blob, alt }: { blob: Blob; alt: string }) {
  const address = useMemo(() => URL.createObjectURL(blob), [blob]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return <img src={address} alt={alt} />;
}
