import styles from './food-mark.module.css';

/** The mark that food in India carries: a green dot or a brown triangle in a square. Nothing if it is not known. */
export function FoodMark({ of }: { of: 'veg' | 'non-veg' | null }) {
  return of && <span className={styles.mark} data-mark={of} role="img" aria-label={of === 'veg' ? 'Veg' : 'Non-veg'} />;
}
