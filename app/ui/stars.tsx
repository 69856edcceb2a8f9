import styles from './stars.module.css';

/** A rating out of five, read as a sentence and drawn as stars filled to the tenth. */
export function Stars({ rating, label }: { rating: number; label?: string }) {
  const filled = Math.min(Math.max(rating, 0), 5);
  return (
    <span
      className={styles.stars}
      role="img"
      aria-label={label ?? `${formatRating(filled)} out of 5 stars`}
      style={{ '--filled': `${(filled / 5) * 100}%` } as React.CSSProperties}
    />
  );
}

export function formatRating(rating: number): string {
  return rating.toFixed(1).replace(/\.0$/, '');
}
