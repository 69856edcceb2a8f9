import { useCallback, useState } from 'react';
import { href } from 'react-router';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { Loading, Panel } from '#app/ui/panel.tsx';
import { applyCount, type Booked, readCountSheet } from '#contracts/console/stock.ts';
import { useRequests } from '../data/requests.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import styles from './count.module.css';
import { CountReview } from './count-review.tsx';
import { CountSheet } from './count-sheet.tsx';
import { CountStart } from './count-start.tsx';
import { afterBooking, type Count, linesToBook, startCount } from './count-state.ts';

import { useKeptCount } from './use-kept-count.ts';

/** Counting the shelf: choose, count, look at what differs, book it. */
export function CountPage() {
  const [count, change] = useKeptCount();
  const [booked, setBooked] = useState<Booked | null>(null);
  return (
    <ConsolePage title="Stock count" back={{ to: href('/admin/inventory'), label: 'Inventory' }}>
      {booked && <BookedNote booked={booked} isOver={count === null} />}
      {count ? (
        <GoingOn count={count} change={change} onBooked={setBooked} />
      ) : (
        <CountStart
          onStart={(choice) => {
            setBooked(null);
            change(() => startCount(choice, crypto.randomUUID(), new Date()));
          }}
        />
      )}
    </ConsolePage>
  );
}

type GoingOnProps = {
  count: Count;
  change(next: (count: Count | null) => Count | null): void;
  onBooked(booked: Booked | null): void;
};

function GoingOn({ count, change, onBooked }: GoingOnProps) {
  const { act } = useRequests();
  const { data, isPending, isLoadingError, refetch } = useShopQuery(readCountSheet, { category: count.category });
  const [isReviewing, setReviewing] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const changeCount = useCallback(
    (next: (count: Count) => Count) => change((current) => current && next(current)),
    [change],
  );

  if (isPending) return <Loading rows={8} />;
  if (isLoadingError) return <FailedState retry={refetch} />;
  const { rows } = data;

  async function book() {
    setProblem(null);
    const lines = linesToBook(count, rows);
    const answer = await act(applyCount, { count_id: count.id, lines, note: 'stock count' });
    if (!answer.ok) return setProblem(answer.message);
    onBooked(answer.value);
    setReviewing(false);
    change((current) => current && afterBooking(current, answer.value, crypto.randomUUID()));
    refetch();
  }

  if (rows.length === 0)
    return (
      <EmptyState
        title="No products to count here."
        action={
          <Button size="small" onClick={() => change(() => null)}>
            Choose another category
          </Button>
        }
      />
    );
  return (
    <>
      {isReviewing ? (
        <CountReview count={count} rows={rows} problem={problem} onBook={book} onBack={() => setReviewing(false)} />
      ) : (
        <CountSheet
          count={count}
          rows={rows}
          change={changeCount}
          onReview={() => {
            onBooked(null);
            setReviewing(true);
          }}
          onLeave={() => setLeaving(true)}
        />
      )}
      <ConfirmDialog
        open={isLeaving}
        title="Discard this count?"
        text="Everything counted so far will be lost. No stock has been changed."
        confirmLabel="Discard count"
        tone="danger"
        onConfirm={() => change(() => null)}
        onClose={() => setLeaving(false)}
      />
    </>
  );
}

function BookedNote({ booked, isOver }: { booked: Booked; isOver: boolean }) {
  const { counted, corrected, refused } = booked;
  return (
    <Panel>
      <div role="status" className={styles.booked}>
        <p>
          <b>Count saved for {counted === 1 ? '1 product' : `${counted.toLocaleString('en-IN')} products`}</b>,{' '}
          {corrected === 0 ? 'all match the system stock' : `${corrected.toLocaleString('en-IN')} corrected`}.
        </p>
        {refused.length > 0 && (
          <>
            <p>Count these again:</p>
            <ul>
              {refused.map(({ product_id, name, message }) => (
                <li key={product_id}>
                  <b>{name}</b>: {message}
                </li>
              ))}
            </ul>
          </>
        )}
        {isOver && (
          <ButtonLink size="small" to={`${href('/admin/inventory')}?show=movements&reason=count`}>
            View corrections
          </ButtonLink>
        )}
      </div>
    </Panel>
  );
}
