import { Link } from 'react-router';
import buttons from '#app/ui/button.module.css';
import { Picture } from '#app/ui/picture.tsx';
import skeletons from '#app/ui/skeleton.module.css';
import { pictureSources } from '#domain/catalog/product-image.ts';
import { formatPaise, type Paise } from '#domain/money.ts';
import { formatDay } from '#domain/time.ts';
import emptyStyles from './empty-state.module.css';
import { type OrderItem, type PastOrder, statusClass } from './order-history.ts';
import styles from './order-list.module.css';

export function OrderList({ orders }: { orders: PastOrder[] }) {
  if (orders.length === 0) return <NoOrders />;
  return (
    <ul className={styles.orders}>
      {orders.map((order) => (
        <li key={order.id}>
          <OrderEntry order={order} />
        </li>
      ))}
    </ul>
  );
}

function OrderEntry({ order }: { order: PastOrder }) {
  return (
    <details className={styles.order}>
      <summary>
        <span className={styles.id}>
          <span className="visually-hidden">Order </span>
          {order.shortId}
        </span>
        <span className={styles.day}>
          {order.placedAt && <time dateTime={order.placedAt.toISOString()}>{formatDay(order.placedAt)}</time>}
        </span>
        <span className={`${styles.status} ${statusClass(order.status)}`}>{order.status}</span>
        <span className={styles.total}>{formatPaise(order.totalPaise)}</span>
      </summary>
      <ul className={styles.items}>
        {order.items.map((item) => (
          <li key={`${item.name} ${item.sizeGrams}`}>
            <Item item={item} />
          </li>
        ))}
      </ul>
      <dl className={styles.sums}>
        <Sum label="Subtotal" amount={order.subtotalPaise} />
        <Sum label="Tax" amount={order.taxPaise} />
        <Sum label="Shipping" amount={order.shippingPaise} />
        <Sum label="Total" amount={order.totalPaise} />
      </dl>
    </details>
  );
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

const emptyBox = pictureSources('/images/empty-cart-960.webp');

function NoOrders() {
  return (
    <div className={emptyStyles.empty}>
      <Picture sources={emptyBox} sizes="240px" width={240} height={240} loading="lazy" />
      <h3>No orders yet</h3>
      <p>When you have ordered something, you find it here with everything that was in the box.</p>
      <Link to="/shop" className={buttons.main}>
        Choose your sweets
      </Link>
    </div>
  );
}

export function OrderListSkeleton() {
  return (
    <div className={styles.orders} aria-busy="true">
      <p className="visually-hidden">Loading your orders…</p>
      {[1, 2, 3].map((row) => (
        <span key={row} className={`${skeletons.skeleton} ${styles.orderToCome}`} />
      ))}
    </div>
  );
}
