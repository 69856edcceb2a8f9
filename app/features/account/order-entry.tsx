import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { isCancelable, mayBeClaimed, standingOf, whyNotCancelable } from '#app/parts/order-progress/order-standing.ts';
import { OrderTimeline } from '#app/parts/order-progress/order-timeline-view.tsx';
import { type ShopContact, WithContact } from '#app/parts/order-progress/write-to-us.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { Picture } from '#app/ui/picture.tsx';
import { pictureSources } from '#domain/catalog/product-image.ts';
import { amountLabels } from '#domain/checkout/amount-labels.ts';
import { formatPaise, type Paise } from '#domain/money.ts';
import { formatDay } from '#domain/time.ts';
import { DocumentButtons } from './document-buttons.tsx';
import styles from './order-entry.module.css';
import { type OrderItem, type PastOrder, statusClass, statusTone } from './order-history.ts';
import { RefundState } from './refund-state.tsx';
import type { Refund } from './refunds.ts';

const OrderGift = lazy(() => import('./order-gift.tsx'));

export type OrderEntryProps = {
  order: PastOrder;
  refunds: Refund[];
  shop: ShopContact;
  onCancel(order: PastOrder): void;
  /** Puts what is still sold of it into the cart, or shows first what is different today. */
  onOrderAgain(order: PastOrder): Promise<void>;
  /** Shows the link with which the order is followed without a login. */
  onShare(order: PastOrder): void;
  /** A gift: opens what it would be today, with its recipient. */
  onSendAgain(order: PastOrder): void;
  /** Reporting a problem, and what became of it; for orders that have left us. */
  claims?(orderId: string): ReactNode;
};

/** Not controlled: what the customer opened stays open, whatever is read again. */
export function OrderEntry({
  order,
  refunds,
  shop,
  onCancel,
  onOrderAgain,
  onShare,
  onSendAgain,
  claims,
}: OrderEntryProps) {
  // Read when it is opened: a page of orders asks for nothing about fifty of them.
  const [wasOpened, setOpened] = useState(false);
  const now = new Date();
  const whyNot = whyNotCancelable(order);
  return (
    <details
      className={styles.order}
      id={`order-${order.id}`}
      onToggle={(event) => event.currentTarget.open && setOpened(true)}
    >
      <summary>
        <span className={styles.id}>
          <span className="visually-hidden">Order </span>
          {order.shortId}
          {order.number !== null && <span className={styles.number}> #{order.number}</span>}
        </span>
        <span className={styles.day}>
          {order.placedAt && <time dateTime={order.placedAt.toISOString()}>{formatDay(order.placedAt)}</time>}
        </span>
        <Badge tone={statusTone(order.status)} className={`${styles.status} ${statusClass(order.status)}`}>
          {order.status}
        </Badge>
        <span className={styles.total}>{formatPaise(order.totalPaise)}</span>
        <span className={styles.standing}>
          {order.gift && `Gift for ${order.gift.recipient} · `}
          {standingOf(order, now)}
        </span>
      </summary>
      <div className={styles.inside}>
        <div className={styles.progress}>
          <OrderTimeline order={order} now={now} />
          {refunds.map((refund) => (
            <RefundState key={refund.id} refund={refund} />
          ))}
          {wasOpened && mayBeClaimed(order) && claims?.(order.id)}
          {isCancelable(order) && (
            <Button aria-haspopup="dialog" onClick={() => onCancel(order)}>
              Cancel Order
            </Button>
          )}
          {whyNot && (
            <p className={styles.whyNot}>
              <WithContact sentence={whyNot} about={`Order ${order.number ?? order.shortId}`} shop={shop} />
            </p>
          )}
        </div>
        <div className={styles.box}>
          {order.gift && (
            <Suspense>
              <OrderGift gift={order.gift} />
            </Suspense>
          )}
          <ul className={styles.items} aria-label="Items">
            {order.items.map((item) => (
              <li key={`${item.name} ${item.sizeGrams}`}>
                <Item item={item} />
              </li>
            ))}
          </ul>
          <dl className={styles.sums}>
            <Sum label="Subtotal" amount={order.subtotalPaise} />
            {order.offers.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
            <Sum label={amountLabels.tax} amount={order.taxPaise} />
            <Sum label={amountLabels.shipping(order.shippingTaxPaise)} amount={order.shippingPaise} />
            <Sum label="Total" amount={order.totalPaise} />
          </dl>
          <div className={styles.actions}>
            {order.gift ? (
              <Button size="small" aria-haspopup="dialog" onClick={() => onSendAgain(order)}>
                Send again
              </Button>
            ) : (
              <OrderAgain onOrderAgain={() => onOrderAgain(order)} />
            )}
            <Button size="small" aria-haspopup="dialog" onClick={() => onShare(order)}>
              Share link
            </Button>
            <DocumentButtons order={order} />
          </div>
        </div>
      </div>
    </details>
  );
}

/** Busy while what is different today is read. */
function OrderAgain({ onOrderAgain }: { onOrderAgain(): Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  return (
    <Button
      size="small"
      isBusy={isBusy}
      onClick={() => {
        if (isBusy) return;
        setBusy(true);
        void onOrderAgain().finally(() => setBusy(false));
      }}
    >
      Order again
    </Button>
  );
}

/** The element of the entry, to scroll to. */
export function orderElement(orderId: string): HTMLDetailsElement | null {
  return document.getElementById(`order-${orderId}`) as HTMLDetailsElement | null;
}

function Sum({ label, amount }: { label: string; amount: Paise }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{formatPaise(amount)}</dd>
    </div>
  );
}

function Item({ item }: { item: OrderItem }) {
  const picture = pictureSources(item.image);
  return (
    <>
      <Picture sources={picture} sizes="64px" width={64} height={64} loading="lazy" />
      <p className={styles.what}>
        {item.productId === null ? item.name : <Link to={`/product/${item.productId}`}>{item.name}</Link>}
        <small>
          {item.sizeGrams !== null && `${item.sizeGrams} g · `}Quantity {item.quantity}
        </small>
      </p>
      <span className={styles.price}>{formatPaise(item.linePaise)}</span>
    </>
  );
}
