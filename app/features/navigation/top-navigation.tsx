import type { MouseEvent, ReactNode } from 'react';
import { href, NavLink } from 'react-router';
import { useSession } from '#app/backend/session.tsx';
import { Avatar } from '#app/ui/avatar.tsx';
import { insteadOfSubmit } from '#app/ui/instead-of-submit.ts';
import { lazyPart } from '#app/ui/lazy-part.tsx';
import { NearNavLink } from '#app/ui/near-link.tsx';
import { withPending } from '#app/ui/pending.ts';
import { toast } from '#app/ui/toast.tsx';
import { CartIcon, ConsoleIcon, HomeIcon, SearchIcon, ShopIcon, searchFieldId } from './navigation-icons.tsx';
import searchStyles from './search-form.module.css';
import styles from './top-navigation.module.css';

const SearchForm = lazyPart(() => import('./search-form.tsx'), [searchStyles]);

export type TopNavigationProps = {
  shopName: string;
  /** `CartCount`, for what is in the cart. */
  cartCount: ReactNode;
  /** Where things are delivered. */
  place: ReactNode;
};

export function TopNavigation({ shopName, cartCount, place }: TopNavigationProps) {
  const { who, isAdministrator, signIn } = useSession();

  async function login() {
    const result = await withPending(signIn());
    if (!result.ok) toast('error', result.message);
  }

  return (
    <header className={styles.header}>
      <NavLink className={styles.brand} to="/" aria-label={`${shopName}, home`}>
        <img src="/images/logo-mark.svg" alt="" width={36} height={36} />
        <span>{shopName}</span>
      </NavLink>
      {place}
      <SearchForm />
      <nav className={styles.links} aria-label="Main">
        <NearNavLink to="/" end>
          <HomeIcon />
          <span>Home</span>
        </NearNavLink>
        <NearNavLink to="/shop">
          <ShopIcon />
          <span>Shop</span>
        </NearNavLink>
        {/* Without scripts it focuses the field by its address. */}
        <a href={`#${searchFieldId}`} className={styles.search} onClick={focusSearch}>
          <SearchIcon />
          <span>Search</span>
        </a>
        <NearNavLink to="/cart" className={styles.cart}>
          <CartIcon />
          {cartCount}
        </NearNavLink>
      </nav>
      <div className={styles.account}>
        {isAdministrator && (
          <a className={styles.console} href={href('/admin')}>
            <ConsoleIcon />
            <span>Console</span>
          </a>
        )}
        <NavLink className={styles.buy} to="/shop">
          Buy
        </NavLink>
        {who ? (
          <NavLink to="/profile" className={styles.profile} aria-label={`Profile of ${who.name}`}>
            <Avatar name={who.name} url={who.avatarUrl} />
          </NavLink>
        ) : (
          <>
            {/* One of the two is shown: see markStoredSession. */}
            <NavLink to="/profile" className={`${styles.profile} ${styles.toCome}`} aria-label="Profile" />
            {/* Before the page is hydrated, and without JavaScript: the profile says what signing in needs. */}
            <form action="/profile" className={styles.loginForm} onSubmit={insteadOfSubmit(() => void login())}>
              <button type="submit" className={styles.login}>
                Login
              </button>
            </form>
          </>
        )}
      </div>
    </header>
  );
}

export function CartCount({ quantity }: { quantity: number }) {
  return (
    <>
      <span aria-hidden={quantity > 0 || undefined}>Cart</span>
      {quantity > 0 && (
        <>
          <span className={styles.badge} key={quantity} aria-hidden="true">
            {quantity}
          </span>
          <span className="visually-hidden">
            Cart, {quantity} {quantity === 1 ? 'item' : 'items'}
          </span>
        </>
      )}
    </>
  );
}

function focusSearch(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById(searchFieldId)?.focus();
}
