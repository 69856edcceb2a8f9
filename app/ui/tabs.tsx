import { NavLink } from 'react-router';
import styles from './tabs.module.css';

export type TabItem = { to: string; title: string; isOpen: boolean /** How much is behind it. */; count?: string };

/** A bar wider than the phone shows the tab that is open, wherever it stands. */
function scrollToMiddle(tab: HTMLAnchorElement | null): void {
  const bar = tab?.parentElement;
  if (bar) bar.scrollLeft = tab.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2;
}

/** Parts of a screen, each with an address of its own. */
export function Tabs({ label, items }: { label: string; items: readonly TabItem[] }) {
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
