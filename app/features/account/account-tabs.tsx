import type { KeyboardEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import styles from './account-tabs.module.css';

export const accountTabs = ['profile', 'orders'] as const;
export type AccountTab = (typeof accountTabs)[number];

const addresses: Record<AccountTab, string> = { profile: '/profile', orders: '/profile?tab=orders' };

/** Reads the address; whatever it does not know is the profile. */
export function accountTabFrom(query: URLSearchParams): AccountTab {
  return accountTabs.find((tab) => tab === query.get('tab')) ?? 'profile';
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The order that a mail or the confirmation page leads to: /profile?tab=orders&order=… */
export function linkedOrderFrom(query: URLSearchParams): string | null {
  const order = query.get('order') ?? '';
  return uuid.test(order) ? order.toLowerCase() : null;
}

/** Tabs that are links, so that each can be shared and opened beside. Logout leaves the page: a link, not a tab. */
export function AccountTabs({ tab, orderCount }: { tab: AccountTab; orderCount: number | null }) {
  const navigate = useNavigate();

  function onKeyDown(event: KeyboardEvent<HTMLAnchorElement>) {
    const here = accountTabs.indexOf(event.currentTarget.dataset.tab as AccountTab);
    const steps: Record<string, number> = {
      ArrowRight: here + 1,
      ArrowDown: here + 1,
      ArrowLeft: here - 1,
      ArrowUp: here - 1,
      Home: 0,
      End: accountTabs.length - 1,
      ' ': here,
    };
    const step = steps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = accountTabs.at(step % accountTabs.length) ?? 'profile';
    document.getElementById(`${next}-tab`)?.focus();
    void navigate(addresses[next], { replace: true, preventScrollReset: true });
  }

  const tabProps = (name: AccountTab) => ({
    role: 'tab',
    id: `${name}-tab`,
    'data-tab': name,
    'aria-controls': `${name}-panel`,
    'aria-selected': tab === name,
    tabIndex: tab === name ? 0 : -1,
    to: addresses[name],
    preventScrollReset: true,
    onKeyDown,
  });

  return (
    <div className={styles.strip}>
      <div className={styles.tabs} role="tablist" aria-label="Account">
        <Link {...tabProps('profile')}>Profile</Link>
        <Link {...tabProps('orders')}>
          Order History <span className={styles.count}>{orderCount === null ? '' : `(${orderCount})`}</span>
        </Link>
      </div>
      <Link to="/logout" className={styles.logout}>
        Logout
      </Link>
    </div>
  );
}
