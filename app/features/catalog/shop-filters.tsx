import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useMediaQuery } from '#app/ui/after-hydration.ts';
import { Button } from '#app/ui/button.tsx';
import { CloseIcon } from '#app/ui/close-icon.tsx';
import type { Category } from '#domain/catalog/category.ts';
import { isFiltered, type ShopView, shopAddress } from '#domain/catalog/shop-view.ts';
import { formatCount } from '#domain/money.ts';
import { FilterGroups } from './filter-groups.tsx';
import { FilterIcon } from './filter-icon.tsx';
import styles from './shop-filters.module.css';

const menuId = 'shop-filters';

export type ShopFiltersProps = {
  view: ShopView;
  ownCategories: readonly Category[];
  total: number;
  children: ReactNode;
};

/**
 * The filter menu beside what it filters. Where it stands and whether it is open at first is CSS alone: open from
 * 1024 px, below that a sheet (a popover, which opens without scripts too).
 */
export function ShopFilters({ view, ownCategories, total, children }: ShopFiltersProps) {
  const menu = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const isWide = useMediaQuery('(min-width: 1024px)');
  const [isClosed, setClosed] = useState(false);
  const [isSheetOpen, setSheetOpen] = useState(false);

  useEffect(() => {
    if (isWide) menu.current?.hidePopover();
  }, [isWide]);

  function toggle(event: MouseEvent) {
    if (!isWide) return;
    event.preventDefault(); // or it would become a sheet
    setClosed(!isClosed);
  }

  return (
    <div className={styles.layout} data-closed={isClosed || undefined}>
      <div className={styles.bar}>
        <button
          type="button"
          className={styles.toggle}
          popoverTarget={menuId}
          aria-controls={menuId}
          aria-expanded={isWide === null ? undefined : isWide ? !isClosed : isSheetOpen}
          data-ready={isWide !== null || undefined}
          onClick={toggle}
        >
          <FilterIcon /> Filters
        </button>
        <p role="status">{count(total)}</p>
        {isFiltered(view) && (
          <Link to={shopAddress({ q: view.q, tab: view.tab, sort: view.sort })} preventScrollReset>
            Clear filters
          </Link>
        )}
      </div>
      <section
        id={menuId}
        ref={menu}
        popover="auto"
        aria-label="Filters"
        className={styles.menu}
        onToggle={(event) => {
          setSheetOpen(event.newState === 'open');
          // After hydration: the visitor may be in the field already.
          if (event.newState === 'open' && !menu.current?.matches(':focus-within')) title.current?.focus();
        }}
      >
        <div className={styles.head}>
          <h2 ref={title} tabIndex={-1}>
            Filters
          </h2>
          <button type="button" popoverTarget={menuId} popoverTargetAction="hide" aria-label="Close filters">
            <CloseIcon />
          </button>
        </div>
        <FilterGroups view={view} ownCategories={ownCategories} />
        <div className={styles.foot}>
          <Button variant="primary" popoverTarget={menuId} popoverTargetAction="hide">
            Show {count(total)}
          </Button>
        </div>
      </section>
      <div className={styles.results}>{children}</div>
    </div>
  );
}

function count(total: number): string {
  return `${formatCount(total)} ${total === 1 ? 'item' : 'items'}`;
}
