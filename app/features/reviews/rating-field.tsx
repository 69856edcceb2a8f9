import { useId } from 'react';
import styles from './rating-field.module.css';

/** 0 until one of the five stars is chosen. */
export function RatingField({ value, onChange }: { value: number; onChange(value: number): void }) {
  const name = useId();
  return (
    <fieldset className={styles.rating}>
      <legend>Your rating</legend>
      <div className={styles.stars}>
        {[1, 2, 3, 4, 5].map((stars) => (
          <label key={stars} data-filled={stars <= value || undefined}>
            <input type="radio" name={name} value={stars} checked={value === stars} onChange={() => onChange(stars)} />
            <span className="visually-hidden">{stars === 1 ? '1 star' : `${stars} stars`}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
