import { sectionsOfTab, shopTabs, shopViewFrom } from '#domain/catalog/shop-view.ts';
import { cardsPerRow } from '#domain/home/full-rows.ts';
import { provenBy, type SpecRow } from './spec-row.ts';

const plain = shopViewFrom(new URLSearchParams());
const home = 'tests/e2e/home.spec.ts › everything is there, in order';
const carousel = 'app/features/home/home.component.test.tsx';
const catalogue = 'supabase/tests/catalogue-pages.test.ts';
const filters = 'app/features/catalog/catalog.component.test.tsx';
const product = 'app/features/product/product.component.test.tsx';

/** Section 2: screens and routes. */
export const screenRows: SpecRow[] = [
  {
    section: 2,
    what: 'fireworks last about 3 seconds',
    provenBy: `${carousel} › fireworks last about three seconds and leave nothing behind`,
  },
  {
    section: 2,
    what: 'the carousel advances every 5 s',
    provenBy: `${carousel} › shows the next slide every five seconds, and the first after the last`,
  },
  { section: 2, what: 'the carousel pauses on hover', provenBy: `${carousel} › pauses while the pointer is on it` },
  ...provenBy(2, home, [
    "title of the catalogue 'A Taste Of Authenticity'",
    "button 'Try Them All' under the catalogue",
    "bulk button 'Order In Bulk'",
  ]),
  {
    section: 2,
    what: 'home lists what is available and not Takeaway',
    provenBy: `${catalogue} › shows available products without takeaway`,
  },
  {
    section: 2,
    what: 'home shows a multiple of 2 up to 768 px, else of 3',
    value: cardsPerRow,
    is: { narrow: 2, wide: 3 },
  },
  ...provenBy(2, 'tests/e2e/home.spec.ts › the catalogue fills rows of 2 up to 768 px and of 3 above', [
    'home is trimmed for phones up to 768 px',
    'home is trimmed for wider screens above 768 px',
  ]),
  {
    section: 2,
    what: 'combo packs halwa, chocolate, laddu, family',
    provenBy: `${catalogue} › has the combo packs halwa, chocolate, laddu and family in this order`,
  },
  { section: 2, what: 'the explainer has 3 steps', provenBy: `${carousel} › the explainer has three steps` },
  { section: 2, what: 'order now leads to /shop', provenBy: `${carousel} › Order Now leads to the shop` },

  { section: 2, what: 'tabs of the shop', value: shopTabs, is: ['box', 'gifts', 'takeaway'] },
  ...provenBy(2, `${filters} › the shop has the tabs Box, Gifts and Takeaway`, [
    'tab Box',
    'tab Gifts',
    'tab Takeaway',
  ]),
  { section: 2, what: 'sections of Box, in order', value: sectionsOfTab.box, is: ['Chocolate', 'Laddu', 'Halwa'] },
  { section: 2, what: 'Gifts shows the Gift category', value: sectionsOfTab.gifts, is: ['Gift'] },
  { section: 2, what: 'Takeaway shows Takeaway', value: sectionsOfTab.takeaway, is: ['Takeaway'] },
  ...provenBy(2, `${filters} › the filters are Category, Sort and Price`, [
    'filter group Category',
    'filter group Sort',
    'filter group Price',
  ]),
  ...provenBy(
    2,
    'tests/e2e/shop.spec.ts › the menu is open from 1024 pixels and closed below, and its button says so',
    ['the filter menu is open from 1024 px', 'the layout is the mobile one at 1024 px or less'],
  ),
  { section: 2, what: 'default tab box', value: plain.tab, is: 'box' },
  { section: 2, what: 'default sort best selling', value: plain.sort, is: 'bs' },
  { section: 2, what: 'default category all', value: plain.category, is: 'all' },

  { section: 2, what: "'No reviews yet'", provenBy: `${product} › a product nobody has reviewed says so` },
  {
    section: 2,
    what: "'Shipping Calculated at checkout.'",
    provenBy: `${product} › says that shipping is calculated at checkout`,
  },
  ...provenBy(2, `${product} › is not possible when the product is out of stock`, [
    "button 'Add to Cart'",
    "button 'Buy Now'",
  ]),
  {
    section: 2,
    what: "'Loading product...' for an unknown product",
    provenBy: `${product} › a product that does not exist has a page with a way back`,
  },
  {
    section: 2,
    what: 'the modal opens by ?product=',
    provenBy:
      'tests/e2e/product-modal.spec.ts › a card opens the modal; Back, Escape, the button and the backdrop close it',
  },
  {
    section: 2,
    what: 'the name is matched whatever its case',
    provenBy: `${catalogue} › a product is found by its name in any case`,
  },
  {
    section: 2,
    what: 'descriptions end after 120 characters in the mobile modal',
    provenBy: `${product} › ends after at most 120 characters on a phone, with a link to read more`,
  },
];
