import { FoodMark } from '#app/ui/food-mark.tsx';
import type { PrintedOrder, PrintedShop } from '#contracts/console/order.ts';
import { foodMarkLabels } from '#domain/catalog/food-mark.ts';
import { formatGrams } from '#domain/catalog/weight.ts';
import { allergenSentences, readAllergens } from '#domain/products/allergens.ts';
import { readablePhone } from '#domain/shop/shop-facts.ts';
import { formatCalendarDay } from '#domain/time.ts';
import { weightOf } from '../order-sums.ts';
import { amountOf, moment } from '../order-words.ts';
import { Barcode } from './barcode.tsx';
import { CanceledStamp } from './canceled-stamp.tsx';
import { HandOver } from './hand-over.tsx';
import styles from './packing-slip.module.css';

/** The contents of the box, for the packer and the customer. A4. */
export function PackingSlip({ order, shop }: { order: PrintedOrder; shop: PrintedShop }) {
  const { delivery, lines } = order;
  const allergens = sentencesOn(lines.map((line) => line.allergens));
  return (
    <article className={styles.slip} aria-label={`Packing slip for order ${order.number}`}>
      {order.status === 'canceled' && <CanceledStamp />}
      <header className={styles.head}>
        <div>
          <h2>{shop.name}</h2>
          <p>{shop.address}</p>
          <p>{[readablePhone(shop.whatsapp_number), shop.email].filter(Boolean).join(' · ')}</p>
        </div>
        <div className={styles.number}>
          <p>Order</p>
          <strong>{order.number}</strong>
          <Barcode text={String(order.number)} className={styles.barcode} />
        </div>
      </header>
      <div className={styles.people}>
        <div>
          <h3>{order.fulfilment === 'pickup' ? 'Pick-up by' : 'Delivery to'}</h3>
          <p>
            <strong>{delivery.name}</strong>
          </p>
          {order.fulfilment === 'delivery' && (
            <>
              <p>{[delivery.building_no, delivery.street].filter(Boolean).join(', ')}</p>
              <p>
                {delivery.city} {delivery.zip}, {delivery.state}
              </p>
            </>
          )}
          <p>{readablePhone(delivery.phone)}</p>
        </div>
        <div>
          <h3>Placed</h3>
          <p>{moment(order.placed_at)}</p>
          {order.delivery_by && (
            <>
              <h3>{order.deliver_on ? 'Deliver on' : 'Due by'}</h3>
              <p>{formatCalendarDay(order.delivery_by)}</p>
            </>
          )}
        </div>
      </div>
      {order.gift && (
        <p className={styles.gift}>
          <strong>Gift</strong> with a card from {order.gift.sender_name}. No prices in the parcel.
        </p>
      )}
      <HandOver order={order} className={styles.handOver} />
      <table className={styles.lines}>
        <thead>
          <tr>
            <th scope="col">Packed</th>
            <th scope="col">Item</th>
            <th scope="col">Quantity</th>
            <th scope="col">Weight</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td>
                <span className={styles.tick} />
              </td>
              <th scope="row">
                <FoodMark of={line.food_mark} /> {line.name}
                <small>
                  {[sentencesOn([line.allergens]), line.shelf_life_days && keepsFor(line.shelf_life_days)]
                    .filter(Boolean)
                    .join(' ')}
                </small>
              </th>
              <td>{amountOf(line)}</td>
              <td>{formatGrams(line.grams)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td />
            <th scope="row">Total</th>
            <td>{lines.length === 1 ? '1 item' : `${lines.length} items`}</td>
            <td>{formatGrams(weightOf(lines))}</td>
          </tr>
        </tfoot>
      </table>
      <footer className={styles.foot}>
        {allergens && (
          <p>
            <strong>Allergens in this box.</strong> {allergens}
          </p>
        )}
        <p>
          <MarksInBox lines={lines} /> {shop.fssai_number && `FSSAI licence ${shop.fssai_number}.`}{' '}
          {shop.gstin && `GSTIN ${shop.gstin}.`}
        </p>
        <p>This is not an invoice.</p>
      </footer>
    </article>
  );
}

const sentencesOn = (written: readonly string[]) => allergenSentences(readAllergens(written)).join(' ');
const keepsFor = (days: number) => `Best within ${days} ${days === 1 ? 'day' : 'days'}.`;

/** One sentence on the whole box, as far as every sweet in it has its mark. */
function MarksInBox({ lines }: Pick<PrintedOrder, 'lines'>) {
  const [mark, ...others] = new Set(lines.map(({ food_mark }) => food_mark));
  if (!mark || others.includes(null)) return null;
  return others.length > 0 ? (
    <>Contains vegetarian and non-vegetarian items: see the mark on each.</>
  ) : (
    <>
      <FoodMark of={mark} /> {foodMarkLabels[mark]}.
    </>
  );
}
