import { useEffect, useId, useRef, useState } from 'react';
import type { ShopClient } from '#app/backend/client.ts';
import { LinesAgain } from '#app/parts/lines-again/lines-again.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { goodsChanges, type LineAgain } from '#domain/gifts/send-again.ts';
import { readSavedCart, restoreLines, type SavedCart } from './restore-cart.ts';
import styles from './restore-dialog.module.css';

type State = SavedCart | { state: 'loading' } | { state: 'failed' } | { state: 'blocked' };

type RestoreDialogProps = { token: string; client(): Promise<ShopClient>; onClose(): void };

const words: Record<Exclude<State['state'], 'loading' | 'saved'>, { title: string; text: string }> = {
  ordered: {
    title: 'You’ve ordered since',
    text: 'You placed an order after this cart was saved, so we didn’t add its items again. Your orders are in your order history.',
  },
  missing: {
    title: 'This link doesn’t work any more',
    text: 'Links to a saved cart work for two weeks. What is in your cart on this device stays as it is.',
  },
  failed: {
    title: 'We couldn’t load your saved cart',
    text: 'Check your connection and open the link in the email again.',
  },
  blocked: {
    title: 'We couldn’t save your cart here',
    text: 'Your cart is full, or your browser is blocking cookies. Remove something or allow cookies, then open the link again.',
  },
};

/** What the link in a reminder put back, and what is different today. */
export default function RestoreDialog({ token, client, onClose }: RestoreDialogProps) {
  const title = useId();
  const [state, setState] = useState<State>({ state: 'loading' });
  const isStarted = useRef(false);

  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    client()
      .then((shop) => readSavedCart(shop, token))
      .then((saved) => setState(saved.state === 'saved' && !restoreLines(saved.lines) ? { state: 'blocked' } : saved))
      .catch(() => setState({ state: 'failed' }));
  }, [client, token]);

  const said = state.state === 'loading' || state.state === 'saved' ? null : words[state.state];
  return (
    <Dialog open onClose={onClose} labelledBy={title}>
      <div className={styles.body}>
        <h2 id={title}>
          {said?.title ?? (state.state === 'saved' ? titleFor(state.lines) : 'Opening your saved cart…')}
        </h2>
        {state.state === 'loading' && <Skeleton className={styles.toCome} aria-busy="true" />}
        {state.state === 'saved' && (
          <LinesAgain
            lines={state.lines}
            changes={goodsChanges(state.lines)}
            unchanged="Prices and stock are as they were. Your items are in the checkout."
          />
        )}
        {said && <p role="alert">{said.text}</p>}
        <div className={styles.actions}>
          <Button variant="primary" onClick={onClose}>
            {state.state === 'saved' ? 'Go to your cart' : 'Close'}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

const titleFor = (lines: readonly LineAgain[]) =>
  lines.some(({ state }) => state === 'available')
    ? 'Your items are back in the checkout'
    : 'These items can’t be bought right now';
