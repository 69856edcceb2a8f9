import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Avatar } from '#app/ui/avatar.tsx';
import buttons from '#app/ui/button.module.css';
import { Dialog } from '#app/ui/dialog.tsx';
import { Stars } from '#app/ui/stars.tsx';
import { toast } from '#app/ui/toast.tsx';
import { formatDay } from '#domain/time.ts';
import { CommentField } from './comment-field.tsx';
import { cleanComment, commentLength, isBlank, maxCommentLength, type Review, shownComment } from './review.ts';
import { tooLong } from './review-form.tsx';
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
        </p>
      </div>
      <div className={styles.body}>
        {own && editing ? (
          <EditForm review={review} onUpdate={onUpdate} onDone={() => setEditing(false)} />
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
      <button type="button" onClick={onEdit}>
        Edit
      </button>
      <button type="button" onClick={() => setAsking(true)}>
        Delete
      </button>
      <Dialog open={asking} onClose={() => setAsking(false)} labelledBy={title} role="alertdialog">
        <div className={styles.question}>
          <h3 id={title}>Delete your review?</h3>
          <p>Your words and your stars will be gone for good.</p>
          <div>
            <button type="button" className={buttons.quiet} onClick={() => setAsking(false)}>
              Keep it
            </button>
            <button type="button" className={buttons.main} onClick={remove} aria-disabled={removing}>
              Delete review
            </button>
          </div>
        </div>
      </Dialog>
    </div>
  );
}

function EditForm({ review, onUpdate, onDone }: Pick<ReviewItemProps, 'review' | 'onUpdate'> & { onDone(): void }) {
  const [text, setText] = useState(review.content);
  const [saving, setSaving] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);

  // The button that opened this is gone, and so will this be: the keyboard goes on from the review itself.
  useEffect(() => {
    const item = field.current?.closest('li');
    field.current?.focus();
    return () => item?.focus({ preventScroll: true });
  }, []);

  async function save(event: FormEvent) {
    event.preventDefault();
    if (saving) return;
    const content = cleanComment(text);
    if (isBlank(content)) return toast('warning', 'Comment cannot be empty.');
    if (commentLength(content) > maxCommentLength) return toast('warning', tooLong);
    setSaving(true);
    const done = await onUpdate(review, content);
    setSaving(false);
    if (done) onDone();
  }

  return (
    <form onSubmit={save} aria-label="Edit your review" noValidate>
      <CommentField label="Your review" value={text} onChange={setText} field={field} />
      <div className={styles.save}>
        <button type="submit" className={buttons.main} aria-disabled={saving}>
          {saving ? 'Saving…' : 'Save'}
        </button>
        <button type="button" className={buttons.quiet} onClick={onDone}>
          Cancel
        </button>
      </div>
    </form>
  );
}
