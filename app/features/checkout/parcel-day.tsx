import { type ReactNode, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';
import type { BookAddress } from '#domain/addresses/address-book.ts';
import { productsOf } from '#domain/checkout/order-line.ts';
import { isPincode } from '#domain/profile.ts';
import styles from './checkout-section.module.css';
import type { Totals } from './use-totals.ts';

export type DayToChoose = {
  pincode: string;
  productIds: number[];
  earliest: string | null;
  chosen: string | null;
  onChoose(day: string | null): void;
};

export type ParcelDayProps = {
  totals: Pick<Totals, 'lines' | 'quote' | 'customer'>;
  /** An address of the book; null: the customer's own. */
  to: BookAddress | null;
  chosen: string | null;
  onChoose(day: string | null): void;
  /** The calendar, which belongs to another feature. */
  dayChoice(choice: DayToChoose): ReactNode;
};

/** The delivery day of a parcel: a dash until the address is known, then the choice of a day. */
export function ParcelDay({ totals, to, chosen, onChoose, dayChoice }: ParcelDayProps) {
  const { who } = useSession();
  // While another quote is on its way the day of the last one stays.
  const earliest = useLatest(chosen === null ? totals.quote?.deliveryBy : undefined);
  const pincode = (to ?? totals.customer)?.zip.trim() ?? '';
  return (
    <div className={styles.day}>
      {who && isPincode(pincode) ? (
        dayChoice({
          pincode,
          productIds: [...new Set((totals.lines ?? []).flatMap(productsOf))],
          earliest,
          chosen,
          onChoose,
        })
      ) : (
        <p>
          <span>Delivery day</span> <span>—</span>
        </p>
      )}
    </div>
  );
}

/** What was known last, until something else is. */
function useLatest(known: string | null | undefined): string | null {
  const [latest, setLatest] = useState<string | null>(null);
  if (known && known !== latest) setLatest(known);
  return latest;
}
