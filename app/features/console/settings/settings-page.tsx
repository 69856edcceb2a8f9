import { z } from 'zod';
import { Tabs } from '#app/ui/panel.tsx';
import { ConsolePage } from '../console-page.tsx';
import { useUrlState } from '../url-state.ts';
import { DeliveryTab } from './delivery/delivery-tab.tsx';
import { SearchWordsTab } from './search/search-words-tab.tsx';
import { ShopTab, type ShopTabProps } from './shop/shop-tab.tsx';

const tabs = {
  shop: { title: 'Business details', Tab: ShopTab },
  delivery: { title: 'Delivery', Tab: DeliveryTab },
  search: { title: 'Search words', Tab: SearchWordsTab },
} as const;
type TabName = keyof typeof tabs;

const State = z.object({ tab: z.enum(['shop', 'delivery', 'search']).catch('shop').default('shop') });

/** What the owner decides about the shop itself, seldom: who sells, where to and how fast, what words mean. */
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
