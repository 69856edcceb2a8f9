import { type Ref, useId } from 'react';
import { formatCount } from '#domain/money.ts';
import styles from './comment-field.module.css';
import { commentLength, maxCommentLength } from './review.ts';

const nearTheEnd = 200;
// Long enough to show what is too much, short enough that a pasted book does not freeze the page.
const mostKept = 5000;

export type CommentFieldProps = {
  label: string;
  value: string;
  onChange(value: string): void;
  field?: Ref<HTMLTextAreaElement>;
};

/** Accepts more than may be sent, so that pasted text is not cut off silently; says when it is too long. */
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
        maxLength={mostKept}
        onChange={(event) => onChange(event.target.value.slice(0, mostKept))}
        aria-describedby={`${id}-left`}
        aria-invalid={left < 0 || undefined}
      />
      <p id={`${id}-left`} className={styles.left} data-over={left < 0 || undefined}>
        {left < 0
          ? `${formatCount(-left)} characters too many`
          : left <= nearTheEnd && `${formatCount(left)} of ${formatCount(maxCommentLength)} characters left`}
      </p>
    </div>
  );
}
