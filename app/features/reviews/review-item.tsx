import { useId, useState } from 'react';
import { Avatar } from '#app/ui/avatar.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Stars } from '#app/ui/stars.tsx';
import { formatDay } from '#domain/time.ts';
import { EditForm } from './edit-form.tsx';
import { type Review, shownComment } from './review.ts';
import styles from './review-item.module.css';

export type ReviewItemProps = {
  review: Review;
  /** Only authors change their reviews; the database holds to that too. */
  own: boolean;
  onUpdate(review: Review, content: string): Promise<boolean>;
  onRemove(review: Review): Promise<boolean>;
};

export function ReviewItem({ review, own, onUpdate, onRemove }: ReviewItemProps) {
  const [editing, setEditing] = useState(false);
  return (
    <li className={styles.review} id={`review-${review.id}`} tabIndex={-1}>
      <Avatar name={review.author} url={review.avatarUrl} size={44} />
      <div className={styles.who}>
        <p className={styles.author}>
          <bdi>{review.author}</bdi>
        </p>
        <p className={styles.when}>
          <Stars rating={review.rating} />
          {review.createdAt && <time dateTime={review.createdAt.toISOString()}>{formatDay(review.createdAt)}</time>}
          {review.edited && <span>edited</span>}
          {review.isVerified && <span className={styles.verified}>Verified purchase</span>}
        </p>
      </div>
      <div className={styles.body}>
        {own && editing ? (
          <EditForm
            text={review.content}
            onSave={(content) => onUpdate(review, content)}
            onDone={() => setEditing(false)}
          />
        ) : (
          <>
            <p className={styles.text} dir="auto">
              {shownComment(review.content)}
            </p>
            {own && <OwnActions review={review} onEdit={() => setEditing(true)} onRemove={onRemove} />}
          </>
        )}
      </div>
    </li>
  );
}

function OwnActions({ review, onEdit, onRemove }: Pick<ReviewItemProps, 'review' | 'onRemove'> & { onEdit(): void }) {
  const [asking, setAsking] = useState(false);
  const [removing, setRemoving] = useState(false);
  const title = useId();

  async function remove() {
    if (removing) return;
    setRemoving(true);
    if (await onRemove(review)) return;
    setRemoving(false);
    setAsking(false);
  }

  return (
    <div className={styles.actions}>
      <Button variant="text" onClick={onEdit}>
        Edit
      </Button>
      <Button variant="text" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <Dialog open={asking} onClose={() => setAsking(false)} labelledBy={title} role="alertdialog">
        <div className={styles.question}>
          <h3 id={title}>Delete your review?</h3>
          <p>This can’t be undone.</p>
          <div>
            <Button onClick={() => setAsking(false)}>Keep it</Button>
            <Button variant="primary" onClick={remove} isBusy={removing}>
              Delete review
            </Button>
          </div>
        </div>
      </Dialog>
    </div>
  );
}
