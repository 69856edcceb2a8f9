import type { ReactNode } from 'react';
import styles from './field.module.css';

export type FieldNotesProps = {
  /** Of the control; the hint and the error take theirs from it. */
  id: string;
  hint?: ReactNode;
  error?: string | undefined;
};

export type FieldProps = FieldNotesProps & { label: string; className?: string | undefined; children: ReactNode };

/** A label, its control, and what to know or what is wrong. */
export function Field({ id, label, hint, error, className, children }: FieldProps) {
  return (
    <div className={className ? `${styles.field} ${className}` : styles.field}>
      <label htmlFor={id}>{label}</label>
      {children}
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

export function FieldNotes({ id, hint, error }: FieldNotesProps) {
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </>
  );
}

/** What the control of a field needs, so that a screen reader reads its hint and its error. */
export function controlProps({ id, hint, error }: FieldNotesProps) {
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
  };
}
