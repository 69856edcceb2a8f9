import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import styles from './console-page.module.css';

export type ConsolePageProps = {
  title: string;
  /** The few things done from here most often. */
  actions?: ReactNode;
  back?: { to: string; label: string };
  children: ReactNode;
};

export function ConsolePage({ title, actions, back, children }: ConsolePageProps) {
  return (
    <main className={styles.page}>
      <title>{`${title} · Console`}</title>
      {back && (
        <Link className={styles.back} to={back.to}>
          ← {back.label}
        </Link>
      )}
      <div className={styles.head}>
        <h1>{title}</h1>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </main>
  );
}

/** A page whose screen is still being fetched. */
export function LoadingPage({ title }: { title: string }) {
  return (
    <main className={styles.page}>
      <div className={styles.head}>
        <h1>{title}</h1>
      </div>
      <LoadingShape>
        <BlankPanel lines={8} />
      </LoadingShape>
    </main>
  );
}
