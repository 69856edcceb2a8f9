import type { ComponentProps } from 'react';
import styles from './input.module.css';

export type InputProps = ComponentProps<'input'> & {
  /** Seen only: the label says it too. "₹", "kg". */
  prefix?: string | undefined;
  suffix?: string | undefined;
};

/** The look of every control that takes text; for those that are no `input`, such as a select. */
export const controlClass = (className?: string) =>
  className ? `${styles.control} ${className}` : `${styles.control}`;

export function Input({ className, prefix, suffix, autoComplete = 'off', ...input }: InputProps) {
  const control = <input {...input} autoComplete={autoComplete} className={controlClass(className)} />;
  if (!prefix && !suffix) return control;
  return (
    <span className={styles.affixed}>
      {prefix && <span aria-hidden="true">{prefix}</span>}
      {control}
      {suffix && <span aria-hidden="true">{suffix}</span>}
    </span>
  );
}

export function TextArea({ className, ...area }: ComponentProps<'textarea'>) {
  return <textarea {...area} className={controlClass(className)} />;
}
