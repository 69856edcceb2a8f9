import { useId, useRef, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { Button } from '#app/ui/button.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { formatRating, Stars } from '#app/ui/stars.tsx';
import { toast } from '#app/ui/toast.tsx';
import { OwnReviewPanel } from './own-review.tsx';
import type { NewReview, Review, ReviewSummary } from './review.ts';
import { ReviewForm } from './review-form.tsx';
import { ReviewItem } from './review-item.tsx';
import styles from './reviews.module.css';
import { type OnChange, useReviews } from './use-reviews.ts';

export type ReviewsProps = {
  productId: number;
  productName: string;
  /** The id of the part of the page it stands in: signing in comes back to it. */
  part: string;
  /** What the page already knows: shown until the newest is read, and the place for the list is kept by it. */
  initial?: ReviewSummary;
  /** Called with each new average and count. */
  onChange?: OnChange;
};

export function Reviews({ productId, productName, part, initial, onChange }: ReviewsProps) {
  const { list, own, summary, failed, load, showMore, submit, update, remove } = useReviews(
    productId,
    initial,
    onChange,
  );
  const { state, who } = useSession();
  const [loadingMore, setLoadingMore] = useState(false);
  const [draft, setDraft] = useState<NewReview | null>(null);
  const title = useId();
  const heading = useRef<HTMLHeadingElement>(null);

  async function more() {
    if (loadingMore) return;
    setLoadingMore(true);
    const first = await showMore();
    setLoadingMore(false);
    if (first) document.getElementById(`review-${first.id}`)?.focus({ preventScroll: true });
  }

  async function send(rating: number, content: string): Promise<boolean> {
    const outcome = await submit(rating, content);
    setDraft(outcome === 'already-reviewed' ? { rating, content } : null);
    // The form is gone: the keyboard goes on from the heading.
    if (outcome === 'done') heading.current?.focus({ preventScroll: true });
    return outcome === 'done';
  }

  async function removeAndGoOn(review: Review): Promise<boolean> {
    const done = await remove(review);
    if (done) setDraft(null);
    if (done) heading.current?.focus({ preventScroll: true });
    return done;
  }

  return (
    <section className={styles.reviews} aria-labelledby={title}>
      <div className={styles.side}>
        <h2 id={title} ref={heading} tabIndex={-1}>
          Reviews<span className="visually-hidden"> of {productName}</span>
        </h2>
        <Summary summary={summary} />
        {state === 'signed-in' && own === null && <ReviewForm onSubmit={send} />}
        {state === 'signed-in' && own !== null && own !== 'loading' && (
          <OwnReviewPanel key={draft === null ? own.id : 'draft'} review={own} draft={draft} onUpdate={update} />
        )}
        {(state === 'checking' || (state === 'signed-in' && own === 'loading')) && (
          <Skeleton className={styles.formToCome} />
        )}
        {(state === 'visitor' || state === 'unreachable') && <LoginPrompt part={part} />}
      </div>
      <div className={styles.main}>
        {failed && <FailedState title="We couldn’t load reviews right now." retry={load} />}
        {!list && !failed && <ListToCome rows={Math.min(summary?.count ?? 3, 5)} />}
        {list?.reviews.length === 0 && <p className={styles.none}>Be the first to review it.</p>}
        {list && list.reviews.length > 0 && (
          <ul className={styles.list}>
            {list.reviews.map((review) => (
              <ReviewItem
                key={review.id}
                review={review}
                own={who?.id === review.userId}
                onUpdate={update}
                onRemove={removeAndGoOn}
              />
            ))}
          </ul>
        )}
        {list?.more && (
          <Button onClick={more} isBusy={loadingMore}>
            Show more reviews
          </Button>
        )}
      </div>
    </section>
  );
}

function Summary({ summary }: { summary: ReviewSummary | null }) {
  if (!summary) return <Skeleton className={styles.summary} />;
  if (summary.average === null) return <p className={styles.summary}>No reviews yet</p>;
  return (
    <p className={styles.summary}>
      <span className={styles.average}>{formatRating(summary.average)}</span>
      <Stars rating={summary.average} />
      <span>{summary.count === 1 ? '1 review' : `${summary.count} reviews`}</span>
    </p>
  );
}

function LoginPrompt({ part }: { part: string }) {
  const { signIn } = useSession();
  async function login() {
    const result = await signIn(part);
    if (!result.ok) toast('error', result.message);
  }
  return (
    <div className={styles.prompt}>
      <p>Please log in to write a review.</p>
      <Button onClick={login}>Log in to review</Button>
    </div>
  );
}

function ListToCome({ rows }: { rows: number }) {
  return (
    <ul className={styles.list} aria-busy="true" aria-label="Loading reviews">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places without anything in them
        <li key={row} className={styles.toCome}>
          <Skeleton />
        </li>
      ))}
    </ul>
  );
}
