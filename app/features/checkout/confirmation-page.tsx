import { type ReactNode, useEffect } from 'react';
import { useSession } from '#app/backend/session.tsx';
import buttons from '#app/ui/button.module.css';
import skeletons from '#app/ui/skeleton.module.css';
import { toast } from '#app/ui/toast.tsx';
import type { RefundProgress } from '#domain/checkout/checkout-state.ts';
import { formatPaise } from '#domain/money.ts';
import { refundReason } from '#domain/orders/refund-reason.ts';
import styles from './confirmation-page.module.css';
import { OrderPlaced } from './order-placed.tsx';
import { finishPayment, forgetPayment, type TakeBought } from './payment-notes.ts';
import { Rangoli } from './rangoli.tsx';
import { type Followed, useCheckoutState } from './use-checkout-state.ts';
import { WhereNext, Words } from './words.tsx';

export type ConfirmationPageProps = { providerOrderId: string; takeBought: TakeBought };

/** What became of a payment: the moment of joy, or the plain truth. */
export function ConfirmationPage({ providerOrderId, takeBought }: ConfirmationPageProps) {
  const { followed, isSlow, retry } = useCheckoutState(providerOrderId);
  const { state } = followed;

  useEffect(() => {
    if (state === 'ordered') finishPayment(providerOrderId, takeBought);
    if (state === 'refunded') forgetPayment(providerOrderId);
  }, [state, providerOrderId, takeBought]);

  return (
    <main className={styles.page} aria-busy={state === 'loading'}>
      <noscript>
        <p>Your order is loaded by JavaScript: please turn it on. You find it in the mail we send you, too.</p>
      </noscript>
      <article className={styles.card}>
        <Flower state={state} />
        <div className={styles.words} data-state={state}>
          {wordsFor(followed, isSlow, retry)}
        </div>
      </article>
    </main>
  );
}

function Flower({ state }: { state: Followed['state'] }) {
  if (state === 'ordered') return <Rangoli mood="blooming" />;
  return <Rangoli mood={state === 'confirming' || state === 'loading' ? 'waiting' : 'still'} />;
}

const refundWords: Record<RefundProgress, (amount: string) => string> = {
  done: (amount) => `${amount} went back the way it came.`,
  'under-way': (amount) => `${amount} is on its way back, within 7 business days.`,
  failed: () => 'The refund did not go through yet. We try again and look into it.',
};

function wordsFor(followed: Followed, isSlow: boolean, retry: () => void): ReactNode {
  switch (followed.state) {
    case 'loading':
      return <ToCome />;
    case 'signed-out':
      return <SignIn />;
    case 'ordered':
      return <OrderPlaced order={followed} />;
    case 'confirming':
      return (
        <Words title="Confirming your payment" actions={<WhereNext />}>
          <p>
            The payment provider is confirming your payment of {formatPaise(followed.totalPaise)}. It usually takes
            seconds, at most two minutes.
          </p>
          <p>
            {isSlow
              ? 'It takes longer than usual. If money has left your account, it becomes an order or comes back to you, by itself.'
              : 'You may close this page: your order will be in your order history.'}
          </p>
        </Words>
      );
    case 'refunded':
      return (
        <Words title="Payment refunded" actions={<WhereNext />}>
          <p>{refundReason(followed.reason)}</p>
          <p>{refundWords[followed.progress](formatPaise(followed.amountPaise))}</p>
        </Words>
      );
    case 'lapsed':
      return (
        <Words title="We have not seen your payment yet" actions={<WhereNext />}>
          <p>
            If money has left your account, it becomes an order or comes back by itself, and you will find it in your
            order history.
          </p>
        </Words>
      );
    case 'unknown':
      return (
        <Words title="We do not find this order" actions={<WhereNext />}>
          <p>It may belong to another account, or the link is not complete. All your orders are in one place:</p>
        </Words>
      );
    case 'failed':
      return (
        <Words
          title="We cannot see your order just now"
          actions={
            <button type="button" className={buttons.main} onClick={retry}>
              Try again
            </button>
          }
        >
          <p>Nothing is lost. Check your connection, or look again later in your order history.</p>
        </Words>
      );
  }
}

function SignIn() {
  const { signIn } = useSession();
  async function login() {
    const result = await signIn();
    if (!result.ok) toast('error', result.message);
  }
  return (
    <Words
      title="Log in to see your order"
      actions={
        <button type="button" className={buttons.main} onClick={login}>
          Log in
        </button>
      }
    >
      <p>Only the person who ordered can see it. You come back here afterwards.</p>
    </Words>
  );
}

function ToCome() {
  return (
    <>
      <h1>Your order</h1>
      <span className={skeletons.skeleton} />
      <span className={skeletons.skeleton} />
    </>
  );
}
