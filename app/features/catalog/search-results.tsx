import { Link } from 'react-router';
import buttons from '#app/ui/button.module.css';
import { ChatIcon, MailIcon } from '#app/ui/contact-icons.tsx';
import { askForSweet } from '#domain/catalog/ask-for-sweet.ts';
import type { Product } from '#domain/catalog/product.ts';
import { nextShown, type ShopView, shopAddress } from '#domain/catalog/shop-view.ts';
import styles from './search-results.module.css';
import { ShopFilters } from './shop-filters.tsx';
import { Cards, Nothing } from './shop-sections.tsx';

export type SearchResultsProps = {
  view: ShopView;
  q: string;
  found: { found: number; total: number; products: Product[]; nearest: Product[] };
  shop: { name: string; whatsappNumber: string; email: string };
  onQuickAdd(product: Product): void;
};

export function SearchResults({ view, q, found, shop, onQuickAdd }: SearchResultsProps) {
  if (found.found === 0)
    return (
      <>
        <h1 className={styles.title}>
          Nothing found for <q>{q}</q>
        </h1>
        <Ask wish={q} shop={shop} />
        {found.nearest.length > 0 && (
          <section aria-labelledby="nearest">
            <h2 id="nearest" className={styles.nearest}>
              The nearest we have
            </h2>
            <Cards products={found.nearest} isFirst onQuickAdd={onQuickAdd} />
          </section>
        )}
      </>
    );
  const next = nextShown(view, found.total);
  return (
    <>
      <h1 className={styles.title}>
        Found for <q>{q}</q>
      </h1>
      <ShopFilters view={view} total={found.total}>
        {found.total > 0 ? (
          <Cards products={found.products} isFirst onQuickAdd={onQuickAdd} />
        ) : (
          <Nothing view={view} />
        )}
        {next !== null && (
          <p className={styles.more}>
            <Link className={buttons.quiet} to={shopAddress({ ...view, shown: next })} preventScrollReset>
              Show more
            </Link>
          </p>
        )}
      </ShopFilters>
    </>
  );
}

function Ask({ wish, shop }: { wish: string; shop: SearchResultsProps['shop'] }) {
  const { whatsapp, mail } = askForSweet({ wish, shopName: shop.name, ...shop });
  return (
    <div className={styles.ask}>
      <p>
        {whatsapp || mail
          ? 'We make a good deal more than we list. Ask us for it: your message is already written.'
          : 'Try another word, or look around the shop.'}
      </p>
      {whatsapp && (
        <a className={buttons.main} href={whatsapp}>
          <ChatIcon /> Ask on WhatsApp
        </a>
      )}
      {mail && (
        <a className={buttons.quiet} href={mail}>
          <MailIcon /> Ask by e-mail
        </a>
      )}
      <Link className={buttons.quiet} to="/shop">
        See the whole shop
      </Link>
    </div>
  );
}
