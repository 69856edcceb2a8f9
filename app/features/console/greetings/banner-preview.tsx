import type { ReactNode } from 'react';
import styles from './banner-preview.module.css';

/** The shop's own banner, to look at and not to touch. */
export function BannerPreview({ label, children }: { label: string; children: ReactNode }) {
  return (
    <figure className={styles.preview}>
      <figcaption>{label}</figcaption>
      <div className={styles.stage} inert>
        {children}
      </div>
    </figure>
  );
}
