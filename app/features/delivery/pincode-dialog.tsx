import { type FormEvent, useState } from 'react';
import { readAsVisitor } from '#app/backend/client.ts';
import { useSession } from '#app/backend/session.tsx';
import { Button, IconButton } from '#app/ui/button.tsx';
import { CloseIcon } from '#app/ui/close-icon.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { toast } from '#app/ui/toast.tsx';
import { arrivesBy, deliveryMessage, parseDeliveryCheck } from '#domain/delivery/delivery-messages.ts';
import { readPincode } from '#domain/delivery/pincode.ts';
import { choosePincode, currentPincode } from './delivery-place.ts';
import styles from './pincode-dialog.module.css';

const title = 'pincode-dialog-title';

/** Asks where to deliver. A pincode that is out of reach is said here, and another one can be tried at once. */
export default function PincodeDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Dialog open={isOpen} onClose={onClose} labelledBy={title} className={styles.dialog}>
      <IconButton label="Close" className={styles.close} onClick={onClose}>
        <CloseIcon />
      </IconButton>
      <h2 id={title}>Where should we deliver?</h2>
      <PincodeForm onDone={onClose} />
    </Dialog>
  );
}

function PincodeForm({ onDone }: { onDone(): void }) {
  const { config, who } = useSession();
  const [typed, setTyped] = useState(currentPincode);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const read = readPincode(typed);
    if (!read.ok) return setProblem(read.sentence);
    setBusy(true);
    const path = `rpc/check_delivery?pincode=${read.pincode}&product_ids={}&grams=500`;
    const check = parseDeliveryCheck(await readAsVisitor(config, path).catch(() => null));
    setBusy(false);
    if (check && !check.ok) return setProblem(deliveryMessage(check, read.pincode, 'now').head);
    choosePincode(read.pincode);
    // Remembered even if the check failed: cards and product pages check again.
    if (check) toast('success', `Delivering to ${read.pincode}. ${arrivesBy(check.arrivesOn)}.`);
    onDone();
  }

  return (
    <form onSubmit={submit} noValidate>
      <label htmlFor="delivery-pincode">Your pincode</label>
      <div className={styles.row}>
        <input
          id="delivery-pincode"
          name="postal-code"
          data-first-focus
          inputMode="numeric"
          autoComplete="postal-code"
          enterKeyHint="go"
          placeholder="400028"
          value={typed}
          aria-invalid={problem ? true : undefined}
          aria-describedby="delivery-pincode-note"
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem('');
          }}
        />
        <Button type="submit" variant="primary" isBusy={isBusy} disabled={isBusy}>
          Deliver here
        </Button>
      </div>
      <p id="delivery-pincode-note" role="status" className={problem ? styles.problem : styles.note}>
        {problem || (who ? noteForCustomers : note)}
      </p>
    </form>
  );
}

const note = 'We’ll show when each item arrives, and what can’t reach you fresh.';
const noteForCustomers = `${note} Orders go to the address in your profile.`;
