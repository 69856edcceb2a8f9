import { Tabs } from '#app/ui/tabs.tsx';
import { z } from '#contracts/z.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { useUrlState } from '../list/url-state.ts';
import { BoxesTab } from './boxes/boxes-tab.tsx';
import { CategoriesTab } from './categories/categories-tab.tsx';
import { CouriersTab } from './couriers/couriers-tab.tsx';
import { DeliveryTab } from './delivery/delivery-tab.tsx';
import { SearchWordsTab } from './search/search-words-tab.tsx';
import { ShopTab, type ShopTabProps } from './shop/shop-tab.tsx';

const tabs = {
  shop: { title: 'Business details', Tab: ShopTab },
  categories: { title: 'Categories', Tab: CategoriesTab },
  boxes: { title: 'Boxes', Tab: BoxesTab },
  delivery: { title: 'Delivery', Tab: DeliveryTab },
  couriers: { title: 'Couriers', Tab: CouriersTab },
  search: { title: 'Search words', Tab: SearchWordsTab },
} as const;
type TabName = keyof typeof tabs;

const State = z.object({
  tab: z.enum(['shop', 'categories', 'boxes', 'delivery', 'couriers', 'search']).catch('shop').default('shop'),
});

/** What the owner decides about the shop itself, seldom: who sells, how products are sorted, where to and how fast, by whom, what words mean. */
export function SettingsPage(props: ShopTabProps) {
  const [state, , hrefFor] = useUrlState(State);
  const { Tab } = tabs[state.tab];
  return (
    <ConsolePage title="Settings">
      <Tabs
        label="Settings"
        items={(Object.keys(tabs) as TabName[]).map((name) => ({
          to: hrefFor({ tab: name }),
          title: tabs[name].title,
          isOpen: name === state.tab,
        }))}
      />
      <Tab {...props} />
    </ConsolePage>
  );
}
