import { type Ref, useId } from 'react';
import styles from './comment-field.module.css';
import { commentLength, maxCommentLength } from './review.ts';

const count = new Intl.NumberFormat('en-IN');
const nearTheEnd = 200;

export type CommentFieldProps = {
  label: string;
  value: string;
  onChange(value: string): void;
  field?: Ref<HTMLTextAreaElement>;
};

/** Takes whatever is pasted into it, so that nobody loses words; says when they are too many. */
export function CommentField({ label, value, onChange, field }: CommentFieldProps) {
  const id = useId();
  const left = maxCommentLength - commentLength(value);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        ref={field}
        rows={4}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-describedby={`${id}-left`}
        aria-invalid={left < 0 || undefined}
      />
      <p id={`${id}-left`} className={styles.left} data-over={left < 0 || undefined}>
        {left < 0
          ? `${count.format(-left)} characters too many`
          : left <= nearTheEnd && `${count.format(left)} of ${count.format(maxCommentLength)} characters left`}
      </p>
    </div>
  );
}
