import { lazy, Suspense, useEffect, useState } from 'react';
import type { ShopContact } from '#app/parts/order-progress/write-to-us.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Picture } from '#app/ui/picture.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { toast } from '#app/ui/toast.tsx';
import { pictureSources } from '#domain/catalog/product-image.ts';
import type { LineAgain } from '#domain/gifts/send-again.ts';
import { CancelDialog, type OrderToCancel } from './cancel-dialog.tsx';
import { GroupEntry } from './group-entry.tsx';
import type { OrderToBuy } from './order-again.ts';
import type { CancelOutcome } from './order-data.ts';
import { OrderEntry, type OrderEntryProps, orderElement } from './order-entry.tsx';
import { entriesOf, type History, type PastOrder } from './order-history.ts';
import { readOrderLink, revokeOrderLinks } from './order-link.ts';
import styles from './order-list.module.css';
import { PaymentEntry } from './payment-entry.tsx';
import type { SendAgainDialogProps } from './send-again-dialog.tsx';

const OrderLinkDialog = lazy(() => import('#app/parts/order-link/order-link-dialog.tsx'));
const OrderAgainDialog = lazy(() => import('./order-again-dialog.tsx'));
const SendAgainDialog = lazy(() => import('./send-again-dialog.tsx'));

export type OrderListProps = Pick<SendAgainDialogProps, 'client' | 'userId' | 'sendAgain'> & {
  history: History;
  /** What changed without the customer's doing, for screen readers. */
  news: string;
  linkedOrder: string | null;
  shop: ShopContact;
  cancel(orderId: string): Promise<CancelOutcome>;
  /** Puts what can be bought of it into the cart. */
  orderAgain(bought: OrderToBuy, order: PastOrder): void;
  claims: OrderEntryProps['claims'];
  refresh(): Promise<History | null>;
  showOlder(): Promise<boolean>;
};

export function OrderList(props: OrderListProps) {
  const { history, news, linkedOrder, shop, cancel, orderAgain, refresh, showOlder } = props;
  const [asked, setAsked] = useState<OrderToCancel | null>(null);
  const [resent, setResent] = useState<PastOrder | null>(null);
  const [shared, setShared] = useState<PastOrder | null>(null);
  const [changed, setChanged] = useState<{ order: PastOrder; lines: LineAgain[] } | null>(null);
  const entries = entriesOf(history);
  const linkedEntry = history.linkedEntry ?? linkedOrder;
  const isLinkKnown = history.orders.some(({ id }) => id === linkedEntry);

  useEffect(() => {
    if (linkedEntry && isLinkKnown) openEntry(linkedEntry);
  }, [linkedEntry, isLinkKnown]);

  /** At once, where nothing is different today. */
  async function buyAgain(order: PastOrder) {
    try {
      const { readOrderAgain, toBuy } = await import('./order-again.ts');
      const { goodsChanges } = await import('#domain/gifts/send-again.ts');
      const lines = await readOrderAgain(await props.client(), order.id);
      if (goodsChanges(lines).length === 0) orderAgain(toBuy(lines), order);
      else setChanged({ order, lines });
    } catch {
      toast('error', 'We couldn’t load this order. Please try again.');
    }
  }

  return (
    <>
      <p className="visually-hidden" role="status">
        {news}
      </p>
      {linkedOrder && !isLinkKnown && (
        <p className={styles.missing}>
          We can’t find this order in your account. If you ordered with another account, log in with that one.
        </p>
      )}
      {entries.length === 0 ? (
        <NoOrders />
      ) : (
        <ul className={styles.orders}>
          {entries.map((entry) =>
            entry.kind === 'order' ? (
              <li key={entry.order.id}>
                {entry.order.group ? (
                  <GroupEntry order={entry.order} group={entry.order.group} onCancel={setAsked} claims={props.claims} />
                ) : (
                  <OrderEntry
                    order={entry.order}
                    refunds={entry.refunds}
                    shop={shop}
                    onCancel={setAsked}
                    onOrderAgain={buyAgain}
                    onShare={setShared}
                    onSendAgain={setResent}
                    claims={props.claims}
                  />
                )}
              </li>
            ) : (
              <li key={entry.refund.id}>
                <PaymentEntry refund={entry.refund} />
              </li>
            ),
          )}
        </ul>
      )}
      {history.hasOlder && <OlderOrders showOlder={showOlder} />}
      <CancelDialog order={asked} cancel={cancel} refresh={refresh} onClose={() => setAsked(null)} />
      {shared && (
        <Suspense>
          <OrderLinkDialog
            number={shared.number ?? shared.shortId}
            read={async () => readOrderLink(await props.client(), shared.id)}
            revoke={async () => revokeOrderLinks(await props.client(), shared.id)}
            onClose={() => setShared(null)}
          />
        </Suspense>
      )}
      {changed && (
        <Suspense>
          <OrderAgainDialog
            name={String(changed.order.number ?? changed.order.shortId)}
            lines={changed.lines}
            onBuy={(bought) => {
              setChanged(null);
              orderAgain(bought, changed.order);
            }}
            onClose={() => setChanged(null)}
          />
        </Suspense>
      )}
      {resent && (
        <Suspense>
          <SendAgainDialog
            order={resent}
            userId={props.userId}
            client={props.client}
            sendAgain={props.sendAgain}
            onClose={() => setResent(null)}
          />
        </Suspense>
      )}
    </>
  );
}

function openEntry(orderId: string): void {
  const entry = orderElement(orderId);
  if (!entry) return;
  entry.open = true;
  entry.scrollIntoView({ block: 'start' });
  entry.querySelector('summary')?.focus({ preventScroll: true });
}

function OlderOrders({ showOlder }: Pick<OrderListProps, 'showOlder'>) {
  const [busy, setBusy] = useState(false);

  async function onClick() {
    if (busy) return;
    setBusy(true);
    if (!(await showOlder())) toast('error', 'Something went wrong. Please try again.');
    setBusy(false);
  }

  return (
    <Button className={styles.older} isBusy={busy} onClick={onClick}>
      Show older orders
    </Button>
  );
}

const emptyBox = pictureSources('/images/empty-cart-960.webp');

function NoOrders() {
  return (
    <EmptyState
      heading="h3"
      className={styles.none}
      picture={<Picture sources={emptyBox} sizes="240px" width={240} height={240} loading="lazy" />}
      title="No orders yet"
      text="Your orders will appear here."
      action={
        <ButtonLink to="/shop" variant="primary">
          Choose your sweets
        </ButtonLink>
      }
    />
  );
}

export function OrderListSkeleton() {
  return (
    <div className={styles.orders} aria-busy="true">
      <p className="visually-hidden">Loading your orders…</p>
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} className={styles.orderToCome} />
      ))}
    </div>
  );
}
