import type { ComponentProps } from 'react';
import { controlClass } from './input.tsx';
import styles from './select.module.css';

export type SelectOption<Value extends string> = { value: Value; label: string };

export type SelectProps<Value extends string> = Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'> & {
  value: Value;
  options: readonly SelectOption<Value>[];
  isSmall?: boolean;
  onChange(value: NoInfer<Value>): void;
};

/** The platform's own select: on a phone its wheel or sheet, with a keyboard its type-ahead. */
export function Select<Value extends string>({ options, isSmall, onChange, className, ...select }: SelectProps<Value>) {
  return (
    <select
      {...select}
      className={isSmall ? styles.small : controlClass(className)}
      onChange={(event) => {
        const chosen = options.find(({ value }) => value === event.target.value);
        if (chosen) onChange(chosen.value);
      }}
    >
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
