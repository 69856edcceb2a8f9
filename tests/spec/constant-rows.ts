import { cookieDays, cookiesFor } from '#domain/cart/basket-cookies.ts';
import { linePaise } from '#domain/cart/line-price.ts';
import { fixedCategories } from '#domain/catalog/category.ts';
import { offerTag } from '#domain/catalog/offer.ts';
import { priceFilters, priceRange, shopSorts } from '#domain/catalog/shop-view.ts';
import { testimonialCacheMilliseconds, testimonialsShown } from '#domain/home/testimonials.ts';
import { formatPaise, paise } from '#domain/money.ts';
import type { SpecRow } from './spec-row.ts';

const cookie = cookiesFor('cart', { 9: { 500: 1 } }, { secure: false });
const tokens = 'app/ui/tokens.css';
const terms = 'app/features/terms/policies.ts';

/** Section 9: business constants and limits. */
export const constantRows: SpecRow[] = [
  {
    section: 9,
    what: 'price = unit price per 500 g × size/500 × quantity',
    keptIn: 'domain/cart/line-price.ts',
    value: linePaise(paise(32_050), { size: 1000, quantity: 3 }),
    is: 192_300,
  },
  {
    section: 9,
    what: 'rupees are shown with ₹',
    keptIn: 'domain/money.ts',
    value: formatPaise(paise(129_950)),
    is: '₹1,299.50',
  },
  { section: 9, what: 'carts are kept for 7 days', keptIn: 'domain/cart/basket-cookies.ts', value: cookieDays, is: 7 },
  {
    section: 9,
    what: '7 days are what the cookie says',
    keptIn: 'domain/cart/basket-cookies.ts',
    value: cookie.ok && cookie.cookies[0]?.includes('; max-age=604800;'),
    is: true,
  },
  {
    section: 9,
    what: 'testimonial cache',
    keptIn: 'domain/home/testimonials.ts',
    value: testimonialCacheMilliseconds,
    is: 14_400_000,
  },
  { section: 9, what: 'testimonials', keptIn: 'domain/home/testimonials.ts', value: testimonialsShown, is: 5 },
  {
    section: 9,
    what: 'price filters',
    keptIn: 'domain/catalog/shop-view.ts',
    value: priceFilters,
    is: ['below-100', 'below-200', 'below-300', 'below-400', 'above-400'],
  },
  {
    section: 9,
    what: 'below is up to and including',
    keptIn: 'domain/catalog/shop-view.ts',
    value: priceRange('below-300').to,
    is: 300,
  },
  {
    section: 9,
    what: 'above starts after 400',
    keptIn: 'domain/catalog/shop-view.ts',
    value: priceRange('above-400').from,
    is: 400,
  },
  {
    section: 9,
    what: 'prices are compared so',
    keptIn: 'supabase/schemas/03_catalogue/07_pages.sql',
    source: 'q."Price" > min_price and q."Price" <= max_price',
  },
  {
    section: 9,
    what: 'sorts',
    keptIn: 'domain/catalog/shop-view.ts',
    value: shopSorts.toSorted(),
    is: ['bs', 'h-l', 'l-h'],
  },
  {
    section: 9,
    what: 'l-h is the lowest price first',
    keptIn: 'supabase/schemas/03_catalogue/07_pages.sql',
    source: `case when sort = 'l-h' then q."Price" end,`,
  },
  {
    section: 9,
    what: 'h-l is the highest price first',
    keptIn: 'supabase/schemas/03_catalogue/07_pages.sql',
    source: `case when sort = 'h-l' then q."Price" end desc,`,
  },
  {
    section: 9,
    what: 'bs is the highest rating first',
    keptIn: 'supabase/schemas/03_catalogue/07_pages.sql',
    source: 'q."Rating" desc nulls last, q."Id") as rank',
  },
  {
    section: 9,
    what: 'categories',
    keptIn: 'domain/catalog/category.ts',
    value: fixedCategories,
    is: ['Halwa', 'Chocolate', 'Laddu', 'Takeaway', 'Gift'],
  },
  ...fixedCategories.map(
    (category): SpecRow => ({
      section: 9,
      what: `${category} has its own colour`,
      keptIn: tokens,
      source: `[data-category="${category}"] {\n  --category: var(--${category.toLowerCase()});`,
    }),
  ),
  {
    section: 9,
    what: 'any other category is white',
    keptIn: 'app/features/product/product-parts.module.css',
    source: 'var(--category, #fff)',
  },
  {
    section: 9,
    what: 'available without an offer',
    keptIn: 'domain/catalog/offer.ts',
    value: offerTag({ available: true, offerPercent: null }),
    is: '10% off',
  },
  {
    section: 9,
    what: 'out of stock without an offer',
    keptIn: 'domain/catalog/offer.ts',
    value: offerTag({ available: false, offerPercent: null }),
    is: null,
  },
  {
    section: 9,
    what: 'breakpoint of phones',
    keptIn: 'app/features/navigation/top-navigation.module.css',
    source: '@media (max-width: 768px) {',
  },
  {
    section: 9,
    what: 'breakpoint of the filter menu',
    keptIn: 'app/features/catalog/shop-filters.tsx',
    source: "useMediaQuery('(min-width: 1024px)')",
  },
  {
    section: 9,
    what: 'toasts close after 5000 ms',
    keptIn: 'app/ui/toast.tsx',
    source: 'export const toastMilliseconds = 5000;',
  },
  {
    section: 9,
    what: 'a fixed shipping charge of 40 on cart orders, the zone’s on direct purchases',
    keptIn: 'supabase/schemas/03_catalogue/01_shop_settings.sql',
    source: 'cart_flat_charge numeric(8, 2) not null default 40',
  },
  {
    section: 9,
    what: 'the order stores the shipping charge of its quote',
    keptIn: 'supabase/schemas/09_payments/02_settle.sql',
    source: 'q.shipping_paise / 100.0, q.total_paise / 100.0, c.delivery_name',
  },
  {
    section: 9,
    what: 'payments are in INR',
    keptIn: 'app/features/checkout/checkout-backend.ts',
    source: "currency: 'INR'",
  },
  { section: 9, what: 'delivery', keptIn: terms, source: 'in 1 to 7 business days' },
  { section: 9, what: 'refunds', keptIn: terms, source: 'Refunds are made within 7 business days' },
  { section: 9, what: 'refund requests', keptIn: terms, source: 'ask for a refund within 24 hours of delivery' },
  {
    section: 9,
    what: 'no returns',
    keptIn: terms,
    source: 'Sweets are perishable items. For everyone’s safety there are no returns',
  },
  { section: 9, what: 'law', keptIn: terms, source: 'are governed by Indian law' },
];
