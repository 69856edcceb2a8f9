import type { ComponentProps } from 'react';
import styles from './input.module.css';

/** The look of every control that takes text; for those that are no `input`, such as a select. */
export const controlClass = (className?: string) =>
  className ? `${styles.control} ${className}` : `${styles.control}`;

export function Input({ className, autoComplete = 'off', ...input }: ComponentProps<'input'>) {
  return <input {...input} autoComplete={autoComplete} className={controlClass(className)} />;
}

export function TextArea({ className, ...area }: ComponentProps<'textarea'>) {
  return <textarea {...area} className={controlClass(className)} />;
}
