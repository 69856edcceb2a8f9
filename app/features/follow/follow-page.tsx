import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { mayBeClaimed, standingOf, whyNotCancelable } from '#app/parts/order-progress/order-standing.ts';
import { OrderTimeline } from '#app/parts/order-progress/order-timeline-view.tsx';
import { type ShopContact, WithContact } from '#app/parts/order-progress/write-to-us.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { Picture } from '#app/ui/picture.tsx';
import { pictureSources } from '#domain/catalog/product-image.ts';
import { formatGrams } from '#domain/catalog/weight.ts';
import { amountLabels } from '#domain/checkout/amount-labels.ts';
import { formatPaise, paise } from '#domain/money.ts';
import { offerSums } from '#domain/offers/applied.ts';
import { formatDay, instantFrom } from '#domain/time.ts';
import styles from './follow-page.module.css';
import { amountsOf, destinationOf, type FollowedOrder, progressOf } from './followed-order.ts';

export type FollowPageProps = {
  order: FollowedOrder;
  now: Date;
  shop: ShopContact;
  /** Below the progress of an order of which something may be wrong: how to report it without a login. */
  children?: ReactNode;
};

/** An order as whoever has its link sees it. */
export function FollowPage({ order, now, shop, children }: FollowPageProps) {
  const progress = progressOf(order);
  const placedAt = instantFrom(order.placed_at);
  const hint = whyNotCancelable(progress);
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <h1>Order {order.number}</h1>
        <p className={styles.standing}>{standingOf(progress, now)}</p>
        {placedAt && (
          <p className={styles.soft}>
            Placed on <time dateTime={placedAt.toISOString()}>{formatDay(placedAt)}</time>
          </p>
        )}
      </header>
      <div className={styles.parts}>
        <section aria-labelledby="progress" className={styles.part}>
          <h2 id="progress">Progress</h2>
          <div className={styles.progress}>
            <OrderTimeline order={progress} now={now} />
            {mayBeClaimed(progress) && children}
          </div>
          {hint && (
            <p className={styles.soft}>
              <WithContact sentence={hint} about={`Order ${order.number}`} shop={shop} />
            </p>
          )}
        </section>
        <section aria-labelledby="items" className={styles.part}>
          <h2 id="items">{order.is_gift ? 'Your gift' : 'Items'}</h2>
          <ul className={styles.items} aria-label="Items">
            {order.items.map((item) => (
              <li key={`${item.name} ${item.size} ${item.line_paise}`}>
                <Item item={item} />
              </li>
            ))}
          </ul>
          <dl className={styles.sums}>
            {amountsOf(order).map(({ label, paise: amount }) => (
              <Fragment key={label}>
                <div>
                  <dt>{labelOf(label, order)}</dt>
                  <dd>{formatPaise(amount)}</dd>
                </div>
                {label === 'subtotal' &&
                  offerSums(order.offers).map((offer) => (
                    <div key={offer.label}>
                      <dt>{offer.label}</dt>
                      <dd>{offer.value}</dd>
                    </div>
                  ))}
              </Fragment>
            ))}
          </dl>
          <dl className={styles.facts}>
            <div>
              <dt>{order.fulfilment === 'pickup' ? 'Collected by' : 'Deliver to'}</dt>
              {destinationOf(order).map((line) => (
                <dd key={line}>{line}</dd>
              ))}
            </div>
          </dl>
          <p className={styles.soft}>
            This link shows no address and no full phone number, so you can share it. To cancel the order, order again
            or download your invoice, <Link to="/profile?tab=orders">open your order history</Link>.
          </p>
        </section>
      </div>
    </main>
  );
}

function labelOf(label: 'subtotal' | 'tax' | 'shipping' | 'total', order: FollowedOrder): string {
  if (label === 'shipping') return amountLabels.shipping(paise(order.shipping_tax_paise));
  return label === 'total' ? 'Total' : amountLabels[label];
}

function Item({ item }: { item: FollowedOrder['items'][number] }) {
  return (
    <>
      <Picture sources={pictureSources(item.image)} sizes="64px" width={64} height={64} loading="lazy" />
      <p className={styles.what}>
        {item.product_id === null ? item.name : <Link to={`/product/${item.product_id}`}>{item.name}</Link>}
        <small>
          {item.size !== null && `${formatGrams(item.size)} · `}Quantity {item.quantity}
        </small>
      </p>
      <span className={styles.price}>{formatPaise(paise(item.line_paise))}</span>
    </>
  );
}

/** The same for every link that does not work: forged, expired, revoked, or cut off by a mail program. */
export function LinkMissing() {
  return (
    <main className={styles.missing}>
      <h1>This link doesn’t work</h1>
      <p>
        It may be incomplete, too old, or stopped by the customer. Open the link in the newest email about the order, or
        log in to see it in your order history.
      </p>
      <p className={styles.ways}>
        <ButtonLink to="/profile?tab=orders" variant="primary">
          Go to order history
        </ButtonLink>
        <ButtonLink to="/">Back to the shop</ButtonLink>
      </p>
    </main>
  );
}
