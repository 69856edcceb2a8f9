import skeleton from '#app/ui/skeleton.module.css';
import styles from './testimonials.module.css';

export function TestimonialSkeletons() {
  return (
    <div className={styles.row} aria-hidden="true">
      {[1, 2, 3, 4, 5].map((place) => (
        <div key={place} className={styles.card}>
          <span className={skeleton.skeleton} style={{ width: '5.5em' }} />
          <span className={skeleton.skeleton} style={{ width: '80%' }} />
          <span className={skeleton.skeleton} style={{ flex: 1 }} />
        </div>
      ))}
    </div>
  );
}
