import { href, NavLink } from 'react-router';
import styles from './bottom-bar.module.css';
import { areaIcons, KitchenIcon, MenuIcon } from './console-icons.tsx';
import { TodoCount } from './todo-count.tsx';

const daily = [
  { to: href('/admin/dashboard'), title: 'Dashboard', AreaIcon: areaIcons.Dashboard },
  { to: href('/admin/orders'), title: 'Orders', AreaIcon: areaIcons.Orders },
  { to: href('/admin/kitchen'), title: 'Kitchen', AreaIcon: KitchenIcon },
  { to: href('/admin/inventory'), title: 'Inventory', AreaIcon: areaIcons.Inventory },
];

/** Under the thumb on a phone: what is opened every morning, and the way to everything else. */
export function BottomBar({ isReady, onMenu }: { isReady: boolean; onMenu(): void }) {
  return (
    <nav className={styles.bar} aria-label="Daily work">
      {daily.map(({ to, title, AreaIcon }) => (
        <NavLink key={to} to={to} prefetch="intent">
          {AreaIcon && <AreaIcon />}
          {title}
          <TodoCount area={to} />
        </NavLink>
      ))}
      <button type="button" disabled={!isReady} onClick={onMenu} aria-haspopup="dialog">
        <MenuIcon />
        Menu
      </button>
    </nav>
  );
}
