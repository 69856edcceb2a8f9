import styles from './stepper.module.css';

export type StepperProps = {
  value: number;
  min: number;
  max: number;
  /** What is counted, for those who cannot see it: "Quantity of Besan Laddu". */
  label: string;
  onChange(value: number): void;
};

export function Stepper({ value, min, max, label, onChange }: StepperProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form where there is none
    <div className={styles.stepper} role="group" aria-label={label}>
      <button type="button" aria-label="Decrease quantity" disabled={value <= min} onClick={() => onChange(value - 1)}>
        −
      </button>
      <output aria-live="polite">{value}</output>
      <button type="button" aria-label="Increase quantity" disabled={value >= max} onClick={() => onChange(value + 1)}>
        +
      </button>
    </div>
  );
}
