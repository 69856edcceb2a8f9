import type { Category } from './category.ts';
import { searchText } from './search-text.ts';

export const shopTabs = ['box', 'gifts', 'takeaway'] as const;
export type ShopTab = (typeof shopTabs)[number];
export const shopSorts = ['bs', 'l-h', 'h-l'] as const;
export type ShopSort = (typeof shopSorts)[number];
export const priceFilters = ['below-100', 'below-200', 'below-300', 'below-400', 'above-400'] as const;
/** Has an address for links such as the home page's, and no place in the filter menu until it is chosen. */
export const linkedPriceFilters = ['below-500'] as const;
export type PriceFilter = (typeof priceFilters)[number] | (typeof linkedPriceFilters)[number];

/** The state of the shop page. All of it is in the address, so that links and Back work. */
export type ShopView = {
  /** The search query, over all tabs; null: no search. */
  q: string | null;
  tab: ShopTab;
  category: Category | 'all';
  /** 'fit' (best match) is the default of a search and is not written to the address. */
  sort: ShopSort | 'fit';
  price: PriceFilter | null;
  /** Products per section. */
  shown: number;
};

export const sectionsOfTab: Record<ShopTab, readonly Category[]> = {
  box: ['Chocolate', 'Laddu', 'Halwa'],
  gifts: ['Gift'],
  takeaway: ['Takeaway'],
};

export const productsPerSection = 48;
const maxPerSection = 480;

/** Every category as the shop lists them: the owner's follow those of the Box tab. */
export function allCategories(own: readonly Category[]): Category[] {
  return shopTabs.flatMap((tab) => sectionsIn(tab, own));
}

function sectionsIn(tab: ShopTab, own: readonly Category[]): readonly Category[] {
  return tab === 'box' ? [...sectionsOfTab.box, ...own] : sectionsOfTab[tab];
}

/**
 * Parses the address; unknown values count as missing. A category selects its tab. `own`: the names of
 * the categories that the owner added.
 */
export function shopViewFrom(query: URLSearchParams, own: readonly Category[] = []): ShopView {
  const category = allCategories(own).find((name) => name.toLowerCase() === query.get('category')?.toLowerCase());
  const tabOfCategory = shopTabs.find((tab) => category !== undefined && sectionsIn(tab, own).includes(category));
  const q = searchText(query.get('q') ?? '') || null;
  const steps = Math.ceil(Number(query.get('shown')) / productsPerSection);
  return {
    q,
    tab: tabOfCategory ?? oneOf(shopTabs, query.get('tab')) ?? 'box',
    category: category ?? 'all',
    sort: oneOf(shopSorts, query.get('sort')) ?? defaultSort(q),
    price: oneOf([...priceFilters, ...linkedPriceFilters], query.get('price')) ?? null,
    shown: Math.min(Math.max(steps || 1, 1) * productsPerSection, maxPerSection),
  };
}

/** The shortest address of a view: defaults are left out. */
export function shopAddress(view: Partial<ShopView>): string {
  const query = new URLSearchParams();
  if (view.q) query.set('q', view.q);
  if (view.category && view.category !== 'all') query.set('category', view.category.toLowerCase());
  else if (view.tab && view.tab !== 'box') query.set('tab', view.tab);
  if (view.sort && view.sort !== 'fit' && view.sort !== defaultSort(view.q)) query.set('sort', view.sort);
  if (view.price) query.set('price', view.price);
  if (view.shown && view.shown > productsPerSection) query.set('shown', String(view.shown));
  const text = query.toString();
  return text ? `/shop?${text}` : '/shop';
}

function defaultSort(q: string | null | undefined): ShopView['sort'] {
  return q ? 'fit' : 'bs';
}

/** Stands for the owner's categories in what a page asks of shop_page: their names need not be read first. */
export const ownSections = '*';

export function sectionsOf(view: ShopView): readonly Category[] {
  return view.category === 'all' ? sectionsIn(view.tab, [ownSections]) : [view.category];
}

/** How many products a 'Show more' link shows; null when all are shown or the page has its maximum. */
export function nextShown(view: ShopView, total: number): number | null {
  if (total <= view.shown || view.shown >= maxPerSection) return null;
  return view.shown + productsPerSection;
}

export function isFiltered(view: ShopView): boolean {
  return view.category !== 'all' || view.price !== null;
}

/** The prices of the filter menu. One that only links have stands among them while it is chosen. */
export function offeredPrices({ price }: Pick<ShopView, 'price'>): PriceFilter[] {
  const offered: PriceFilter[] = [...priceFilters];
  if (price && !offered.includes(price)) offered.splice(-1, 0, price);
  return offered;
}

/** In rupees: above `from`, up to and including `to`. */
export function priceRange(price: PriceFilter | null): { from: number; to: number } {
  const limit = Number(price?.split('-')[1]);
  if (!price) return { from: 0, to: 100_000_000 };
  return price === 'above-400' ? { from: limit, to: 100_000_000 } : { from: 0, to: limit };
}

function oneOf<T extends string>(known: readonly T[], value: string | null): T | undefined {
  return known.find((candidate) => candidate === value);
}
