import { lazy, Suspense } from 'react';
import type { PincodeCheckProps } from '#app/features/delivery/pincode-check.tsx';
import { useHydrated } from '#app/ui/after-hydration.ts';
import styles from './delivery-check.module.css';

// Asked and answered in the browser alone, after the page: what is promised changes by the hour and is in no cached page.
const PincodeCheck = lazy(() => import('#app/features/delivery/pincode-check.tsx'));

/** The pincode check, and its place until it comes. Without JavaScript there is neither. */
export function DeliveryCheck(props: PincodeCheckProps) {
  const hydrated = useHydrated();
  return (
    <div className={styles.place}>
      {hydrated && (
        <Suspense>
          <PincodeCheck {...props} />
        </Suspense>
      )}
    </div>
  );
}
