import { FailedState } from '#app/ui/empty-state.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { readDelivery } from '#contracts/console/delivery.ts';
import { z } from '#contracts/z.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { useUrlState } from '../../list/url-state.ts';
import { CartShippingPanel } from './cart-shipping-panel.tsx';
import { ClosuresPanel } from './closures-panel.tsx';

import { CutoffsPanel } from './cutoffs-panel.tsx';
import styles from './delivery-tab.module.css';
import { TryOut } from './try-out.tsx';
import { WorkingDaysPanel } from './working-days-panel.tsx';
import { ZonesPanel } from './zones-panel.tsx';

const State = z.object({
  tab: z.string().catch('shop').default('shop'),
  closure: z.string().catch('').default(''),
  cutoff: z.string().catch('').default(''),
  zone: z.string().catch('').default(''),
});

/** Where we deliver, how fast and for how much, and when we rest. */
export function DeliveryTab() {
  const { data: settings, isPending, isLoadingError, refetch } = useShopQuery(readDelivery, {});
  const [state, set, hrefFor] = useUrlState(State);
  if (isPending)
    return (
      <LoadingShape>
        <div className={styles.beside}>
          <BlankPanel title="Working days" fields={2} />
          <BlankPanel title="Check a pincode" fields={2} />
        </div>
        <BlankPanel title="Closures" lines={3} />
        <BlankPanel title="Zones" lines={6} />
      </LoadingShape>
    );
  if (isLoadingError) return <FailedState retry={refetch} />;
  return (
    <>
      <div className={styles.beside}>
        <WorkingDaysPanel key={settings.updated_at} settings={settings} onChange={refetch} />
        <TryOut settings={settings} />
      </div>
      <ClosuresPanel
        settings={settings}
        opened={state.closure}
        open={(closure) => set({ closure })}
        hrefFor={(closure) => hrefFor({ closure })}
        onChange={refetch}
      />
      <CutoffsPanel
        settings={settings}
        opened={state.cutoff}
        open={(cutoff) => set({ cutoff })}
        hrefFor={(cutoff) => hrefFor({ cutoff })}
        onChange={refetch}
      />
      <CartShippingPanel key={`cart ${settings.updated_at}`} settings={settings} onChange={refetch} />
      <ZonesPanel
        zones={settings.zones}
        opened={state.zone}
        open={(zone) => set({ zone })}
        hrefFor={(zone) => hrefFor({ zone })}
        onChange={refetch}
      />
    </>
  );
}
