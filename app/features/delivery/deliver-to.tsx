import { lazy, Suspense, useEffect, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { useHydrated } from '#app/ui/after-hydration.ts';
import { Icon } from '#app/ui/icon.tsx';
import { followCardNotes } from './card-notes.ts';
import styles from './deliver-to.module.css';
import { usePincode } from './delivery-place.ts';
import { useProfilePincode } from './use-profile-pincode.ts';

const PincodeDialog = lazy(() => import('./pincode-dialog.tsx'));

/** In the header: where things are delivered, asked once for the whole shop. */
export function DeliverTo() {
  const { config } = useSession();
  const pincode = usePincode();
  const hydrated = useHydrated();
  const [isOpen, setOpen] = useState(false);
  // Its code comes with the first press, and stays: closing gives the focus back.
  const [isWanted, setWanted] = useState(false);
  useEffect(() => followCardNotes(config), [config]);
  useProfilePincode();

  function open() {
    setWanted(true);
    setOpen(true);
  }

  return (
    <>
      <button type="button" className={styles.place} onClick={open} aria-haspopup="dialog">
        <Icon>
          <path d="M12 20.500s-6.500-5.600-6.500-10.700a6.500 6.500 0 0 1 13 0c0 5.100-6.500 10.700-6.500 10.700Z" />
          <circle cx="12" cy="9.800" r="2.300" />
        </Icon>
        <span className={styles.words}>
          <span>Deliver to</span> <b>{hydrated ? pincode || 'Enter pincode' : ' '}</b>
        </span>
      </button>
      {isWanted && (
        <Suspense>
          <PincodeDialog isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
