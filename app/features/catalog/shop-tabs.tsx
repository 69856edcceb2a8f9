import { type KeyboardEvent, useRef } from 'react';
import { useHydrated } from '#app/ui/after-hydration.ts';
import { NearLink } from '#app/ui/near-link.tsx';
import { type ShopTab, type ShopView, shopAddress, shopTabs } from '#domain/catalog/shop-view.ts';
import styles from './shop-tabs.module.css';

const titles: Record<ShopTab, string> = { box: 'Box', gifts: 'Gifts', takeaway: 'Takeaway' };
export const panelId = 'shop-panel';
export const tabId = (tab: ShopTab) => `tab-${tab}`;

/**
 * Tabs for those who hear them, links for the address bar and for pages without scripts. Arrows move between them and
 * Enter follows one; without scripts there are no arrows, so each stays a stop of the Tab key.
 */
export function ShopTabs({ view }: { view: ShopView }) {
  const list = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();

  function move(event: KeyboardEvent) {
    const tabs = [...(list.current?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])];
    const at = tabs.indexOf(event.target as HTMLElement);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    const to = steps[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    tabs.at(to % tabs.length)?.focus();
  }

  return (
    <div className={styles.tabs} role="tablist" aria-label="Shop" ref={list} onKeyDown={move}>
      {shopTabs.map((tab) => {
        const selected = tab === view.tab;
        return (
          <NearLink
            key={tab}
            role="tab"
            id={tabId(tab)}
            to={shopAddress({ tab, sort: view.sort, price: view.price })}
            aria-selected={selected}
            aria-controls={selected ? panelId : undefined}
            tabIndex={hydrated && !selected ? -1 : undefined}
            preventScrollReset
          >
            {titles[tab]}
          </NearLink>
        );
      })}
    </div>
  );
}
