import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { toast } from '#app/ui/toast.tsx';
import { CommentField } from './comment-field.tsx';
import styles from './edit-form.module.css';
import { cleanComment, commentLength, isBlank, maxCommentLength } from './review.ts';
import { tooLong } from './review-form.tsx';

export type EditFormProps = { text: string; onSave(content: string): Promise<boolean>; onDone(): void };

/** Changes the text of one's review; stars stay as they were given. */
export function EditForm({ text: before, onSave, onDone }: EditFormProps) {
  const [text, setText] = useState(before);
  const [saving, setSaving] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);

  // The button that opened this is gone, and so will this be: the keyboard goes on from what it stands in.
  useEffect(() => {
    const place = field.current?.closest<HTMLElement>('[tabindex="-1"]');
    field.current?.focus();
    return () => place?.focus({ preventScroll: true });
  }, []);

  async function save(event: FormEvent) {
    event.preventDefault();
    if (saving) return;
    const content = cleanComment(text);
    if (isBlank(content)) return toast('warning', 'Comment cannot be empty.');
    if (commentLength(content) > maxCommentLength) return toast('warning', tooLong);
    setSaving(true);
    const done = await onSave(content);
    setSaving(false);
    if (done) onDone();
  }

  return (
    <form onSubmit={save} aria-label="Edit your review" noValidate>
      <CommentField label="Your review" value={text} onChange={setText} field={field} />
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isBusy={saving}>
          {saving ? 'Saving…' : 'Save'}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}
