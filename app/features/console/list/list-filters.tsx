import { Children, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Checkbox } from '#app/ui/checkbox.tsx';
import { Input } from '#app/ui/input.tsx';
import { Select } from '#app/ui/select.tsx';
import styles from './list-filters.module.css';

/** So many fit above a list on a phone. */
const mostUnfolded = 2;

/** What a list is narrowed by, in a row. On a phone all but the search is folded, so that the list itself is in sight. */
export function Filters({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const [count, setCount] = useState(0);
  const row = useRef<HTMLDivElement>(null);
  const id = useId();
  const isFolding = Children.toArray(children).length > mostUnfolded;
  // The controls know best whether they are set.
  useLayoutEffect(() => setCount(row.current?.querySelectorAll('[data-set]').length ?? 0));
  return (
    <div ref={row} id={id} className={styles.filters} data-folded={(isFolding && !isOpen) || undefined}>
      {isFolding && (
        <Button
          size="small"
          className={styles.fold}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          Filters{count > 0 && ` (${count})`}
        </Button>
      )}
      {children}
    </div>
  );
}

export type ChoiceProps<Value extends string> = {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, label: string])[];
  onChange(value: Value): void;
};

/** The first option is the default. */
export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <Select
      className={styles.control}
      aria-label={label}
      value={value}
      data-set={value !== options[0]?.[0] || undefined}
      options={options.map(([option, words]) => ({ value: option, label: words }))}
      onChange={onChange}
    />
  );
}

export type DayChoiceProps = { label: string; value: string; onChange(value: string): void };

export function DayChoice({ label, value, onChange }: DayChoiceProps) {
  const id = useId();
  return (
    <span className={styles.day}>
      <label htmlFor={id}>{label}</label>
      <Input
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
  return <Checkbox label={label} checked={value} onChange={(event) => onChange(event.target.checked)} />;
}
