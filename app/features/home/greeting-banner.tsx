import type { ReactNode } from 'react';
import { IconButton } from '#app/ui/button.tsx';
import { CloseIcon } from '#app/ui/close-icon.tsx';
import styles from './festival-banner.module.css';
import lamp from './lamp.svg';
import { SiteLink } from './site-link.tsx';

export type Greeting = {
  id: number;
  title: string;
  message: string;
  image: string;
  link: string;
  hasFireworks: boolean;
};

type Props = { greeting: Greeting; onDismiss(): void; children?: ReactNode };

/** How a festival banner looks; in the console's preview too. */
export function GreetingBanner({ greeting, onDismiss, children }: Props) {
  const words = (
    <>
      <strong>{greeting.title}</strong>
      {greeting.message && <span>{greeting.message}</span>}
    </>
  );
  return (
    <aside className={styles.banner} aria-label="Greeting" suppressHydrationWarning>
      {children}
      <div className={styles.inner}>
        <img className={styles.lamp} src={lamp} alt="" width={64} height={64} />
        {greeting.image && <img className={styles.image} src={greeting.image} alt="" width={48} height={48} />}
        {greeting.link ? (
          <SiteLink to={greeting.link} className={styles.words}>
            {words}
          </SiteLink>
        ) : (
          <p className={styles.words}>{words}</p>
        )}
        <IconButton label="Dismiss greeting" className={styles.close} onClick={onDismiss}>
          <CloseIcon />
        </IconButton>
      </div>
    </aside>
  );
}
