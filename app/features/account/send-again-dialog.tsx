import { useCallback, useId, useState } from 'react';
import type { ShopClient } from '#app/backend/client.ts';
import { GiftMotif } from '#app/parts/gift-card/gift-motif.tsx';
import { LinesAgain } from '#app/parts/lines-again/lines-again.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { addressLine } from '#domain/addresses/address-book.ts';
import { boxesToSend, type GiftAgain, giftChanges, linesToSend } from '#domain/gifts/send-again.ts';
import type { PastOrder } from './order-history.ts';
import { type GiftToSend, prepareGift, readGiftAgain } from './send-again.ts';
import styles from './send-again-dialog.module.css';
import { useLoaded } from './use-loaded.ts';

export type SendAgainDialogProps = {
  order: PastOrder;
  userId: string;
  client(): Promise<ShopClient>;
  /** Puts it into the cart; false where that is not possible, which it says itself. */
  sendAgain(gift: GiftToSend, order: PastOrder): Promise<boolean>;
  onClose(): void;
};

/** An earlier gift before it goes into the cart once more: to whom, what, and what changed since. */
export default function SendAgainDialog({ order, userId, client, sendAgain, onClose }: SendAgainDialogProps) {
  const title = useId();
  const { loaded, reload } = useLoaded(
    useCallback(async () => readGiftAgain(await client(), order.id), [client, order.id]),
  );
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const again = loaded.state === 'ready' ? loaded.value : null;

  async function send() {
    if (isBusy || !again) return;
    setBusy(true);
    setProblem('');
    const prepared = await client()
      .then((shop) => prepareGift(shop, userId, again))
      .catch(() => null);
    if (!prepared?.ok) setProblem(prepared?.message ?? 'We couldn’t prepare this gift. Please try again.');
    else if (await sendAgain(prepared.gift, order)) return onClose();
    setBusy(false);
  }

  const isEmpty = again !== null && linesToSend(again.lines).length + boxesToSend(again.lines).length === 0;
  return (
    <Dialog open onClose={onClose} labelledBy={title}>
      <div className={styles.body}>
        <h2 id={title}>Send again to {order.gift?.recipient ?? again?.to.name}</h2>
        {loaded.state === 'loading' && <Skeleton className={styles.toCome} aria-busy="true" />}
        {loaded.state === 'failed' && (
          <FailedState title="We couldn’t load this gift." text="Check your connection and try again." retry={reload} />
        )}
        {again && <Again again={again} />}
        {problem && <p role="alert">{problem}</p>}
        <div className={styles.actions}>
          <Button onClick={onClose}>Close</Button>
          {again && (
            <Button variant="primary" isBusy={isBusy} disabled={isEmpty} onClick={send}>
              Put in cart
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function Again({ again }: { again: GiftAgain }) {
  const { to, gift, lines } = again;
  return (
    <>
      <div className={styles.gift}>
        <GiftMotif of={gift.motif} className={styles.motif} />
        <div>
          <p>
            <strong>{to.name}</strong>
          </p>
          <p className={styles.soft}>{addressLine(to)}</p>
          {gift.note && (
            <p className={styles.note} dir="auto">
              {gift.note}
            </p>
          )}
        </div>
      </div>
      <LinesAgain
        lines={lines}
        changes={giftChanges(again)}
        unchanged="Nothing has changed since. You can edit the card and the address at checkout."
      />
    </>
  );
}
