import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Stars } from '#app/ui/stars.tsx';
import { EditForm } from './edit-form.tsx';
import styles from './own-review.module.css';
import type { NewReview, OwnReview } from './review.ts';

export type OwnReviewPanelProps = {
  review: OwnReview;
  /** Typed as a second review: it opens the first one for editing. */
  draft: NewReview | null;
  onUpdate(review: OwnReview, content: string): Promise<boolean>;
};

/** In place of the form, for a customer whose one review of this product is written. */
export function OwnReviewPanel({ review, draft, onUpdate }: OwnReviewPanelProps) {
  const [editing, setEditing] = useState(draft !== null);
  return (
    <div className={styles.panel} tabIndex={-1}>
      <p>
        You’ve reviewed this product.
        <Stars rating={review.rating} label={`You gave it ${review.rating} out of 5 stars`} />
      </p>
      {editing && draft && draft.rating !== review.rating && <p>{starsStay(review.rating)}</p>}
      {editing ? (
        <EditForm
          text={draft?.content ?? review.content}
          onSave={(content) => onUpdate(review, content)}
          onDone={() => setEditing(false)}
        />
      ) : (
        <Button onClick={() => setEditing(true)}>Edit your review</Button>
      )}
    </div>
  );
}

const starsStay = (rating: number) =>
  `Your ${rating === 1 ? '1 star stays' : `${rating} stars stay`}. You can change the text.`;
