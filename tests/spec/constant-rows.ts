import { cookieDays, cookiesFor } from '#domain/cart/basket-cookies.ts';
import { linePaise } from '#domain/cart/line-price.ts';
import { fixedCategories } from '#domain/catalog/category.ts';
import { offerTag } from '#domain/catalog/offer.ts';
import { priceFilters, priceRange, shopSorts } from '#domain/catalog/shop-view.ts';
import { testimonialCacheMilliseconds, testimonialsShown } from '#domain/home/testimonials.ts';
import { formatPaise, paise } from '#domain/money.ts';
import { provenBy, type SpecRow } from './spec-row.ts';

const cookie = cookiesFor('cart', { 9: { 500: 1 } }, { secure: false });
const terms = 'app/features/terms/policies.test.ts';
const catalogue = 'supabase/tests/catalogue-pages.test.ts';
const colours = 'tests/e2e/shop.spec.ts › each category has its own colour, and any other category is white';

/** Section 9: business constants and limits. */
export const constantRows: SpecRow[] = [
  {
    section: 9,
    what: 'price = unit price per 500 g × size/500 × quantity',
    value: linePaise(paise(32_050), { size: 1000, quantity: 3 }),
    is: 192_300,
  },
  {
    section: 9,
    what: 'rupees are shown with ₹',
    value: formatPaise(paise(129_950)),
    is: '₹1,299.50',
  },
  { section: 9, what: 'carts are kept for 7 days', value: cookieDays, is: 7 },
  {
    section: 9,
    what: '7 days are what the cookie says',
    value: cookie.ok && cookie.cookies[0]?.includes('; max-age=604800;'),
    is: true,
  },
  {
    section: 9,
    what: 'testimonial cache',
    value: testimonialCacheMilliseconds,
    is: 14_400_000,
  },
  { section: 9, what: 'testimonials', value: testimonialsShown, is: 5 },
  {
    section: 9,
    what: 'price filters',
    value: priceFilters,
    is: ['below-100', 'below-200', 'below-300', 'below-400', 'above-400'],
  },
  {
    section: 9,
    what: 'below is up to and including',
    value: priceRange('below-300').to,
    is: 300,
  },
  {
    section: 9,
    what: 'above starts after 400',
    value: priceRange('above-400').from,
    is: 400,
  },
  {
    section: 9,
    what: 'prices are compared so',
    provenBy: `${catalogue} › filters prices above the lower and up to the upper limit`,
  },
  {
    section: 9,
    what: 'sorts',
    value: shopSorts.toSorted(),
    is: ['bs', 'h-l', 'l-h'],
  },
  {
    section: 9,
    what: 'l-h is the lowest price first',
    provenBy: `${catalogue} › sorts by the lowest or the highest price first`,
  },
  {
    section: 9,
    what: 'h-l is the highest price first',
    provenBy: `${catalogue} › sorts by the lowest or the highest price first`,
  },
  {
    section: 9,
    what: 'bs is the highest rating first',
    provenBy: `${catalogue} › shows the highest rating first when sorted by best selling`,
  },
  {
    section: 9,
    what: 'categories',
    value: fixedCategories,
    is: ['Halwa', 'Chocolate', 'Laddu', 'Takeaway', 'Gift'],
  },
  ...provenBy(
    9,
    colours,
    fixedCategories.map((category) => `${category} has its own colour`),
  ),
  {
    section: 9,
    what: 'any other category is white',
    provenBy: colours,
  },
  {
    section: 9,
    what: 'available without an offer',
    value: offerTag({ available: true, offerPercent: null }),
    is: '10% off',
  },
  {
    section: 9,
    what: 'out of stock without an offer',
    value: offerTag({ available: false, offerPercent: null }),
    is: null,
  },
  {
    section: 9,
    what: 'breakpoint of phones',
    provenBy:
      'tests/e2e/navigation.spec.ts › the main links are at the bottom of a screen of at most 768 px, and on top of a wider one',
  },
  {
    section: 9,
    what: 'breakpoint of the filter menu',
    provenBy: 'tests/e2e/shop.spec.ts › the menu is open from 1024 pixels and closed below, and its button says so',
  },
  {
    section: 9,
    what: 'toasts close after 5000 ms',
    provenBy: 'app/ui/toast.component.test.tsx › a message closes by itself after five seconds',
  },
  {
    section: 9,
    what: 'a fixed shipping charge of 40 on cart orders, the zone’s on direct purchases',
    provenBy: 'supabase/tests/checkout-quote.test.ts › charges ₹40 for shipping from the cart, to any address',
  },
  {
    section: 9,
    what: 'the order stores the shipping charge of its quote',
    provenBy:
      'supabase/tests/checkout-settle.test.ts › a paid checkout becomes an order with everything that was agreed',
  },
  {
    section: 9,
    what: 'payments are in INR',
    provenBy: 'app/features/checkout/checkout.component.test.tsx › the order at the payment provider is in INR',
  },
  ...provenBy(9, `${terms} › the shipping and refund policy has the terms of delivery and refunds`, [
    'delivery in 1 to 7 business days',
    'refunds within 7 business days',
    'refund requests within 24 hours of delivery',
    'no returns',
  ]),
  { section: 9, what: 'law', provenBy: `${terms} › everything is governed by Indian law` },
];
