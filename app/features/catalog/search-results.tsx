import { ButtonLink } from '#app/ui/button.tsx';
import { lazyPart } from '#app/ui/lazy-part.tsx';
import type { Category } from '#domain/catalog/category.ts';
import type { Product } from '#domain/catalog/product.ts';
import { nextShown, type ShopView, shopAddress } from '#domain/catalog/shop-view.ts';
import type { NothingFoundProps } from './nothing-found.tsx';
import styles from './search-results.module.css';
import { ShopFilters } from './shop-filters.tsx';
import { type CardParts, Cards, Nothing } from './shop-sections.tsx';

// Seldom needed, so its code is not in everybody's way.
const NothingFound = lazyPart<NothingFoundProps>(() => import('./nothing-found.tsx'), [styles]);

export type SearchResultsProps = {
  view: ShopView;
  ownCategories: readonly Category[];
  q: string;
  found: { found: number; total: number; products: Product[]; nearest: Product[] };
  shop: NothingFoundProps['shop'];
  parts: CardParts;
};

export function SearchResults({ view, ownCategories, q, found, shop, parts }: SearchResultsProps) {
  if (found.found === 0)
    return (
      <>
        <h1 className={styles.title}>
          Nothing found for <b>“{q}”</b>
        </h1>
        <NothingFound q={q} hasNearest={found.nearest.length > 0} shop={shop} />
        {found.nearest.length > 0 && (
          <section aria-labelledby="nearest">
            <h2 id="nearest" className={styles.nearest}>
              You might like
            </h2>
            <Cards products={found.nearest} isFirst parts={parts} />
          </section>
        )}
      </>
    );
  const next = nextShown(view, found.total);
  return (
    <>
      <h1 className={styles.title}>
        Results for <b>“{q}”</b>
      </h1>
      <ShopFilters view={view} ownCategories={ownCategories} total={found.total}>
        {found.total > 0 ? (
          <>
            <h2 className="visually-hidden">Results</h2>
            <Cards products={found.products} isFirst parts={parts} />
          </>
        ) : (
          <Nothing view={view} />
        )}
        {next !== null && (
          <p className={styles.more}>
            <ButtonLink to={shopAddress({ ...view, shown: next })} preventScrollReset>
              Show more
            </ButtonLink>
          </p>
        )}
      </ShopFilters>
    </>
  );
}
