import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSession } from '#app/backend/session.tsx';
import buttons from '#app/ui/button.module.css';
import { toast } from '#app/ui/toast.tsx';
import type { CartLine } from '#domain/cart/cart.ts';
import { purchaseMessages } from '#domain/checkout/messages.ts';
import type { Paise } from '#domain/money.ts';
import type { Fulfilment } from '#domain/orders/status.ts';
import { AmountRows } from './amount-rows.tsx';
import styles from './checkout-section.module.css';
import { FulfilmentChoice } from './fulfilment-choice.tsx';
import type { TakeBought } from './payment-notes.ts';
import { type PurchaseStep, purchase } from './purchase.ts';
import { TotalsNote } from './totals-note.tsx';
import { useTotals } from './use-totals.ts';

export type CheckoutSectionProps = {
  /** What can be bought of the checkout list; null while its products load. */
  lines: readonly CartLine[] | null;
  /** What they cost by themselves, before anybody has reckoned. */
  goodsPaise: Paise | null;
  canBePickedUp: boolean;
  /** Reads the list again: another tab may have changed it. */
  recheck(): 'same' | 'changed' | 'empty';
  takeBought: TakeBought;
  /** A payment that seems not to have been made may have been all the same. */
  followPayments(): void;
};

const labels: Record<PurchaseStep, string> = {
  opening: 'Opening payment…',
  paying: 'Waiting for payment…',
  placing: 'Placing your order…',
};

/** Below the checkout list: what it costs, and Buy Now. */
export function CheckoutSection(props: CheckoutSectionProps) {
  const { lines, goodsPaise, canBePickedUp, recheck, takeBought, followPayments } = props;
  const session = useSession();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<Fulfilment>('delivery');
  const fulfilment = canBePickedUp ? chosen : 'delivery';
  const totals = useTotals(lines, fulfilment);
  const [step, setStep] = useState<PurchaseStep | null>(null);
  // Nothing of it goes to that address: pressing would only say so again.
  const isRefused = totals.problem?.reason === 'failed' && totals.problem.isAddress === true;

  async function buy() {
    if (step || !lines) return;
    const list = recheck();
    if (list === 'empty') return toast('error', purchaseMessages.emptied);
    if (list === 'changed') return toast('info', purchaseMessages.listChanged);
    const mayBePaid = await purchase({
      session,
      wanted: { source: 'cart', lines, fulfilment },
      agreed: totals.quote,
      onQuote: totals.show,
      onStep: setStep,
      goTo: (path) => navigate(path, { viewTransition: true }),
      takeBought,
    });
    setStep(null);
    if (!mayBePaid) followPayments();
  }

  return (
    <div className={styles.section}>
      {canBePickedUp && <FulfilmentChoice chosen={fulfilment} onChange={setChosen} />}
      <AmountRows amounts={totals.amounts} isBusy={totals.isBusy} />
      <TotalsNote totals={totals} goodsPaise={goodsPaise} fulfilment={fulfilment} />
      <div className={styles.actions}>
        <Link className={buttons.quiet} to="/shop">
          Shop More
        </Link>
        <button
          type="button"
          className={buttons.main}
          disabled={!lines?.length || isRefused}
          aria-busy={step !== null}
          aria-disabled={step !== null}
          onClick={buy}
        >
          {step ? labels[step] : 'Buy Now'}
        </button>
      </div>
    </div>
  );
}
