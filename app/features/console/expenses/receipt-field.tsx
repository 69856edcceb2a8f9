import { useEffect, useRef, useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { shrinkPicture } from '../shrink-picture.ts';
import styles from './receipt-field.module.css';
import { receiptPixels } from './receipt-files.ts';

type Props = {
  /** The path of a stored photograph, or the address of a new one; empty for none. */
  value: string;
  onChange(value: string, photo: Blob | null): void;
  onLook(path: string): void;
};

const isNew = (value: string) => value.startsWith('blob:');

/** The receipt's photograph, from the camera of a phone or from a file. */
export function ReceiptField({ value, onChange, onLook }: Props) {
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
    const shrunk = await shrinkPicture(file, receiptPixels);
    setBusy(false);
    setRefusal(shrunk.ok ? null : shrunk.message);
    if (!shrunk.ok) return;
    const address = URL.createObjectURL(shrunk.blob);
    made.current.push(address);
    onChange(address, shrunk.blob);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset inside the grid would break its lines
    <div className={styles.field} role="group" aria-label="Receipt">
      <span className={styles.label}>Receipt</span>
      <div className={styles.moves}>
        {isNew(value) && <img src={value} alt="The new receipt" />}
        <button type="button" className={buttons.small} aria-busy={isBusy} onClick={() => input.current?.click()}>
          {value === '' ? 'Photograph or choose' : 'Replace'}
        </button>
        {value !== '' && !isNew(value) && (
          <button type="button" className={buttons.small} onClick={() => onLook(value)}>
            Look at it
          </button>
        )}
        {value !== '' && (
          <button type="button" className={buttons.small} onClick={() => onChange('', null)}>
            Remove
          </button>
        )}
      </div>
      {refusal && (
        <p role="alert" className={styles.refusal}>
          {refusal}
        </p>
      )}
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label="Receipt file"
        onChange={(event) => {
          void open(event.target.files?.[0]);
          event.target.value = ''; // the same file may be chosen again
        }}
      />
    </div>
  );
}
