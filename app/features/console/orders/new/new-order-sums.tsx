import { MoneyField } from '#app/ui/fields.tsx';
import { formatGrams } from '#domain/catalog/weight.ts';
import { amountLabels } from '#domain/checkout/amount-words.ts';
import { spoiledCaution } from '#domain/delivery/delivery-words.ts';
import { formatPaise } from '#domain/money.ts';
import { formatCalendarDay } from '#domain/time.ts';
import styles from './new-order-sums.module.css';
import type { Price } from './use-new-order.ts';

type NewOrderSumsProps = { price: Price; isDelivery: boolean };

/** What is told to the caller before the order is taken. */
export function NewOrderSums({ price: { priced, isCurrent }, isDelivery }: NewOrderSumsProps) {
  const zone = priced?.zone_shipping_paise;
  return (
    <div className={styles.sums} aria-busy={(priced !== null && !isCurrent) || undefined}>
      <dl>
        <Row label={amountLabels.subtotal} amount={priced?.sub_total_paise} />
        <Row label={amountLabels.tax} amount={priced?.tax_paise} />
        <Row label={amountLabels.shipping(priced?.shipping_tax_paise ?? 0)} amount={priced?.shipping_paise} />
      </dl>
      {isDelivery && (
        <MoneyField
          name="shipping_paise"
          label="Change delivery charge"
          placeholder={zone != null ? String(zone / 100) : ''}
          hint={zone != null ? shippingHint(zone, priced?.cart_shipping_paise) : 'Leave blank for the zone rate.'}
        />
      )}
      <p className={styles.total}>
        <span>Total</span>
        <output>{priced?.total_paise != null ? formatPaise(priced.total_paise) : '—'}</output>
      </p>
      {priced && (
        <p className={styles.facts}>
          {formatGrams(priced.grams)}
          {priced.delivery_by && `, arrives by ${formatCalendarDay(priced.delivery_by)}`}
        </p>
      )}
      {priced && priced.spoiled.length > 0 && <p className={styles.caution}>{spoiledCaution(priced.spoiled)}</p>}
    </div>
  );
}

function shippingHint(zone: number, cart: number | null | undefined): string {
  const online = cart == null || cart === zone ? '' : ` In an online cart it is ${formatPaise(cart)}.`;
  return `Leave blank for the zone rate of ${formatPaise(zone)}.${online}`;
}

function Row({ label, amount }: { label: string; amount: number | null | undefined }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{amount == null ? '—' : formatPaise(amount)}</dd>
    </div>
  );
}
