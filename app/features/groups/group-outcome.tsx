import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { formatPaise } from '#domain/money.ts';
import { refundReason } from '#domain/orders/refund-reason.ts';
import { type Group, readGroup } from './group-backend.ts';
import styles from './group-page.module.css';

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

const takeFocus = (heading: HTMLHeadingElement | null) => heading?.focus({ preventScroll: true });

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
    <main className={styles.page} aria-busy={!isOver}>
      {wordsFor(followed, onDone, onBack)}
    </main>
  );
}

function wordsFor(followed: Followed, onDone: () => void, onBack: () => void): ReactNode {
  if (followed.state === 'failed')
    return (
      <Words title="We couldn’t load your order right now">
        <p>Don’t pay again: your order will appear in your order history.</p>
        <History />
      </Words>
    );
  if (followed.state === 'unknown')
    return (
      <Words title="We can’t find this payment">
        <p>It may belong to another account. Your list is still here.</p>
        <div className={styles.next}>
          <Button onClick={onBack}>Back to my list</Button>
        </div>
      </Words>
    );
  if (followed.state === 'reading') return <Placing count={null} />;
  const { group } = followed;
  const recipients = group.recipients === 1 ? '1 recipient' : `${group.recipients} recipients`;
  switch (group.state) {
    case 'ordered':
      return (
        <Words title="Order placed">
          <p role="status">
            Thank you! {recipients}, {formatPaise(group.total_paise)} paid. Each has an order of its own: follow it,
            correct its address until it’s packed, or cancel it in your order history.
          </p>
          <div className={styles.next}>
            <ButtonLink
              variant="primary"
              to={`/profile?tab=orders&order=${group.orders[0]?.order_id ?? ''}`}
              onClick={onDone}
            >
              See all recipients
            </ButtonLink>
            <Button onClick={onDone}>Start another list</Button>
          </div>
        </Words>
      );
    case 'refunded':
      return (
        <Words title="Payment refunded">
          <p>{group.refund && refundReason(group.refund.reason)}</p>
          <p>We’re refunding your payment. It takes up to 7 business days. Your list is still here.</p>
          <div className={styles.next}>
            <Button variant="primary" onClick={onBack}>
              Back to my list
            </Button>
          </div>
        </Words>
      );
    case 'confirming':
      return <Placing count={recipients} onBack={onBack} />;
    case 'lapsed':
      return (
        <Words title="We haven’t received your payment yet">
          <p>
            If money was taken, it becomes your orders or is refunded automatically. Please check your order history
            before you pay again.
          </p>
          <div className={styles.next}>
            <History />
            <Button onClick={onBack}>Back to my list</Button>
          </div>
        </Words>
      );
  }
}

/** All orders are made together: there is no half of it to show. */
function Placing({ count, onBack }: { count: string | null; onBack?: () => void }) {
  return (
    <Words title="Placing your order">
      <ol className={styles.progress} aria-label="Progress">
        <li data-done>Boxes and addresses checked</li>
        <li>Confirming your payment</li>
        <li>Making an order {count ? `for each of ${count}` : 'for each recipient'}</li>
      </ol>
      <progress aria-label="Placing your order" />
      <p>Don’t pay again. You can close this page: your order will appear in your order history within two minutes.</p>
      {onBack && (
        <div className={styles.next}>
          <Button variant="text" onClick={onBack}>
            I didn’t pay: back to my list
          </Button>
        </div>
      )}
    </Words>
  );
}

const History = () => <ButtonLink to="/profile?tab=orders">Order history</ButtonLink>;

function Words({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.outcome}>
      <h1 key={title} ref={takeFocus} tabIndex={-1} className={styles.title}>
        {title}
      </h1>
      {children}
    </div>
  );
}
