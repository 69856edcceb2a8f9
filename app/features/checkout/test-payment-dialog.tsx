import { useEffect, useId, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import type { Amounts } from '#domain/checkout/quote.ts';
import { formatPaise } from '#domain/money.ts';
import { AmountRows } from './amount-rows.tsx';
import { AwkwardChoices } from './awkward-choices.tsx';
import type { ProviderOrder } from './checkout-backend.ts';
import { nothingAwkward, payForTest } from './test-payment.ts';
import styles from './test-payment-dialog.module.css';
import type { WidgetOutcome } from './widget.ts';

export type TestPaymentDialogProps = {
  order: ProviderOrder;
  quote: Amounts;
  onDone(outcome: WidgetOutcome): void;
};

/** Stands in for the card payment while the shop is being tried: nothing is charged. */
export function TestPaymentDialog({ order, quote, onDone }: TestPaymentDialogProps) {
  const title = useId();
  const [cases, setCases] = useState(nothingAwkward);
  const [attempt, setAttempt] = useState<'pay' | 'fail' | null>(null);
  const [ended, setEnded] = useState<WidgetOutcome | null>(null);
  const end = (outcome: WidgetOutcome) => setEnded((before) => before ?? outcome);

  // The dialog has closed by now and given the focus back.
  useEffect(() => {
    if (ended) onDone(ended);
  }, [ended, onDone]);

  async function pay(outcome: 'pay' | 'fail') {
    if (attempt) return;
    setAttempt(outcome);
    end(await payForTest(order.id, outcome, cases));
  }

  return (
    // In the middle of an attempt only its answer ends it.
    <Dialog
      open={ended === null}
      onClose={() => !attempt && end({ outcome: 'dismissed' })}
      isLocked={attempt !== null}
      labelledBy={title}
      className={styles.dialog}
    >
      <p className={styles.mark}>Test mode: you won’t be charged.</p>
      <div className={styles.content}>
        <h2 id={title}>Test payment</h2>
        <p className={styles.payee}>
          to {order.shopName}, for {order.prefill.name}
        </p>
        <AmountRows amounts={quote} />
        <div className={styles.actions} aria-busy={attempt !== null}>
          <Button variant="primary" isBusy={attempt === 'pay'} disabled={attempt === 'fail'} onClick={() => pay('pay')}>
            Pay {formatPaise(order.amountPaise)}
          </Button>
          <Button disabled={attempt === 'pay'} onClick={() => pay('fail')}>
            Fail payment
          </Button>
          <Button disabled={attempt !== null} onClick={() => end({ outcome: 'dismissed' })}>
            Close
          </Button>
        </div>
        <p className={styles.waiting} role="status">
          {attempt && 'Waiting for the bank…'}
        </p>
        <AwkwardChoices cases={cases} onChange={setCases} disabled={attempt !== null} />
      </div>
    </Dialog>
  );
}
