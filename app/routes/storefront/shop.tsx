import type { ShouldRevalidateFunctionArgs } from 'react-router';
import { loadSearch, loadShopSections } from '#app/features/catalog/catalog.server.ts';
import { SearchResults } from '#app/features/catalog/search-results.tsx';
import { ShopFilters } from '#app/features/catalog/shop-filters.tsx';
import { ShopSections } from '#app/features/catalog/shop-sections.tsx';
import { panelId, ShopTabs, tabId } from '#app/features/catalog/shop-tabs.tsx';
import { CardDelivery } from '#app/features/delivery/card-delivery.tsx';
import { loadPageFrame, type PageFrame } from '#app/features/navigation/page-frame.server.ts';
import { type ShopContext, shopContext } from '#app/shop-context.ts';
import { onlyOpensOrClosesModal } from '#domain/catalog/modal-address.ts';
import { type ShopView, shopAddress, shopViewFrom } from '#domain/catalog/shop-view.ts';
import type { Route } from './+types/shop.ts';
import { useStorefront } from './layout.tsx';
import { pageMeta } from './page-meta.ts';
import { PageTrouble } from './page-trouble.tsx';
import { quickAdd, useNotifyMe } from './product-actions.ts';
import styles from './shop.module.css';

export async function loader({ request, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const query = new URL(request.url).searchParams;
  const view = await readView(shop, query);
  const { q } = view;
  const [sections, found, frame] = await Promise.all([
    q ? [] : loadShopSections(shop, view),
    q ? loadSearch(shop, { ...view, q }) : null,
    loadPageFrame(shop),
  ]);
  const ownCategories = namesOf(frame);
  const { title, description } = wordsFor(view);
  const meta = pageMeta({
    shopName: frame.shop.name,
    title: `${title} · ${frame.shop.name}`,
    description,
    // Sorted and priced lists hold nothing that the plain one does not.
    url: shop.siteUrl + shopAddress({ tab: view.tab, category: view.category }),
    image: `${shop.siteUrl}/images/og-default.jpg`,
    type: 'website',
    more: q ? [{ name: 'robots', content: 'noindex' }] : [],
  });
  return { view, ownCategories, sections, found, meta };
}

/** Waits for the frame only where the address names a category that is none of the five. */
async function readView(shop: ShopContext, query: URLSearchParams): Promise<ShopView> {
  const view = shopViewFrom(query);
  if (!query.has('category') || view.category !== 'all') return view;
  const own = shopViewFrom(query, namesOf(await loadPageFrame(shop)));
  // Pages of categories that do not exist are not cached: visitors could invent any number.
  if (own.category === 'all') shop.holdsUntil(new Date(0));
  return own;
}

const namesOf = ({ categories }: PageFrame) => categories.map(({ name }) => name);

export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return onlyOpensOrClosesModal(currentUrl, nextUrl) ? false : defaultShouldRevalidate;
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.meta ?? [];

function wordsFor({ q, tab, category }: ShopView): { title: string; description: string } {
  if (q) return { title: `Search: ${q}`, description: `Results for “${q}”.` };
  if (tab === 'gifts')
    return {
      title: 'Gift boxes',
      description: 'Gift boxes and hampers of Indian sweets for weddings, Diwali, Rakhi and thank-yous.',
    };
  if (tab === 'takeaway')
    return { title: 'Takeaway', description: 'Samosa, jalebi, kulfi and more, best eaten the same day.' };
  if (category !== 'all')
    return { title: category, description: `${category} made fresh in small batches, in boxes of 500 g and 1 kg.` };
  return {
    title: 'Shop Indian sweets',
    description: 'Chocolate, laddu and halwa made fresh in small batches, in boxes of 500 g and 1 kg.',
  };
}

export default function ShopRoute({ loaderData: { view, ownCategories, sections, found } }: Route.ComponentProps) {
  const { shop } = useStorefront();
  const cardParts = { delivery: CardDelivery, onQuickAdd: quickAdd, onNotify: useNotifyMe() };
  if (found && view.q)
    return (
      <main className={styles.page}>
        <SearchResults
          view={view}
          ownCategories={ownCategories}
          q={view.q}
          found={found}
          shop={shop}
          parts={cardParts}
        />
      </main>
    );
  return (
    <main className={styles.page}>
      <h1>Shop</h1>
      <ShopTabs view={view} />
      <div role="tabpanel" id={panelId} aria-labelledby={tabId(view.tab)}>
        <ShopFilters
          view={view}
          ownCategories={ownCategories}
          total={sections.reduce((sum, { total }) => sum + total, 0)}
        >
          <ShopSections view={view} sections={sections} parts={cardParts} />
        </ShopFilters>
      </div>
    </main>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageTrouble error={error} />;
}
