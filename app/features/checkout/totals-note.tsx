import { Link } from 'react-router';
import { useSession } from '#app/backend/session.tsx';
import { Button } from '#app/ui/button.tsx';
import { toast } from '#app/ui/toast.tsx';
import type { BookAddress } from '#domain/addresses/address-book.ts';
import { totalsMessage } from '#domain/checkout/messages.ts';
import type { Quote } from '#domain/checkout/quote.ts';
import type { Fulfilment } from '#domain/orders/status.ts';
import { calendarDay, formatCalendarDay } from '#domain/time.ts';
import type { Customer } from './checkout-backend.ts';
import styles from './checkout-section.module.css';
import type { Totals } from './use-totals.ts';

export type TotalsNoteProps = {
  totals: Pick<Totals, 'problem' | 'quote' | 'customer' | 'isBusy' | 'askAgain'>;
  fulfilment: Fulfilment;
  /** An address of the book; null: the customer's own. */
  to: BookAddress | null;
  onChangeAddress(): void;
  /** The customer chose the day; otherwise it may come earlier. */
  isChosenDay: boolean;
  /** Where pick-up orders are collected; empty: the shop has not said. */
  counterAddress: string;
};

/** One place for where and when it arrives, or why there are no amounts; always as high, so that the buttons stay put. */
export function TotalsNote(props: TotalsNoteProps) {
  const { totals, fulfilment, to, isChosenDay, onChangeAddress, counterAddress } = props;
  const { problem, quote, customer, isBusy, askAgain } = totals;
  const { signIn } = useSession();
  // Another address may help.
  const isElsewhere = problem?.reason === 'none-left' || (problem?.reason === 'failed' && problem.isAddress);
  const destination = customer && (
    <Destination name={to?.name ?? null} of={to ?? customer} onChange={onChangeAddress} />
  );
  const isSignedOut = problem?.reason === 'signed-out' || problem?.reason === 'no-token';

  async function login() {
    const result = await signIn();
    if (!result.ok) toast('error', result.message);
  }

  return (
    <div className={styles.note} role="status">
      {problem ? (
        <>
          <p className={styles.problem}>
            <span>{totalsMessage(problem)}</span>{' '}
            {problem.reason === 'no-pincode' && (
              <>
                <Link to="/profile">Go to profile</Link> or <Remedy name="add an address" onPress={onChangeAddress} />
              </>
            )}
            {problem.reason === 'failed' && !problem.sentence && !isBusy && (
              <Remedy name="Try again" onPress={askAgain} />
            )}
            {isSignedOut && <Remedy name="Log in" onPress={login} />}
          </p>
          {isElsewhere && destination}
        </>
      ) : (
        quote && (
          <>
            <p>{arrival(quote, fulfilment, isChosenDay)}</p>
            {fulfilment === 'delivery' && destination}
            {fulfilment === 'pickup' && counterAddress && <p>{counterAddress}</p>}
          </>
        )
      )}
    </div>
  );
}

type DestinationProps = {
  name: string | null;
  of: Pick<Customer, 'buildingNo' | 'street' | 'city' | 'zip'>;
  onChange(): void;
};

function Destination({ name, of: { buildingNo, street, city, zip }, onChange }: DestinationProps) {
  return (
    <p>
      To {[name, buildingNo, street, city, zip].filter(Boolean).join(', ')}{' '}
      <Button variant="text" aria-haspopup="dialog" onClick={onChange}>
        Change address
      </Button>
    </p>
  );
}

function Remedy({ name, onPress }: { name: string; onPress(): void }) {
  return (
    <Button variant="text" onClick={onPress}>
      {name}
    </Button>
  );
}

function arrival({ deliveryBy, collectFrom }: Quote, fulfilment: Fulfilment, isChosenDay: boolean): string {
  if (fulfilment === 'delivery')
    return deliveryBy ? `Arrives ${isChosenDay ? 'on' : 'by'} ${formatCalendarDay(deliveryBy)}` : '';
  const opens =
    collectFrom && collectFrom > calendarDay(new Date())
      ? `Our counter is closed today and opens on ${formatCalendarDay(collectFrom)}. `
      : '';
  return `${opens}We’ll email you when it’s ready at our counter.`;
}
