import type { ReactNode } from 'react';
import styles from './styleguide.module.css';

/** One part of the design system, in its states. */
export function Part({ title, file, children }: { title: string; file: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h3>
        {title} <code>{file}</code>
      </h3>
      <div className={styles.states}>{children}</div>
    </section>
  );
}
