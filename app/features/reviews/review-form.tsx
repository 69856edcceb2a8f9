import { type FormEvent, useRef, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { toast } from '#app/ui/toast.tsx';
import { CommentField } from './comment-field.tsx';
import { RatingField } from './rating-field.tsx';
import { cleanComment, commentLength, isBlank, maxCommentLength } from './review.ts';
import styles from './review-form.module.css';

export const tooLong = 'Please keep it within 2,000 characters.';

export function ReviewForm({ onSubmit }: { onSubmit(rating: number, content: string): Promise<boolean> }) {
  const [rating, setRating] = useState(0);
  const [text, setText] = useState('');
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (sending) return;
    const content = cleanComment(text);
    if (isBlank(content) || rating === 0) return toast('warning', 'Please provide a rating and a comment.');
    if (commentLength(content) > maxCommentLength) {
      field.current?.focus();
      return toast('warning', tooLong);
    }
    setSending(true);
    const done = await onSubmit(rating, content);
    setSending(false);
    if (!done) return;
    setRating(0);
    setText('');
  }

  return (
    <form className={styles.form} onSubmit={submit} aria-label="Write a review" noValidate>
      <RatingField value={rating} onChange={setRating} />
      <CommentField label="Your review" value={text} onChange={setText} field={field} />
      <Button type="submit" variant="primary" isBusy={sending}>
        {sending ? 'Sending…' : 'Submit review'}
      </Button>
    </form>
  );
}
