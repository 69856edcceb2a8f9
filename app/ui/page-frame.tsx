import type { ReactNode } from 'react';
import styles from './page-frame.module.css';

export function PageHeader({ name, children }: { name: string; children: ReactNode }) {
  return (
    <header className={styles.header}>
      <a className={styles.brand} href="/">
        <img src="/images/logo-mark.svg" alt="" width={36} height={36} />
        {name}
      </a>
      {children}
    </header>
  );
}

export function PageFooter({ children }: { children: ReactNode }) {
  return <footer className={styles.footer}>{children}</footer>;
}
