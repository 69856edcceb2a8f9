import { type ReactNode, useEffect, useRef, useState } from 'react';
import buttons from '#app/ui/button.module.css';
import styles from './picture-choice.module.css';

/** What became of a chosen file: the picture to show, or why it was refused. */
export type Chosen = { ok: true; shown: Blob; keep(address: string): void } | { ok: false; message: string };

type Props = {
  label: string;
  chooseLabel: string;
  hint?: string;
  error?: string | undefined;
  prepare(file: File): Promise<Chosen>;
  /** The picture, before the button that chooses one. */
  picture?: ReactNode;
  /** What else can be done with it. */
  moves?: ReactNode;
};

/** A picture from a file or a camera, made ready in the browser; stored when the form around it is saved. */
export function PictureChoice({ label, chooseLabel, hint, error, prepare, picture, moves }: Props) {
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
    const chosen = await prepare(file);
    setBusy(false);
    setRefusal(chosen.ok ? null : chosen.message);
    if (!chosen.ok) return;
    const address = URL.createObjectURL(chosen.shown);
    made.current.push(address);
    chosen.keep(address);
  }

  const said = refusal ?? error;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset inside the grid would break its lines
    <div className={styles.field} role="group" aria-label={label}>
      <span className={styles.label}>{label}</span>
      <div className={styles.moves}>
        {picture}
        <button type="button" className={buttons.small} aria-busy={isBusy} onClick={() => input.current?.click()}>
          {chooseLabel}
        </button>
        {moves}
      </div>
      {hint && <p className={styles.hint}>{hint}</p>}
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
