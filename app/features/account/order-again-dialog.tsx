import { useId } from 'react';
import { LinesAgain } from '#app/parts/lines-again/lines-again.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { goodsChanges, type LineAgain } from '#domain/gifts/send-again.ts';
import { type OrderToBuy, toBuy } from './order-again.ts';
import styles from './send-again-dialog.module.css';

type OrderAgainDialogProps = {
  name: string;
  lines: readonly LineAgain[];
  /** Puts it into the cart. */
  onBuy(order: OrderToBuy): void;
  onClose(): void;
};

/** An earlier order of which something is different today, before it goes into the cart once more. */
export default function OrderAgainDialog({ name, lines, onBuy, onClose }: OrderAgainDialogProps) {
  const title = useId();
  const order = toBuy(lines);
  const isEmpty = order.lines.length + order.boxes.length === 0;
  return (
    <Dialog open onClose={onClose} labelledBy={title}>
      <div className={styles.body}>
        <h2 id={title}>Order {name} again</h2>
        <LinesAgain lines={lines} changes={goodsChanges(lines)} unchanged="Nothing has changed since." />
        {isEmpty && <p role="status">Nothing of this order can be bought right now.</p>}
        <div className={styles.actions}>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" disabled={isEmpty} onClick={() => onBuy(order)}>
            Put in cart
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
