import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { Loading, Panel } from '#app/ui/panel.tsx';
import { listReviews } from '#contracts/console/customers.ts';
import { useShopQuery } from '../data/shop-query.ts';

import styles from './customer-page.module.css';
import { ReviewList } from './review-list.tsx';

/** Pages through more than fifty reviews in its own state: the address holds the page of orders. */
export function ReviewsPanel({ customerId, onChanged }: { customerId: string; onChanged(): void }) {
  const [after, setAfter] = useState<string | null>(null);
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(listReviews, {
    customer_id: customerId,
    after,
  });
  function changed() {
    refetch();
    onChanged();
  }
  return (
    <Panel title="Reviews">
      {isPending && <Loading rows={2} />}
      {isLoadingError && <FailedState retry={refetch} />}
      {data !== undefined &&
        (data.rows.length === 0 ? (
          <p className={styles.none}>No reviews yet.</p>
        ) : (
          <ReviewList reviews={data.rows} isOfOne isStale={isPlaceholderData} onChanged={changed} />
        ))}
      {data !== undefined && data.next !== null && (
        <Button size="small" onClick={() => setAfter(data.next)}>
          Older reviews
        </Button>
      )}
      {after !== null && (
        <Button size="small" onClick={() => setAfter(null)}>
          Newest reviews
        </Button>
      )}
    </Panel>
  );
}
