import { type ReactNode, useId } from 'react';
import styles from './list-filters.module.css';

/** What a list is narrowed by, in a row. */
export function Filters({ children }: { children: ReactNode }) {
  return <div className={styles.filters}>{children}</div>;
}

export type ChoiceProps = {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange(value: string): void;
};

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <select
      className={styles.control}
      aria-label={label}
      value={value}
      data-set={value !== options[0]?.[0] || undefined}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </select>
  );
}

export type DayChoiceProps = { label: string; value: string; onChange(value: string): void };

export function DayChoice({ label, value, onChange }: DayChoiceProps) {
  const id = useId();
  return (
    <span className={styles.day}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        className={styles.control}
        value={value}
        data-set={value !== '' || undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  );
}
