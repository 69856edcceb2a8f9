import { type ReactNode, useEffect, useRef, useState } from 'react';
import { href, Link, useLocation } from 'react-router';
import { useHydrated } from '#app/ui/after-hydration.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { FindDialog } from '../find/find-dialog.tsx';
import { findKeys, useFind } from '../find/use-find.ts';
import { BottomBar } from './bottom-bar.tsx';
import styles from './console-frame.module.css';
import { SearchIcon, SidebarIcon } from './console-icons.tsx';
import { ConsoleMenu } from './console-menu.tsx';
import { useFocusKeeper } from './use-focus-keeper.ts';

const narrowKey = 'mithaas-console-narrow';

type FrameProps = {
  shopName: string;
  /** Until then visitors, who have no stored session, do not see it. */
  isAdmitted: boolean;
  children: ReactNode;
};

/** The sidebar at the left, narrow if wanted; on a phone a bar at the bottom, and the rest in a menu over the page. */
export function ConsoleFrame({ shopName, isAdmitted, children }: FrameProps) {
  const [isNarrow, setNarrow] = useState(false);
  // Before that a button does nothing when it is pressed.
  const isHydrated = useHydrated();
  const { key } = useLocation();
  // Closed by every navigation: it is open on the page where it was opened.
  const [menuPage, setMenuPage] = useState<string | null>(null);
  const closeMenu = () => setMenuPage(null);

  useEffect(() => setNarrow(localStorage.getItem(narrowKey) === 'yes'), []);

  function toggle() {
    localStorage.setItem(narrowKey, isNarrow ? 'no' : 'yes');
    setNarrow(!isNarrow);
  }

  const find = useFind();
  const content = useRef<HTMLDivElement>(null);
  useFocusKeeper(content);

  return (
    <div className={styles.frame} data-narrow={isNarrow || undefined} data-waiting={!isAdmitted || undefined}>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <header className={styles.bar}>
        <Link to={href('/admin/dashboard')}>
          <img src="/images/logo-mark.svg" alt="" width={28} height={28} />
          {shopName}
        </Link>
        <button type="button" disabled={!isHydrated} onClick={find.open} aria-haspopup="dialog" aria-label="Search">
          <SearchIcon />
        </button>
      </header>
      <aside className={styles.sidebar} aria-label="Sidebar">
        <div className={styles.brand}>
          <Link to={href('/admin/dashboard')} aria-label={`${shopName}, dashboard`}>
            <img src="/images/logo-mark.svg" alt="" width={32} height={32} />
            <span>{shopName}</span>
          </Link>
          <button
            type="button"
            disabled={!isHydrated}
            onClick={toggle}
            aria-expanded={!isNarrow}
            aria-label={isNarrow ? 'Expand sidebar' : 'Collapse sidebar'}
          >
            <SidebarIcon />
          </button>
        </div>
        <button
          type="button"
          className={styles.find}
          disabled={!isHydrated}
          onClick={find.open}
          aria-haspopup="dialog"
          title="Search"
        >
          <SearchIcon />
          <span>Search</span>
          <kbd>{isHydrated && findKeys()}</kbd>
        </button>
        <ConsoleMenu />
      </aside>
      <Dialog open={menuPage === key} onClose={closeMenu} labelledBy="console-menu-title" className={styles.drawer}>
        <div className={styles.drawerHead}>
          <h2 id="console-menu-title">{shopName}</h2>
          <button type="button" onClick={closeMenu} aria-label="Close menu">
            ×
          </button>
        </div>
        <ConsoleMenu />
      </Dialog>
      <div ref={content} id="content" tabIndex={-1} className={styles.content}>
        {children}
      </div>
      <BottomBar isReady={isHydrated} onMenu={() => setMenuPage(key)} />
      <FindDialog open={find.isOpen} onClose={find.close} />
    </div>
  );
}
