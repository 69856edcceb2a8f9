import styles from './canceled-stamp.module.css';

/** Marks a printed sheet of a canceled order, so that it is not packed or sent. The sheet must be `position: relative`. */
export function CanceledStamp() {
  return <strong className={styles.stamp}>CANCELLED</strong>;
}
