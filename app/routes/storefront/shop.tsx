import type { ShouldRevalidateFunctionArgs } from 'react-router';
import { addToCart } from '#app/features/cart/actions.ts';
import { loadShopSections } from '#app/features/catalog/catalog.server.ts';
import { ShopFilters } from '#app/features/catalog/shop-filters.tsx';
import { ShopSections } from '#app/features/catalog/shop-sections.tsx';
import { panelId, ShopTabs, tabId } from '#app/features/catalog/shop-tabs.tsx';
import { shopContext } from '#app/shop-context.ts';
import { defaultSize } from '#domain/cart/cart.ts';
import { onlyOpensOrClosesModal } from '#domain/catalog/modal-address.ts';
import { type ShopView, shopAddress, shopViewFrom } from '#domain/catalog/shop-view.ts';
import type { Route } from './+types/shop.ts';
import styles from './shop.module.css';

export async function loader({ request, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const view = shopViewFrom(new URL(request.url).searchParams);
  return {
    view,
    sections: await loadShopSections(shop, view),
    // Sorted and priced lists hold nothing that the plain one does not.
    canonical: shop.siteUrl + shopAddress({ tab: view.tab, category: view.category }),
  };
}

export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return onlyOpensOrClosesModal(currentUrl, nextUrl) ? false : defaultShouldRevalidate;
}

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const shopName = matches[1].loaderData?.shop.name ?? 'Mithaas';
  if (!loaderData) return [{ title: shopName }];
  const { title, description } = wordsFor(loaderData.view);
  return [
    { title: `${title} · ${shopName}` },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: loaderData.canonical },
    { property: 'og:type', content: 'website' },
    { property: 'og:title', content: `${title} · ${shopName}` },
    { property: 'og:description', content: description },
    { property: 'og:url', content: loaderData.canonical },
    { property: 'og:image', content: new URL('/images/og-default.jpg', loaderData.canonical).href },
  ];
}

function wordsFor({ tab, category }: ShopView): { title: string; description: string } {
  if (tab === 'gifts')
    return {
      title: 'Gift boxes',
      description: 'Gift boxes and hampers of Indian sweets for weddings, Diwali, Rakhi and thank-yous.',
    };
  if (tab === 'takeaway')
    return { title: 'Takeaway', description: 'Samosa, jalebi, kulfi and other things best eaten the same day.' };
  if (category !== 'all')
    return { title: category, description: `${category} made fresh in small batches, in boxes of 500 g and 1 kg.` };
  return {
    title: 'Shop Indian sweets',
    description: 'Chocolate, laddu and halwa made fresh in small batches, in boxes of 500 g and 1 kg.',
  };
}

export default function ShopRoute({ loaderData: { view, sections } }: Route.ComponentProps) {
  return (
    <main className={styles.page}>
      <h1>Shop</h1>
      <ShopTabs view={view} />
      <div role="tabpanel" id={panelId} aria-labelledby={tabId(view.tab)}>
        <ShopFilters view={view} total={sections.reduce((sum, { total }) => sum + total, 0)}>
          <ShopSections view={view} sections={sections} onQuickAdd={(product) => addToCart(product, defaultSize, 1)} />
        </ShopFilters>
      </div>
    </main>
  );
}
