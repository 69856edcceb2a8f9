import { lazy, Suspense } from 'react';
import { Skeleton } from '#app/ui/skeleton.tsx';
import type { GiftFormProps } from './gift-form.tsx';
import styles from './gift-switch.module.css';

const GiftForm = lazy(() => import('./gift-form.tsx'));

export type GiftSwitchProps = GiftFormProps & {
  isGift: boolean;
  setIsGift(isGift: boolean): void;
  /** While it is not known whose gift it would be. */
  isDisabled?: boolean;
};

/** A tick in the checkout; what a gift needs opens below it. */
export function GiftSwitch({ isGift, setIsGift, isDisabled = false, ...form }: GiftSwitchProps) {
  return (
    <div className={styles.gift} data-open={isGift || undefined}>
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={isGift}
          disabled={isDisabled}
          onChange={(event) => setIsGift(event.target.checked)}
        />
        <span>
          <strong>Send as a gift</strong>
          <small>With a card in your words. No prices in the parcel.</small>
        </span>
      </label>
      {isGift && (
        <Suspense fallback={<Skeleton className={styles.toCome} />}>
          <GiftForm {...form} />
        </Suspense>
      )}
    </div>
  );
}
