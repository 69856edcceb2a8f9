import { type ReactNode, useId } from 'react';
import styles from './list-filters.module.css';

/** What a list is narrowed by, in a row. */
export function Filters({ children }: { children: ReactNode }) {
  return <div className={styles.filters}>{children}</div>;
}

export type ChoiceProps<Value extends string> = {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, label: string])[];
  onChange(value: Value): void;
};

/** The first option is what is chosen when nobody chose. */
export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <select
      className={styles.control}
      aria-label={label}
      value={value}
      data-set={value !== options[0]?.[0] || undefined}
      onChange={(event) => onChange(event.target.value as Value)}
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

export type TickProps = { label: string; value: boolean; onChange(value: boolean): void };

export function Tick({ label, value, onChange }: TickProps) {
  return (
    <label className={styles.tick}>
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
