import { type ReactNode, useId, useMemo, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import type { CartLine } from '#domain/cart/cart.ts';
import type { ProductDetails } from '#domain/catalog/product.ts';
import AddressChoice from './address-choice.tsx';
import { AmountRows } from './amount-rows.tsx';
import { GiftSwitch } from './gift-switch.tsx';
import { OfferCode } from './offer-code.tsx';
import { setOfferCode, useOfferCode } from './offer-code-store.ts';
import { type DayToChoose, ParcelDay } from './parcel-day.tsx';
import styles from './parcel-dialog.module.css';
import { type PurchaseStep, purchase } from './purchase.ts';
import { TotalsNote } from './totals-note.tsx';
import { useParcel } from './use-parcel.ts';
import { codeAnswer, useTotals } from './use-totals.ts';

export type SendElsewhereProps = {
  product: ProductDetails;
  line: CartLine;
  shopName: string;
  /** Where the delivery day is chosen. */
  dayChoice(choice: DayToChoose): ReactNode;
  goTo(path: string): Promise<void> | void;
  onLeave(): void;
  onClose(): void;
};

/** Buys one thing for another person, from its page: to whom, as a gift or not, what it costs, and Buy Now. */
export default function SendElsewhere(props: SendElsewhereProps) {
  const { product, line, shopName, goTo, onLeave, onClose } = props;
  const session = useSession();
  const parcel = useParcel();
  const { productId, size, quantity } = line;
  const lines = useMemo(() => [{ productId, size, quantity }], [productId, size, quantity]);
  const [deliveryOn, setDeliveryOn] = useState<string | null>(null);
  const code = useOfferCode();
  const totals = useTotals(parcel.isReady ? lines : null, 'delivery', {
    source: 'direct',
    to: parcel.to,
    deliveryOn,
    code,
  });
  const { problem } = totals;
  const isRefused = problem?.reason === 'failed' && (problem.isAddress === true || problem.isDay === true);
  const [step, setStep] = useState<PurchaseStep | null>(null);
  const id = useId();
  const toChoice = () => document.getElementById(`${id}-to`)?.scrollIntoView({ block: 'start' });

  async function buy() {
    if (step) return;
    const gift = parcel.checked();
    if (gift === undefined) return;
    const mayBePaid = await purchase({
      session,
      wanted: { source: 'direct', lines, fulfilment: 'delivery', deliveryOn, to: parcel.to, gift, code },
      agreed: totals.quote,
      onQuote: totals.show,
      onStep: setStep,
      goTo,
      takeBought: () => {},
      onLeave,
    });
    setStep(null);
    if (!mayBePaid) return;
    parcel.clear();
    setOfferCode(null);
  }

  return (
    <Dialog open onClose={onClose} labelledBy={`${id}-title`} className={styles.wide}>
      <div className={styles.body}>
        <header className={styles.head}>
          <h2 id={`${id}-title`}>Send {product.name}</h2>
          <Button variant="text" onClick={onClose}>
            Close
          </Button>
        </header>
        <p className={styles.what}>
          {quantity} × {product.hasSize ? `${size} g` : 'piece'}
        </p>
        <section className={styles.part} id={`${id}-to`} aria-labelledby={`${id}-to-title`}>
          <h3 id={`${id}-to-title`}>Send it to</h3>
          <AddressChoice parcel={parcel} own={totals.customer} />
        </section>
        <GiftSwitch {...parcel} shopName={shopName} recipient={parcel.to?.name ?? null} onChangeAddress={toChoice} />
        <div className={styles.buy}>
          <ParcelDay
            totals={totals}
            to={parcel.to}
            chosen={deliveryOn}
            onChoose={setDeliveryOn}
            dayChoice={props.dayChoice}
          />
          <OfferCode answer={codeAnswer(totals.quote)} isBusy={totals.isBusy} />
          <AmountRows amounts={totals.amounts} isBusy={totals.isBusy} />
          <TotalsNote
            totals={totals}
            fulfilment="delivery"
            to={parcel.to}
            isChosenDay={deliveryOn !== null}
            onChangeAddress={toChoice}
            counterAddress=""
          />
          <Button
            variant="primary"
            disabled={totals.heldBack.length > 0 || isRefused}
            isBusy={step !== null}
            onClick={buy}
          >
            {step ? 'Please wait…' : 'Buy Now'}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
