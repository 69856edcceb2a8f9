import type { ComponentProps } from 'react';
import { Input } from './input.tsx';
import styles from './number-field.module.css';

export type NumberFieldProps = Omit<ComponentProps<'input'>, 'type' | 'inputMode' | 'prefix'> & {
  /** Said by the label for those who cannot see them: "₹", "kg". */
  prefix?: string | undefined;
  suffix?: string | undefined;
};

/**
 * A number as people type it ("1,299.50", "2.5"): it stays text until it is read by domain rules, which say in words what
 * is wrong with it.
 */
export function NumberField({ prefix, suffix, className, ...input }: NumberFieldProps) {
  return (
    <span className={className ? `${styles.number} ${className}` : styles.number}>
      {prefix && <span aria-hidden="true">{prefix}</span>}
      <Input {...input} inputMode="decimal" />
      {suffix && <span aria-hidden="true">{suffix}</span>}
    </span>
  );
}
