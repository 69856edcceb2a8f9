import { Skeleton } from '#app/ui/skeleton.tsx';
import styles from './testimonials.module.css';

export function TestimonialSkeletons() {
  return (
    <div className={styles.row} aria-hidden="true">
      {[1, 2, 3, 4, 5].map((place) => (
        <div key={place} className={styles.card}>
          <Skeleton style={{ width: '5.5em' }} />
          <Skeleton style={{ width: '80%' }} />
          <Skeleton style={{ flex: 1 }} />
        </div>
      ))}
    </div>
  );
}
