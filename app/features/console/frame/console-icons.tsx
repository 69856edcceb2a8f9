import type { ComponentType } from 'react';
import { Icon } from '#app/ui/icon.tsx';

const drawn = (path: string) => () => (
  <Icon>
    <path d={path} />
  </Icon>
);

export const areaIcons: Record<string, ComponentType> = {
  Dashboard: drawn('M4 13h6V4H4zM14 20h6v-9h-6zM14 4v4h6V4zM4 16v4h6v-4z'),
  Greetings: drawn('M4 15c0 3 3.6 5 8 5s8-2 8-5zM12 15c-2-2-2-4.5 0-8 2 3.5 2 6 0 8M12 3v1'),
  Orders: drawn('M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6'),
  Products: drawn('M4 9h16v10H4zM4 9l3-4h10l3 4M12 5v4M9 13h6'),
  Customers: drawn(
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M3 20c0-3.5 2.7-5.5 6-5.5s6 2 6 5.5M16 4.5a3.3 3.3 0 0 1 0 6M18 15c1.9.7 3 2.4 3 5',
  ),
  Vendors: drawn(
    'M3 7h11v10H3zM14 11h4l3 3v3h-7zM7 19.5a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4M17.5 19.5a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4',
  ),
  Inventory: drawn('M3 8l9-5 9 5v12H3zM7 20v-8h10v8M7 16h10'),
  Expenses: drawn('M7 4h10M7 8.5h10M7 4c4 0 6 1.7 6 4.5S11 13 7 13l7 7'),
};

export const KitchenIcon = drawn('M4 11h16v4a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5zM2 11h20M8 4v3M12 3v4M16 4v3');
export const SearchIcon = drawn('M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M16 16l5 5');
export const MenuIcon = drawn('M4 7h16M4 12h16M4 17h16');
export const SidebarIcon = drawn('M4 5h16v14H4zM10 5v14');
export const OffersIcon = drawn('M4 12V4h8l8.5 8.5-8 8zM8.5 8.5h.01');
export const LogIcon = drawn('M12 7v5l3 2M4.5 9a8 8 0 1 1-.5 5M4 5v4h4');
export const SettingsIcon = drawn('M4 7h9m5 0h2M4 17h3m5 0h8M13 4.5v5h5v-5zM7 14.5v5h5v-5z');
export const ShopIcon = drawn('M4 10v10h16V10M3 10l2-6h14l2 6a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0');
export const ExitIcon = drawn('M14 4H5v16h9M10 12h11M17 8l4 4-4 4');

export function BellIcon({ isOn }: { isOn: boolean }) {
  return (
    <Icon>
      <path d="M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10 20.5h4" />
      {!isOn && <path d="M4 4l16 16" />}
    </Icon>
  );
}
