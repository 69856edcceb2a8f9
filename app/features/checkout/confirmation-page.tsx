import { type ReactNode, useEffect } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { Confirmation } from '#app/parts/confirmation/confirmation.tsx';
import { WhereNext, Words } from '#app/parts/confirmation/words.tsx';
import { Button } from '#app/ui/button.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { toast } from '#app/ui/toast.tsx';
import type { RefundProgress } from '#domain/checkout/checkout-state.ts';
import { formatPaise } from '#domain/money.ts';
import { refundReason } from '#domain/orders/refund-reason.ts';
import { OrderPlaced } from './order-placed.tsx';
import { finishPayment, forgetPayment, type TakeBought } from './payment-notes.ts';
import { type Followed, useCheckoutState } from './use-checkout-state.ts';

export type ConfirmationPageProps = {
  providerOrderId: string;
  /** Where pick-up orders are collected; empty: the shop has not said. */
  counterAddress: string;
  takeBought: TakeBought;
};

/** What became of a payment: the moment of joy, or the plain truth. */
export function ConfirmationPage({ providerOrderId, counterAddress, takeBought }: ConfirmationPageProps) {
  const { followed, isSlow, retry } = useCheckoutState(providerOrderId);
  const { state } = followed;

  useEffect(() => {
    if (state === 'ordered') finishPayment(providerOrderId, takeBought);
    if (state === 'refunded') forgetPayment(providerOrderId);
  }, [state, providerOrderId, takeBought]);

  return (
    <Confirmation standing={isStanding(state) ? state : 'other'}>
      {wordsFor(followed, isSlow, retry, counterAddress)}
    </Confirmation>
  );
}

const isStanding = (state: Followed['state']): state is 'ordered' | 'confirming' | 'loading' =>
  state === 'ordered' || state === 'confirming' || state === 'loading';

const refundWords: Record<RefundProgress, (amount: string) => string> = {
  done: (amount) => `We’ve refunded ${amount} to your original payment method.`,
  'under-way': (amount) => `We’re refunding ${amount}. It takes up to 7 business days.`,
  failed: () => 'Your refund is delayed. We’re looking into it; you don’t need to do anything.',
};

function wordsFor(followed: Followed, isSlow: boolean, retry: () => void, counterAddress: string): ReactNode {
  switch (followed.state) {
    case 'loading':
      return <ToCome />;
    case 'signed-out':
      return <SignIn />;
    case 'ordered':
      return <OrderPlaced order={followed} counterAddress={counterAddress} />;
    case 'confirming':
      return (
        <Words title="Confirming your payment" actions={<WhereNext />}>
          <p>
            The payment provider is confirming your payment of {formatPaise(followed.totalPaise)}. It usually takes a
            few seconds, and two minutes at most.
          </p>
          <p>
            {isSlow
              ? 'This is taking longer than usual. Don’t pay again: if money was taken, it becomes an order or is refunded automatically.'
              : 'You can close this page. Your order will appear in your order history.'}
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
        <Words title="We haven’t received your payment yet" actions={<WhereNext />}>
          <p>
            If money was taken, it becomes an order or is refunded automatically. Please check your order history before
            you pay again.
          </p>
        </Words>
      );
    case 'unknown':
      return (
        <Words title="We can’t find this order" actions={<WhereNext />}>
          <p>It may belong to another account, or the link is incomplete. Your orders are in your order history.</p>
        </Words>
      );
    case 'failed':
      return (
        <Words
          title="We couldn’t load your order right now"
          actions={
            <Button variant="primary" onClick={retry}>
              Try again
            </Button>
          }
        >
          <p>Your order is safe. Check your connection and try again, or look in your order history later.</p>
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
        <Button variant="primary" onClick={login}>
          Log in
        </Button>
      }
    >
      <p>Only the person who ordered can see it. We’ll bring you right back.</p>
    </Words>
  );
}

function ToCome() {
  return (
    <>
      <h1>Your order</h1>
      <Skeleton />
      <Skeleton />
    </>
  );
}
