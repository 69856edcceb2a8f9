import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '#app/backend/session.tsx';
import { mayHaveSession } from '#app/backend/stored-session.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { ThumbBar } from '#app/ui/thumb-bar.tsx';
import { toast } from '#app/ui/toast.tsx';
import { purchaseMessages } from '#domain/checkout/messages.ts';
import type { OrderLine } from '#domain/checkout/order-line.ts';
import type { LineProblem } from '#domain/checkout/quote-available-lines.ts';
import { formatPaise, type Paise } from '#domain/money.ts';
import type { Fulfilment } from '#domain/orders/status.ts';
import { AmountRows } from './amount-rows.tsx';
import styles from './checkout-section.module.css';
import { FulfilmentChoice } from './fulfilment-choice.tsx';
import { GiftSwitch } from './gift-switch.tsx';
import { OfferCode } from './offer-code.tsx';
import { setOfferCode, useOfferCode } from './offer-code-store.ts';
import { type DayToChoose, ParcelDay } from './parcel-day.tsx';
import type { TakeBought } from './payment-notes.ts';
import { type PurchaseStep, purchase } from './purchase.ts';
import { TotalsNote } from './totals-note.tsx';
import { useParcel } from './use-parcel.ts';
import { codeAnswer, useTotals } from './use-totals.ts';

const AddressDialog = lazy(() => import('./address-dialog.tsx'));
const CartReminder = lazy(() => import('./cart-reminder.tsx'));

export type CheckoutSectionProps = {
  /** What can be bought of the checkout list; null while its products load. */
  lines: readonly OrderLine[] | null;
  /** What they cost by themselves, before tax and shipping. */
  goodsPaise: Paise | null;
  /** Lines that cannot be bought as things are; the totals are those of the others. */
  onHeldBack(lines: readonly LineProblem[]): void;
  canBePickedUp: boolean;
  counterAddress: string;
  shopName: string;
  /** Where the delivery day is chosen. */
  dayChoice(choice: DayToChoose): ReactNode;
  /** Reads the list again: another tab may have changed it. */
  recheck(): 'same' | 'changed' | 'empty';
  takeBought: TakeBought;
  /** A payment that seems not to have been made may have been all the same. */
  followPayments(): void;
};

const labels: Record<PurchaseStep, string> = {
  opening: 'Please wait…',
  paying: 'Waiting for payment…',
  placing: 'Placing your order…',
};

/** Below the checkout list: what it costs, and Buy Now. */
export function CheckoutSection(props: CheckoutSectionProps) {
  const { goodsPaise, canBePickedUp, onHeldBack, recheck, takeBought, followPayments } = props;
  const session = useSession();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<Fulfilment>('pickup');
  // Takeaway is eaten the same day: most people come for it.
  const fulfilment = canBePickedUp ? chosen : 'delivery';
  const parcel = useParcel();
  const [isChoosing, setChoosing] = useState(false);
  // In its place before it is known who is logged in: what is below stays where it is.
  const mayBeGift = session.who !== null || (session.state !== 'visitor' && mayHaveSession());
  const to = fulfilment === 'delivery' ? parcel.to : null;
  const [chosenDay, setChosenDay] = useState<string | null>(null);
  const deliveryOn = fulfilment === 'delivery' ? chosenDay : null;
  const code = useOfferCode();
  const totals = useTotals(parcel.isReady ? props.lines : null, fulfilment, { to, deliveryOn, code });
  const { lines, heldBack } = totals;
  useEffect(() => onHeldBack(heldBack), [heldBack, onHeldBack]);
  const amounts =
    totals.amounts && totals.amounts.subTotalPaise === undefined && goodsPaise
      ? { subTotalPaise: goodsPaise }
      : totals.amounts;
  const [step, setStep] = useState<PurchaseStep | null>(null);
  // Nothing of it goes to that address: pressing would only say so again.
  const { problem } = totals;
  const isRefused = problem?.reason === 'failed' && (problem.isAddress === true || problem.isDay === true);

  async function buy() {
    if (step || !lines) return;
    const list = recheck();
    if (list === 'empty') return toast('error', purchaseMessages.emptied);
    if (list === 'changed') return toast('info', purchaseMessages.listChanged);
    const gift = fulfilment === 'delivery' ? parcel.checked() : null;
    if (gift === undefined) return;
    const mayBePaid = await purchase({
      session,
      wanted: { source: 'cart', lines, fulfilment, deliveryOn, to, gift, code },
      agreed: totals.quote,
      onQuote: totals.show,
      onStep: setStep,
      goTo: (path) => navigate(path, { viewTransition: true }),
      takeBought,
    });
    setStep(null);
    if (!mayBePaid) return followPayments();
    parcel.clear();
    setOfferCode(null);
  }

  return (
    <div className={styles.section}>
      {canBePickedUp && <FulfilmentChoice chosen={fulfilment} onChange={setChosen} />}
      {mayBeGift && fulfilment === 'delivery' && props.lines?.length !== 0 && (
        <GiftSwitch
          {...parcel}
          isDisabled={session.who === null}
          shopName={props.shopName}
          recipient={to?.name ?? null}
          onChangeAddress={() => setChoosing(true)}
        />
      )}
      {fulfilment === 'delivery' && (
        <ParcelDay totals={totals} to={to} chosen={deliveryOn} onChoose={setChosenDay} dayChoice={props.dayChoice} />
      )}
      {props.lines?.length !== 0 && (
        <OfferCode
          answer={codeAnswer(totals.quote)}
          isBusy={totals.isBusy}
          isForLater={totals.quote === null && !totals.isBusy}
        />
      )}
      <AmountRows amounts={amounts} isBusy={totals.isBusy} />
      <TotalsNote
        totals={totals}
        fulfilment={fulfilment}
        to={to}
        isChosenDay={deliveryOn !== null}
        onChangeAddress={() => setChoosing(true)}
        counterAddress={props.counterAddress}
      />
      {isChoosing && (
        <Suspense>
          <AddressDialog parcel={parcel} own={totals.customer} onClose={() => setChoosing(false)} />
        </Suspense>
      )}
      <div className={styles.buying}>
        <ButtonLink to="/shop">Shop More</ButtonLink>
        <ThumbBar
          isInReach={Boolean(props.lines?.length)}
          label={`${amounts?.totalPaise === undefined ? 'Subtotal' : 'Total'} · ${itemCount(lines ?? [])}`}
          sum={shownSum(amounts)}
        >
          <Button variant="primary" disabled={!lines?.length || isRefused} isBusy={step !== null} onClick={buy}>
            {step ? labels[step] : 'Buy Now'}
          </Button>
        </ThumbBar>
      </div>
      {/* Below everything: it comes later, and moves nothing. */}
      {session.who && Boolean(props.lines?.length) && (
        <Suspense>
          <CartReminder client={session.client} />
        </Suspense>
      )}
    </div>
  );
}

function itemCount(lines: readonly OrderLine[]): string {
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return count === 1 ? '1 item' : `${count} items`;
}

function shownSum(amounts: { totalPaise?: Paise; subTotalPaise?: Paise } | null): string {
  const sum = amounts?.totalPaise ?? amounts?.subTotalPaise;
  return sum === undefined ? '—' : formatPaise(sum);
}
