import { useId } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import AddressChoice, { type AddressChoiceProps } from './address-choice.tsx';
import styles from './parcel-dialog.module.css';

/** Over the cart: where the order goes, chosen or added without leaving. */
export default function AddressDialog({
  onClose,
  ...choice
}: Omit<AddressChoiceProps, 'onDone'> & { onClose(): void }) {
  const title = useId();
  return (
    <Dialog open onClose={onClose} labelledBy={title}>
      <div className={styles.body}>
        <header className={styles.head}>
          <h2 id={title}>Send it to</h2>
          <Button variant="text" onClick={onClose}>
            Close
          </Button>
        </header>
        <AddressChoice {...choice} onDone={onClose} />
      </div>
    </Dialog>
  );
}
