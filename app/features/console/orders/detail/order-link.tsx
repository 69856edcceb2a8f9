import { lazy, Suspense, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Panel } from '#app/ui/panel.tsx';
import type { Order } from '#contracts/console/order.ts';
import { makeOrderLink, revokeOrderLinks } from '#contracts/console/order-work.ts';
import { useRequests } from '../../data/requests.ts';
import styles from './order-mails.module.css';

const OrderLinkDialog = lazy(() => import('#app/parts/order-link/order-link-dialog.tsx'));

/** The link with which the customer follows the order without a login: to send it, and to stop what was sent. */
export function CustomerLink({ order }: { order: Order }) {
  const { act } = useRequests();
  const [isOpen, setOpen] = useState(false);

  async function make() {
    const outcome = await act(makeOrderLink, { order_id: order.id });
    if (!outcome.ok) throw new Error(outcome.message);
    return outcome.value;
  }
  async function revoke() {
    const outcome = await act(revokeOrderLinks, { order_id: order.id });
    if (!outcome.ok) throw new Error(outcome.message);
    return make();
  }

  return (
    <Panel title="Tracking link">
      <p className={styles.none}>The customer follows this order with it, without logging in. Each email has one.</p>
      <Button size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Show link
      </Button>
      {isOpen && (
        <Suspense>
          <OrderLinkDialog number={order.number} read={make} revoke={revoke} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Panel>
  );
}
