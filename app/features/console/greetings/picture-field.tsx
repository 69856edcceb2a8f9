import { useEffect, useRef, useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { cutPicture } from '../shrink-picture.ts';
import type { CutPicture } from './banner-files.ts';
import styles from './picture-field.module.css';

type Props = {
  label: string;
  /** The address of a picture; empty for none. */
  value: string;
  hint: string;
  shape: { ratio: number; widths: readonly number[] };
  error: string | undefined;
  isOptional?: boolean;
  /** The address to show it by, and the files to keep where it is new. */
  onChange(value: string, picture: CutPicture | null): void;
};

/** A picture from a file; cut in the browser, stored when the form is saved. */
export function PictureField({ label, value, hint, shape, error, isOptional, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const made = useRef<string[]>([]);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(
    () => () => {
      for (const address of made.current) URL.revokeObjectURL(address);
    },
    [],
  );

  async function open(file: File | undefined) {
    if (!file) return;
    setBusy(true);
    const cut = await cutPicture(file, shape);
    setBusy(false);
    setRefusal(cut.ok ? null : cut.message);
    const widest = cut.ok ? cut.blobs.at(-1) : undefined;
    if (!cut.ok || !widest) return;
    const address = URL.createObjectURL(widest.blob);
    made.current.push(address);
    onChange(address, cut.blobs);
  }

  const said = refusal ?? error;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset inside the grid would break its lines
    <div className={styles.field} role="group" aria-label={label}>
      <span className={styles.label}>{label}</span>
      <div className={styles.moves}>
        {value !== '' && <img src={value} alt="" data-wide={shape.ratio > 1 || undefined} />}
        <button type="button" className={buttons.small} aria-busy={isBusy} onClick={() => input.current?.click()}>
          {value === '' ? 'Choose a picture' : 'Change the picture'}
        </button>
        {isOptional && value !== '' && (
          <button type="button" className={buttons.small} onClick={() => onChange('', null)}>
            No picture
          </button>
        )}
      </div>
      <p className={styles.hint}>{hint}</p>
      {said && (
        <p role="alert" className={styles.refusal}>
          {said}
        </p>
      )}
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={`${label} file`}
        onChange={(event) => {
          void open(event.target.files?.[0]);
          event.target.value = ''; // the same file may be chosen again
        }}
      />
    </div>
  );
}
