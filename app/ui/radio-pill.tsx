import styles from './radio-pill.module.css';

export type RadioPillProps = {
  name: string;
  value: string | number;
  label: string;
  isChosen: boolean;
  className?: string | undefined;
  onChoose(): void;
};

/** One of a few choices that stand side by side; a real radio button lies invisible over it. */
export function RadioPill({ name, value, label, isChosen, className, onChoose }: RadioPillProps) {
  return (
    <label className={className ? `${styles.pill} ${className}` : styles.pill}>
      <input type="radio" name={name} value={value} checked={isChosen} onChange={onChoose} />
      <span>{label}</span>
    </label>
  );
}
