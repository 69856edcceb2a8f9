import styles from './canceled-stamp.module.css';

/** Across a sheet that lies about already: nobody packs or sends this. The sheet must be `position: relative`. */
export function CanceledStamp() {
  return <strong className={styles.stamp}>CANCELLED</strong>;
}
