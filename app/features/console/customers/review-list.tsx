import { useState } from 'react';
import { href, Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { Stars } from '#app/ui/stars.tsx';
import { toast } from '#app/ui/toast.tsx';
import { hideReview, type Review } from '#contracts/console/customers.ts';
import { useRequests } from '../data/requests.ts';

import styles from './review-list.module.css';
import { daySaid } from './words.ts';

export type ReviewListProps = {
  reviews: readonly Review[];
  /** Hides the author on a customer's own page. */
  isOfOne?: boolean;
  isStale?: boolean;
  onChanged(): void;
};

export function ReviewList({ reviews, isOfOne = false, isStale = false, onChanged }: ReviewListProps) {
  return (
    <ul className={styles.reviews} aria-busy={isStale || undefined}>
      {reviews.map((review) => (
        <li key={review.id} data-hidden={review.hidden_at !== null || undefined}>
          <ReviewEntry review={review} isOfOne={isOfOne} onChanged={onChanged} />
        </li>
      ))}
    </ul>
  );
}

type ReviewEntryProps = { review: Review; isOfOne: boolean; onChanged(): void };

function ReviewEntry({ review, isOfOne, onChanged }: ReviewEntryProps) {
  const { act } = useRequests();
  const [isBusy, setBusy] = useState(false);
  const isHidden = review.hidden_at !== null;
  const whose = `${review.customer ?? 'A customer'} on ${review.product}`;

  async function toggle() {
    if (isBusy) return;
    setBusy(true);
    const done = await act(hideReview, { review_id: review.id, hidden: !isHidden, seen: review.seen });
    setBusy(false);
    if (!done.ok) toast('error', done.message);
    onChanged();
  }

  return (
    <article className={styles.review} aria-label={`Review: ${whose}`}>
      <p className={styles.head}>
        <Stars rating={review.rating} />
        {isHidden && <Badge tone="warn">Hidden since {daySaid(review.hidden_at ?? '')}</Badge>}
      </p>
      <p className={styles.text}>{review.content}</p>
      <p className={styles.facts}>
        {!isOfOne && (
          <Link to={href('/admin/customers/:id', { id: review.customer_id })}>{review.customer ?? 'A customer'}</Link>
        )}
        {isOfOne ? 'On ' : ' on '}
        <Link to={href('/admin/products/:id', { id: String(review.product_id) })}>{review.product}</Link>,{' '}
        {daySaid(review.created_at)}
        {review.updated_at && `, edited ${daySaid(review.updated_at)}`}
      </p>
      <Button
        size="small"
        isBusy={isBusy}
        aria-label={`${isHidden ? 'Show again' : 'Hide'}: ${whose}`}
        onClick={toggle}
      >
        {isHidden ? 'Show again' : 'Hide'}
      </Button>
    </article>
  );
}
