import { type ReactNode, useId } from 'react';
import styles from './panel.module.css';
import { Skeleton } from './skeleton.tsx';

export { Badge, type Tone } from './badge.tsx';
export { EmptyState as Empty, FailedState as Failed } from './empty-state.tsx';
export { Tabs } from './tabs.tsx';

/** A sheet of the ledger. */
export function Panel({ title, actions, children }: { title?: string; actions?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={title ? id : undefined}>
      {(title || actions) && (
        <div className={styles.head}>
          {title && <h2 id={id}>{title}</h2>}
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

/** Labels and what they say. */
export function Facts({ items }: { items: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {items.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Loading({ rows = 6 }: { rows?: number }) {
  return (
    <div className={styles.loading} aria-busy="true">
      <p className="visually-hidden">Loading…</p>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stand-ins have no other identity
        <Skeleton key={row} />
      ))}
    </div>
  );
}
