import type { ReactNode } from 'react';
import { ButtonLink } from '#app/ui/button.tsx';
import styles from './confirmation.module.css';

const takeFocus = (heading: HTMLHeadingElement | null) => heading?.focus({ preventScroll: true });

/** The title takes the focus when it is another one: who cannot see the page hears that it has changed. */
export function Words({ title, children, actions }: { title: string; children: ReactNode; actions: ReactNode }) {
  return (
    <>
      <h1 key={title} ref={takeFocus} tabIndex={-1}>
        {title}
      </h1>
      {children}
      <div className={styles.actions}>{actions}</div>
    </>
  );
}

export function WhereNext() {
  return (
    <>
      <ButtonLink variant="primary" to="/profile?tab=orders">
        Order history
      </ButtonLink>
      <ButtonLink to="/shop">Continue shopping</ButtonLink>
    </>
  );
}
