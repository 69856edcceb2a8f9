import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { Confirmation } from '#app/parts/confirmation/confirmation.tsx';
import { Facts, NextSteps, Part, PlacedItems, Thanks } from '#app/parts/confirmation/placed.tsx';
import { Words } from '#app/parts/confirmation/words.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { formatPaise, paise } from '#domain/money.ts';
import { refundReason } from '#domain/orders/refund-reason.ts';
import { formatCalendarDay, formatShortDay } from '#domain/time.ts';
import { type Group, readGroup } from './group-backend.ts';
import styles from './group-outcome.module.css';

const GiftReminder = lazy(() => import('#app/parts/confirmation/gift-reminder.tsx'));

export type GroupOutcomeProps = {
  /** The provider's order. */
  reference: string;
  /** There are orders: the draft has served. */
  onDone(): void;
  /** Back to the list, which is as it was. */
  onBack(): void;
};

type Followed = { state: 'reading' } | { state: 'failed' } | { state: 'unknown' } | { state: 'read'; group: Group };
const pauseMs = 1500;

/** After the payment: what is happening, then the orders. Also for who comes back after the browser was closed. */
export function GroupOutcome({ reference, onDone, onBack }: GroupOutcomeProps) {
  const { client, state } = useSession();
  const [followed, setFollowed] = useState<Followed>({ state: 'reading' });
  const group = followed.state === 'read' ? followed.group : null;
  const isOver = group?.state === 'ordered' || group?.state === 'refunded' || followed.state === 'unknown';

  // The list behind it may have been scrolled far down.
  useEffect(() => {
    // Some browsers return a promise, which is no way to clean up.
    void window.scrollTo(0, 0);
  }, []);

  const look = useEffectEvent(async () => {
    const found = await readGroup(client, reference);
    if (found === 'failed') setFollowed((before) => (before.state === 'read' ? before : { state: 'failed' }));
    else setFollowed(found ? { state: 'read', group: found } : { state: 'unknown' });
  });
  useEffect(() => {
    if (state !== 'signed-in' || isOver) return;
    let timer: ReturnType<typeof setTimeout>;
    let gone = false;
    const round = async () => {
      await look();
      if (!gone) timer = setTimeout(round, pauseMs);
    };
    void round();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [state, isOver]);

  return (
    <Confirmation
      standing={
        group?.state === 'ordered'
          ? 'ordered'
          : followed.state === 'reading' || isPlacing(group)
            ? 'confirming'
            : 'other'
      }
    >
      {wordsFor(followed, onDone, onBack)}
    </Confirmation>
  );
}

const isPlacing = (group: Group | null) => group?.state === 'confirming';

function wordsFor(followed: Followed, onDone: () => void, onBack: () => void): ReactNode {
  const backToList = <Button onClick={onBack}>Back to my list</Button>;
  if (followed.state === 'failed')
    return (
      <Words title="We couldn’t load your order right now" actions={<History />}>
        <p>Don’t pay again: your order will appear in your order history.</p>
      </Words>
    );
  if (followed.state === 'unknown')
    return (
      <Words title="We can’t find this payment" actions={backToList}>
        <p>It may belong to another account. Your list is still here.</p>
      </Words>
    );
  if (followed.state === 'reading') return <Placing count={null} />;
  const { group } = followed;
  switch (group.state) {
    case 'ordered':
      return <GroupPlaced group={group} onDone={onDone} />;
    case 'refunded':
      return (
        <Words
          title="Payment refunded"
          actions={
            <Button variant="primary" onClick={onBack}>
              Back to my list
            </Button>
          }
        >
          <p>{group.refund && refundReason(group.refund.reason)}</p>
          <p>We’re refunding your payment. It takes up to 7 business days. Your list is still here.</p>
        </Words>
      );
    case 'confirming':
      return <Placing count={recipientsOf(group)} onBack={onBack} />;
    case 'lapsed':
      return (
        <Words
          title="We haven’t received your payment yet"
          actions={
            <>
              <History />
              {backToList}
            </>
          }
        >
          <p>
            If money was taken, it becomes your orders or is refunded automatically. Please check your order history
            before you pay again.
          </p>
        </Words>
      );
  }
}

const recipientsOf = ({ recipients }: Group) => (recipients === 1 ? '1 recipient' : `${recipients} recipients`);

/** All of them are there: what was bought, when it comes and what happens next. */
function GroupPlaced({ group, onDone }: { group: Group; onDone(): void }) {
  const { client } = useSession();
  const [first] = group.orders;
  const days = group.orders.flatMap(({ delivery_by }) => delivery_by ?? []).sort();
  const late = group.orders.filter(({ missed_day }) => missed_day).length;
  return (
    <Words
      title="Order placed"
      actions={
        <>
          <ButtonLink variant="primary" to={`/profile?tab=orders&order=${first?.order_id ?? ''}`} onClick={onDone}>
            See all recipients
          </ButtonLink>
          <Button onClick={onDone}>Start another list</Button>
        </>
      }
    >
      <Thanks>
        Thank you! {recipientsOf(group)}, {formatPaise(group.total_paise)} paid. Each parcel is made fresh and packed
        with your card.
      </Thanks>
      <Facts
        facts={[
          ['Orders', first ? `#${first.number}${group.orders.length > 1 ? ` + ${group.orders.length - 1}` : ''}` : '—'],
          ['Paid', formatPaise(group.total_paise)],
          ...arrivalOf(days),
        ]}
      />
      {late > 0 && (
        <p role="note">
          Your payment reached us too late for the day of {late === 1 ? '1 recipient' : `${late} recipients`}: their
          parcels arrive on the next possible day. If that doesn’t suit you, cancel them in your order history or write
          to us.
        </p>
      )}
      <Part title="Your order">
        <PlacedItems
          items={group.items.map(({ name, image, size, quantity, line_paise }) => ({
            name,
            image,
            quantity,
            sizeGrams: size,
            linePaise: paise(line_paise),
          }))}
        />
      </Part>
      <NextSteps
        steps={[
          'We confirm each order and make it fresh in time for its day. You can cancel a recipient in your order history until we start.',
          'You can correct an address there until its parcel is packed.',
          'We pack each parcel without prices and hand it to the courier. Each one’s tracking link is in your order history.',
        ]}
      />
      <Suspense>
        <GiftReminder client={client} />
      </Suspense>
    </Words>
  );
}

function arrivalOf(days: string[]): [string, string][] {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  if (first === last) return [['Arrives by', formatCalendarDay(first)]];
  return [['Arrives', `${formatShortDay(first)} – ${formatShortDay(last)}`]];
}

/** All orders are made together: there is no half of it to show. */
function Placing({ count, onBack }: { count: string | null; onBack?: () => void }) {
  return (
    <Words
      title="Placing your order"
      actions={
        onBack && (
          <Button variant="text" onClick={onBack}>
            I didn’t pay: back to my list
          </Button>
        )
      }
    >
      <ol className={styles.progress} aria-label="Progress">
        <li data-done>Boxes and addresses checked</li>
        <li>Confirming your payment</li>
        <li>Making an order {count ? `for each of ${count}` : 'for each recipient'}</li>
      </ol>
      <progress className={styles.bar} aria-label="Placing your order" />
      <p>Don’t pay again. You can close this page: your order will appear in your order history within two minutes.</p>
    </Words>
  );
}

const History = () => <ButtonLink to="/profile?tab=orders">Order history</ButtonLink>;
