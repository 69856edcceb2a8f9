import { type ReactNode, useId } from 'react';
import { NavLink } from 'react-router';
import buttons from './button.module.css';
import styles from './panel.module.css';
import skeletons from './skeleton.module.css';

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

export type Tone = 'calm' | 'good' | 'warn' | 'bad' | 'busy';

export function Badge({ tone = 'calm', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
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

/** A bar wider than the phone shows the tab that is open, wherever it stands. */
function scrollToMiddle(tab: HTMLAnchorElement | null): void {
  const bar = tab?.parentElement;
  if (bar) bar.scrollLeft = tab.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2;
}

export function Tabs({
  label,
  items,
}: {
  label: string;
  items: readonly { to: string; title: string; isOpen: boolean /** How much is behind it. */; count?: string }[];
}) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {items.map(({ to, title, isOpen, count }) => (
        <NavLink
          key={to}
          ref={isOpen ? scrollToMiddle : undefined}
          to={to}
          aria-current={isOpen ? 'page' : false}
          preventScrollReset
        >
          {title}
          {count !== undefined && <span className={styles.count}> {count}</span>}
        </NavLink>
      ))}
    </nav>
  );
}

export function Empty({ title, text, action }: { title: string; text?: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.nothing}>
      <p className={styles.nothingTitle}>{title}</p>
      {text && <p>{text}</p>}
      {action}
    </div>
  );
}

export function Failed({ retry }: { retry(): void }) {
  return (
    <div className={styles.nothing} role="alert">
      <p className={styles.nothingTitle}>We couldn’t load this.</p>
      <button type="button" className={buttons.small} onClick={retry}>
        Try again
      </button>
    </div>
  );
}

export function Loading({ rows = 6 }: { rows?: number }) {
  return (
    <div className={styles.loading} aria-busy="true">
      <p className="visually-hidden">Loading…</p>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stand-ins have no other identity
        <span key={row} className={skeletons.skeleton} />
      ))}
    </div>
  );
}
