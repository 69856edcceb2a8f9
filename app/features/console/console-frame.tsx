import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { useSession } from '#app/backend/session.tsx';
import { Avatar } from '#app/ui/avatar.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { areas } from './areas.ts';
import styles from './console-frame.module.css';
import {
  areaIcons,
  BellIcon,
  ExitIcon,
  LogIcon,
  MenuIcon,
  SettingsIcon,
  ShopIcon,
  SidebarIcon,
} from './console-icons.tsx';
import { useNewOrders } from './new-orders.tsx';
import { useFocusKeeper } from './use-focus-keeper.ts';

const narrowKey = 'mithaas-console-narrow';

type FrameProps = {
  shopName: string;
  /** Somebody reaches for a link: it may be pressed in a moment. */
  onReach(pathname: string): void;
  children: ReactNode;
};

/** The sidebar at the left, narrow if somebody likes it so; on a phone a bar with a menu that comes over the page. */
export function ConsoleFrame({ shopName, onReach, children }: FrameProps) {
  const [isNarrow, setNarrow] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const { key } = useLocation();

  useEffect(() => setNarrow(localStorage.getItem(narrowKey) === 'yes'), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever arrives somewhere has chosen
  useEffect(() => setMenuOpen(false), [key]);

  function toggle() {
    localStorage.setItem(narrowKey, isNarrow ? 'no' : 'yes');
    setNarrow(!isNarrow);
  }

  const content = useRef<HTMLDivElement>(null);
  useFocusKeeper(content);
  function reach({ target }: SyntheticEvent) {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link?.origin === location.origin) onReach(link.pathname);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is reached for are the links in it
    <div
      className={styles.frame}
      data-narrow={isNarrow || undefined}
      onPointerOver={reach}
      onTouchStart={reach}
      onFocus={reach}
    >
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <header className={styles.bar}>
        <button type="button" onClick={() => setMenuOpen(true)} aria-haspopup="dialog" aria-label="Menu">
          <MenuIcon />
        </button>
        <Link to="/admin/dashboard">{shopName}</Link>
      </header>
      <aside className={styles.sidebar} aria-label="Sidebar">
        <div className={styles.brand}>
          <Link to="/admin/dashboard" aria-label={`${shopName}, dashboard`}>
            <img src="/images/logo-mark.svg" alt="" width={32} height={32} />
            <span>{shopName}</span>
          </Link>
          <button
            type="button"
            onClick={toggle}
            aria-expanded={!isNarrow}
            aria-label={isNarrow ? 'Widen the sidebar' : 'Narrow the sidebar'}
          >
            <SidebarIcon />
          </button>
        </div>
        <Menu />
      </aside>
      <Dialog
        open={isMenuOpen}
        onClose={() => setMenuOpen(false)}
        labelledBy="console-menu-title"
        className={styles.drawer}
      >
        <div className={styles.drawerHead}>
          <h2 id="console-menu-title">{shopName}</h2>
          <button type="button" onClick={() => setMenuOpen(false)} aria-label="Close menu">
            ×
          </button>
        </div>
        <Menu />
      </Dialog>
      <div ref={content} id="content" tabIndex={-1} className={styles.content}>
        {children}
      </div>
    </div>
  );
}

function Menu() {
  const { who } = useSession();
  const { isSoundOn, setSound } = useNewOrders();
  return (
    <div className={styles.menu}>
      <nav aria-label="Console">
        {areas.map(({ to, title }) => {
          const AreaIcon = areaIcons[title];
          return (
            <NavLink key={to} to={to} title={title}>
              {AreaIcon && <AreaIcon />}
              <span>{title}</span>
            </NavLink>
          );
        })}
      </nav>
      <div className={styles.foot}>
        <button
          type="button"
          role="switch"
          aria-checked={isSoundOn}
          title="Sound for new orders"
          onClick={() => setSound(!isSoundOn)}
        >
          <BellIcon isOn={isSoundOn} />
          <span>Sound for new orders</span>
        </button>
        <NavLink to="/admin/settings" title="Settings">
          <SettingsIcon />
          <span>Settings</span>
        </NavLink>
        <NavLink to="/admin/log" title="Change log">
          <LogIcon />
          <span>Change log</span>
        </NavLink>
        <a href="/" title="The shop">
          <ShopIcon />
          <span>The shop</span>
        </a>
        <Link to="/logout" title="Logout">
          <ExitIcon />
          <span>Logout</span>
        </Link>
        {who && (
          <p className={styles.who}>
            <Avatar name={who.name} url={who.avatarUrl} />
            <span>{who.name}</span>
          </p>
        )}
      </div>
    </div>
  );
}
