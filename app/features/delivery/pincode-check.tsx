import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { deliveryAnswer } from '#domain/delivery/delivery-words.ts';
import { readPincode } from '#domain/delivery/pincode.ts';
import styles from './pincode-check.module.css';
import { type Parcel, useDeliveryCheck } from './use-delivery-check.ts';

export type PincodeCheckProps = Parcel & {
  /** One sweet ships by zone and weight, a cart as the shop has set it. */
  bought: 'now' | 'from-cart';
};

/** As many lines as most answers have: the place that is kept for them is never empty. The days are those of the terms. */
const hints = [
  'See by when it arrives, and for how much.',
  'We deliver within India, in 1 to 7 business days.',
  'Too far for fresh sweets? We say so before you pay.',
];

/** Whether it can be sent to a pincode, for how much and by when; asked before anybody signs in. */
export default function PincodeCheck({ bought, ...parcel }: PincodeCheckProps) {
  const field = useDeliveryCheck(parcel);
  const [problem, setProblem] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const { typed, pincode, check } = field;
  const answer = check && deliveryAnswer(check, pincode, bought, parcel.productIds.length);

  // Under a finger the lower part of the screen belongs to the bar with the buttons: what was asked for is read above it.
  const said = useRef<HTMLDivElement>(null);
  const isAwaited = useRef(false);
  const isSaid = problem !== '' || field.hasFailed || (answer !== null && !field.isBusy);
  useEffect(() => {
    if (!isSaid || !isAwaited.current) return;
    isAwaited.current = false;
    said.current?.scrollIntoView({ block: 'nearest' });
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    isAwaited.current = true;
    const read = readPincode(typed);
    setProblem(read.ok ? '' : read.sentence);
    if (!read.ok) return input.current?.focus();
    if (field.hasFailed) field.askAgain();
  }

  return (
    <form className={styles.check} onSubmit={submit} noValidate>
      <label htmlFor={id}>Deliver to pincode</label>
      <div className={styles.ask}>
        <input
          ref={input}
          id={id}
          name="pincode"
          inputMode="numeric"
          autoComplete="postal-code"
          enterKeyHint="go"
          placeholder="400028"
          value={typed}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-answer`}
          onFocus={field.touch}
          onChange={(event) => {
            setProblem('');
            isAwaited.current = true;
            field.type(event.target.value);
          }}
        />
        <button type="submit">Check</button>
      </div>
      <div ref={said} id={`${id}-answer`} className={styles.answer} role="status" aria-busy={field.isBusy}>
        {problem ? (
          <p className={styles.problem}>{problem}</p>
        ) : field.hasFailed ? (
          <p className={styles.problem}>
            We could not look it up just now.{' '}
            <button type="button" className={styles.remedy} onClick={field.askAgain}>
              Try again
            </button>
          </p>
        ) : answer ? (
          <>
            <p className={styles.head} data-tone={answer.tone}>
              {answer.head}
            </p>
            {answer.lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </>
        ) : (
          !field.isBusy && hints.map((hint) => <p key={hint}>{hint}</p>)
        )}
      </div>
    </form>
  );
}
