import type { PrintedOrder, PrintedShop } from '#contracts/console/order.ts';
import { formatGrams } from '#domain/catalog/weight.ts';
import { readablePhone } from '#domain/shop/shop-facts.ts';
import { formatCalendarDay } from '#domain/time.ts';
import { weightOf } from '../order-sums.ts';
import styles from './address-label.module.css';
import { Barcode } from './barcode.tsx';
import { CanceledStamp } from './canceled-stamp.tsx';
import { HandOver } from './hand-over.tsx';

/** As many characters fit in large print; the pincode must never be pushed off the label. */
const mostInLargePrint = 110;

const isLong = ({ delivery: { name, building_no, street, city, state }, note }: PrintedOrder) =>
  `${name}${building_no}${street}${city}${state}${note}`.length > mostInLargePrint;

/** For the outside of the parcel, 4 by 6 inches: what a courier reads first is largest. */
export function AddressLabel({ order, shop }: { order: PrintedOrder; shop: PrintedShop }) {
  const { delivery } = order;
  return (
    <article
      className={styles.label}
      data-dense={isLong(order) || undefined}
      aria-label={`Address label for order ${order.number}`}
    >
      {order.status === 'canceled' && <CanceledStamp />}
      <div className={styles.to}>
        <p className={styles.small}>To</p>
        <p className={styles.name}>{delivery.name}</p>
        <p>{delivery.building_no}</p>
        <p>{delivery.street}</p>
        <p>
          {delivery.city}, {delivery.state}
        </p>
        <p className={styles.zip}>{delivery.zip}</p>
        <p className={styles.phone}>{readablePhone(delivery.phone)}</p>
      </div>
      <HandOver order={order} className={styles.handOver} />
      <div className={styles.code}>
        <Barcode text={String(order.number)} />
        <p>
          <strong>Order {order.number}</strong>
          <span>{formatGrams(weightOf(order.lines))}</span>
          {order.courier && <span>{order.courier}</span>}
          {/* The courier is not to bring it earlier. */}
          {order.deliver_on && <span>Deliver on {formatCalendarDay(order.deliver_on)}</span>}
        </p>
      </div>
      <div className={styles.from}>
        <p className={styles.small}>From</p>
        <p>
          <strong>{shop.name}</strong>, {shop.address}
        </p>
        <p>{readablePhone(shop.whatsapp_number)}</p>
        <p className={styles.care}>Sweets: keep cool and dry, this side up.</p>
      </div>
    </article>
  );
}
