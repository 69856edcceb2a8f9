import { Skeleton } from '#app/ui/skeleton.tsx';
import { shippingDetail, taxDetail } from '#domain/checkout/amount-labels.ts';
import type { Amounts, OfferLine } from '#domain/checkout/quote.ts';
import { formatPaise, type Paise } from '#domain/money.ts';
import styles from './amount-rows.module.css';

export type AmountRowsProps = {
  /** null: on their way. What is missing is not known. */
  amounts: Partial<Amounts> | null;
  /** On the way to other figures: these are shown, but faintly. */
  isBusy?: boolean;
};

/** One row for each offer: what it took off, or that the delivery is free. */
export function OfferRow({ offer: { code, name, discountPaise } }: { offer: OfferLine }) {
  return (
    <div>
      <dt>
        <span>{name}</span> {code && <small>{code}</small>}
      </dt>
      <dd>{discountPaise > 0 ? `−${formatPaise(discountPaise)}` : 'Free delivery'}</dd>
    </div>
  );
}

export function AmountRows({ amounts, isBusy = false }: AmountRowsProps) {
  const row = (name: string, amount: Paise | undefined, detail: string | null = null) => (
    <div>
      <dt>
        <span>{name}</span> {detail && <small>{detail}</small>}
      </dt>
      <dd>{amounts === null ? <Skeleton /> : amount === undefined ? '—' : formatPaise(amount)}</dd>
    </div>
  );
  return (
    <dl className={styles.amounts} aria-busy={isBusy}>
      {row('Subtotal', amounts?.subTotalPaise)}
      {amounts?.offers?.map((offer) => (
        <OfferRow key={`${offer.code} ${offer.name}`} offer={offer} />
      ))}
      {row('Tax', amounts?.taxPaise, taxDetail)}
      {row('Shipping charge', amounts?.shippingPaise, shippingDetail(amounts?.shippingTaxPaise ?? 0))}
      {row('Total', amounts?.totalPaise)}
    </dl>
  );
}
