import { useEffect, useRef } from 'react';
import { NavLink } from 'react-router';
import styles from './tabs.module.css';

export type TabItem = { to: string; title: string; isOpen: boolean /** How much is behind it. */; count?: string };

/** Parts of a screen, each with an address of its own. */
export function Tabs({ label, items }: { label: string; items: readonly TabItem[] }) {
  const bar = useRef<HTMLElement>(null);
  const open = items.find(({ isOpen }) => isOpen)?.to;
  // A bar wider than the phone shows the tab that is open, wherever it stands.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another tab opens
  useEffect(() => {
    const tab = bar.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (!bar.current || !tab) return;
    bar.current.scrollLeft = tab.offsetLeft - (bar.current.clientWidth - tab.offsetWidth) / 2;
  }, [open]);
  return (
    <nav ref={bar} className={styles.tabs} aria-label={label}>
      {items.map(({ to, title, isOpen, count }) => (
        <NavLink key={to} to={to} aria-current={isOpen ? 'page' : false} preventScrollReset>
          {title}
          {count !== undefined && <span className={styles.count}> {count}</span>}
        </NavLink>
      ))}
    </nav>
  );
}
