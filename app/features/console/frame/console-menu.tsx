import { href, Link, NavLink } from 'react-router';
import { useSession } from '#app/backend/session.tsx';
import { useHydrated } from '#app/ui/after-hydration.ts';
import { Avatar } from '#app/ui/avatar.tsx';
import { useNewOrders } from '../data/new-orders.tsx';
import { areas } from './areas.ts';
import styles from './console-frame.module.css';
import { areaIcons, BellIcon, ExitIcon, LogIcon, OffersIcon, SettingsIcon, ShopIcon } from './console-icons.tsx';
import { TodoCount } from './todo-count.tsx';

/** Every area of the console, with how much waits there. */
export function ConsoleMenu() {
  const { who } = useSession();
  const { isSoundOn, setSound } = useNewOrders();
  const isHydrated = useHydrated();
  return (
    <div className={styles.menu}>
      <nav aria-label="Console">
        {areas.map(({ to, title }) => {
          const AreaIcon = areaIcons[title];
          return (
            <NavLink key={to} to={to} title={title} prefetch="intent">
              {AreaIcon && <AreaIcon />}
              <span>{title}</span>
              <TodoCount area={to} />
            </NavLink>
          );
        })}
      </nav>
      <div className={styles.foot}>
        <button
          type="button"
          role="switch"
          disabled={!isHydrated}
          aria-checked={isSoundOn}
          title="Sound for new orders"
          onClick={() => setSound(!isSoundOn)}
        >
          <BellIcon isOn={isSoundOn} />
          <span>Sound for new orders</span>
        </button>
        <NavLink to={href('/admin/offers')} prefetch="intent" title="Offers">
          <OffersIcon />
          <span>Offers</span>
        </NavLink>
        <NavLink to={href('/admin/settings')} prefetch="intent" title="Settings">
          <SettingsIcon />
          <span>Settings</span>
        </NavLink>
        <NavLink to={href('/admin/log')} prefetch="intent" title="Activity log">
          <LogIcon />
          <span>Activity log</span>
        </NavLink>
        <a href="/" title="View shop">
          <ShopIcon />
          <span>View shop</span>
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
