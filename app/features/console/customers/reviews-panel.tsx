import { useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { Failed, Loading, Panel } from '#app/ui/panel.tsx';
import { listReviews } from '#contracts/console/customers.ts';
import { useAnswer } from '../data/requests.ts';

import styles from './customer-page.module.css';
import { ReviewList } from './review-list.tsx';

/** Somebody who wrote more than fifty reviews turns the page here; the address belongs to their orders. */
export function ReviewsPanel({ customerId, onChanged }: { customerId: string; onChanged(): void }) {
  const [after, setAfter] = useState<string | null>(null);
  const { loaded, reload, isStale } = useAnswer(listReviews, { customer_id: customerId, after });
  function changed() {
    reload();
    onChanged();
  }
  return (
    <Panel title="Reviews">
      {loaded.state === 'loading' && <Loading rows={2} />}
      {loaded.state === 'failed' && <Failed retry={reload} />}
      {loaded.state === 'ready' &&
        (loaded.value.rows.length === 0 ? (
          <p className={styles.none}>No reviews yet.</p>
        ) : (
          <ReviewList reviews={loaded.value.rows} isOfOne isStale={isStale} onChanged={changed} />
        ))}
      {loaded.state === 'ready' && loaded.value.next !== null && (
        <button type="button" className={buttons.small} onClick={() => setAfter(loaded.value.next)}>
          Older reviews
        </button>
      )}
      {after !== null && (
        <button type="button" className={buttons.small} onClick={() => setAfter(null)}>
          Newest reviews
        </button>
      )}
    </Panel>
  );
}
