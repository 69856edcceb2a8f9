import { type ReactNode, useEffect, useRef } from 'react';
import { ButtonLink } from '#app/ui/button.tsx';
import styles from './confirmation-page.module.css';

/** The title takes the focus when it is another one: who cannot see the page hears that it has changed. */
export function Words({ title, children, actions }: { title: string; children: ReactNode; actions: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every new title
  useEffect(() => heading.current?.focus({ preventScroll: true }), [title]);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
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
