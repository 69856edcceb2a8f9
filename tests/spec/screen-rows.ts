import { sectionsOfTab, shopTabs, shopViewFrom } from '#domain/catalog/shop-view.ts';
import { cardsPerRow } from '#domain/home/full-rows.ts';
import type { SpecRow } from './spec-row.ts';

const plain = shopViewFrom(new URLSearchParams());
const text = (what: string, words: string, keptIn: string): SpecRow => ({ section: 2, what, text: words, keptIn });

/** Section 2: screens and routes. */
export const screenRows: SpecRow[] = [
  {
    section: 2,
    what: 'fireworks last about 3 seconds',
    keptIn: 'app/features/home/draw-fireworks.ts',
    source: 'export const fireworksMilliseconds = 3000;',
  },
  {
    section: 2,
    what: 'the carousel advances every 5 s',
    keptIn: 'app/features/home/use-rotation.ts',
    source: 'export const carouselMilliseconds = 5000;',
  },
  {
    section: 2,
    what: 'the carousel pauses on hover',
    keptIn: 'app/features/home/use-rotation.ts',
    source: "hear('pointerenter', () => setHovered(true))",
  },
  text('title of the catalogue', 'A Taste Of Authenticity', 'app/routes/storefront/home.tsx'),
  {
    section: 2,
    what: 'home lists what is available and not Takeaway',
    keptIn: 'supabase/schemas/03_catalogue/07_pages.sql',
    source: `where q.isavailable and q."Category" <> 'Takeaway'`,
  },
  {
    section: 2,
    what: 'home shows a multiple of 2 up to 768 px, else of 3',
    keptIn: 'domain/home/full-rows.ts',
    value: cardsPerRow,
    is: { narrow: 2, wide: 3 },
  },
  {
    section: 2,
    what: 'home is trimmed for phones up to 768 px',
    keptIn: 'app/features/catalog/product-grid.module.css',
    source: '@media (width <= 768px) {',
  },
  {
    section: 2,
    what: 'home is trimmed for wider screens above 768 px',
    keptIn: 'app/features/catalog/product-grid.module.css',
    source: '@media (width > 768px) {',
  },
  text('button under the catalogue', 'Try Them All', 'app/routes/storefront/home.tsx'),
  {
    section: 2,
    what: 'combo packs halwa, chocolate, laddu, family',
    keptIn: 'supabase/schemas/03_catalogue/07_pages.sql',
    source: "array['halwa', 'chocolate', 'laddu', 'family']",
  },
  text('bulk button', 'Order In Bulk', 'app/features/home/bulk-order.tsx'),
  { section: 2, what: 'the explainer has 3 steps', keptIn: 'app/features/home/steps.tsx', source: "{ name: 'Open'" },
  {
    section: 2,
    what: 'order now leads to /shop',
    keptIn: 'app/features/home/order-now.tsx',
    source: '<ButtonLink to="/shop"',
  },

  {
    section: 2,
    what: 'tabs of the shop',
    keptIn: 'domain/catalog/shop-view.ts',
    value: shopTabs,
    is: ['box', 'gifts', 'takeaway'],
  },
  text('tab Box', 'Box', 'app/features/catalog/shop-tabs.tsx'),
  text('tab Gifts', 'Gifts', 'app/features/catalog/shop-tabs.tsx'),
  text('tab Takeaway', 'Takeaway', 'app/features/catalog/shop-tabs.tsx'),
  {
    section: 2,
    what: 'sections of Box, in order',
    keptIn: 'domain/catalog/shop-view.ts',
    value: sectionsOfTab.box,
    is: ['Chocolate', 'Laddu', 'Halwa'],
  },
  {
    section: 2,
    what: 'Gifts shows the Gift category',
    keptIn: 'domain/catalog/shop-view.ts',
    value: sectionsOfTab.gifts,
    is: ['Gift'],
  },
  {
    section: 2,
    what: 'Takeaway shows Takeaway',
    keptIn: 'domain/catalog/shop-view.ts',
    value: sectionsOfTab.takeaway,
    is: ['Takeaway'],
  },
  { section: 2, what: 'filter groups', keptIn: 'app/features/catalog/filter-groups.tsx', source: 'title="Category"' },
  { section: 2, what: 'filter groups', keptIn: 'app/features/catalog/filter-groups.tsx', source: 'title="Sort"' },
  { section: 2, what: 'filter groups', keptIn: 'app/features/catalog/filter-groups.tsx', source: 'title="Price"' },
  {
    section: 2,
    what: 'the filter menu is open from 1024 px',
    keptIn: 'app/features/catalog/shop-filters.module.css',
    source: '@media (min-width: 1024px) {',
  },
  {
    section: 2,
    what: 'the layout is the mobile one at 1024 px or less',
    keptIn: 'app/features/catalog/filter-groups.module.css',
    source: '@media (max-width: 1024px) {',
  },
  { section: 2, what: 'default tab box', keptIn: 'domain/catalog/shop-view.ts', value: plain.tab, is: 'box' },
  { section: 2, what: 'default sort best selling', keptIn: 'domain/catalog/shop-view.ts', value: plain.sort, is: 'bs' },
  { section: 2, what: 'default category all', keptIn: 'domain/catalog/shop-view.ts', value: plain.category, is: 'all' },

  text('no reviews', 'No reviews yet', 'app/features/product/product-parts.tsx'),
  text('shipping', 'Shipping Calculated at checkout.', 'app/features/product/purchase-options.tsx'),
  text('button', 'Add to Cart', 'app/features/product/purchase-options.tsx'),
  text('button', 'Buy Now', 'app/features/product/purchase-options.tsx'),
  text('unknown product', 'Loading product...', 'app/features/product/product-page.tsx'),
  {
    section: 2,
    what: 'the modal opens by ?product=',
    keptIn: 'domain/catalog/modal-address.ts',
    source: "get('product')",
  },
  {
    section: 2,
    what: 'the name is matched whatever its case',
    keptIn: 'supabase/schemas/03_catalogue/07_pages.sql',
    source: 'lower(p."Name") = lower(btrim(product_id_by_name.name))',
  },
  {
    section: 2,
    what: 'descriptions end after 120 characters in the mobile modal',
    keptIn: 'app/features/product/product-modal-content.tsx',
    source: 'const charactersOnPhones = 120;',
  },
];
