import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { type DeliveryMessage, deliveryMessage, unreachableSentence } from '#domain/delivery/delivery-messages.ts';
import { readPincode } from '#domain/delivery/pincode.ts';
import { DirectDay } from './direct-day.tsx';
import styles from './pincode-check.module.css';
import { type Parcel, type PincodeField, useDeliveryCheck } from './use-delivery-check.ts';

export type PincodeCheckProps = Parcel & {
  /** One sweet ships by zone and weight, a cart as the shop has set it. */
  bought: 'now' | 'from-cart';
  /** Products that cannot be sent to the pincode, and why; told whenever that changes. */
  onUnreachable?(products: Unreachable[]): void;
};

export type Unreachable = { productId: number; sentence: string };

/** As many lines as most answers have: the place that is kept for them is never empty. The days are those of the terms. */
const hints = [
  'Check delivery date and charge.',
  'We deliver within India, in 1 to 7 business days.',
  'If it can’t reach you fresh, we’ll tell you before you pay.',
];

/** Whether it can be sent to the visitor's pincode, for how much and by when. Asks for the pincode only if it is not known. */
export default function PincodeCheck({ bought, onUnreachable, ...parcel }: PincodeCheckProps) {
  const field = useDeliveryCheck(parcel);
  const [problem, setProblem] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const { typed, pincode, check } = field;
  const answer = check && deliveryMessage(check, pincode, bought, parcel.productIds.length);

  useEffect(() => {
    if (!onUnreachable) return;
    const spoiled = check?.ok ? check.spoiled : [];
    onUnreachable(spoiled.map((one) => ({ productId: one.product_id, sentence: unreachableSentence(one, pincode) })));
  }, [check, pincode, onUnreachable]);

  useEffect(() => onUnreachable && (() => onUnreachable([])), [onUnreachable]);

  // Under a finger the lower part of the screen belongs to the bar with the buttons: what was asked for is read above it.
  const said = useRef<HTMLDivElement>(null);
  const isAwaited = useRef(false);
  const isSaid = problem !== '' || field.hasFailed || (answer !== null && !field.isBusy);
  useEffect(() => {
    if (!isSaid || !isAwaited.current) return;
    isAwaited.current = false;
    said.current?.scrollIntoView({ block: 'nearest' });
  });

  const isChanging = useRef(false);
  useEffect(() => {
    if (typed === null || !isChanging.current) return;
    isChanging.current = false;
    input.current?.select();
  }, [typed]);
  function change() {
    isChanging.current = true;
    field.edit();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    isAwaited.current = true;
    const read = readPincode(typed ?? pincode);
    setProblem(read.ok ? '' : read.sentence);
    if (!read.ok) return input.current?.focus();
    if (field.hasFailed) field.retry();
  }

  return (
    <form className={styles.check} onSubmit={submit} noValidate>
      {typed === null ? (
        <p className={styles.known}>
          Deliver to <b>{pincode}</b>
          <Button variant="text" className={styles.remedy} onClick={change}>
            Change<span className="visually-hidden"> pincode</span>
          </Button>
        </p>
      ) : (
        <>
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
              onFocus={field.edit}
              onBlur={field.leave}
              onChange={(event) => {
                setProblem('');
                isAwaited.current = true;
                field.type(event.target.value);
              }}
            />
            <button type="submit">Check</button>
          </div>
        </>
      )}
      <div ref={said} id={`${id}-answer`} className={styles.answer} role="status" aria-busy={field.isBusy}>
        {problem ? <p className={styles.problem}>{problem}</p> : <Said field={field} answer={answer} />}
      </div>
      {bought === 'now' && (
        <div className={styles.day}>
          {check?.ok && check.spoiled.length === 0 && parcel.productIds[0] !== undefined && (
            <DirectDay productId={parcel.productIds[0]} pincode={pincode} earliest={check.arrivesOn} />
          )}
        </div>
      )}
    </form>
  );
}

function Said({ field, answer }: { field: PincodeField; answer: DeliveryMessage | null }) {
  if (field.hasFailed)
    return (
      <p className={styles.problem}>
        We couldn’t check delivery just now.{' '}
        <Button variant="text" className={styles.remedy} onClick={field.retry}>
          Try again
        </Button>
      </p>
    );
  if (!answer) return !field.isBusy && hints.map((hint) => <p key={hint}>{hint}</p>);
  return (
    <>
      <p className={styles.head} data-tone={answer.tone}>
        {answer.head}
      </p>
      {answer.lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {answer.instead.length > 0 && (
        <p className={styles.instead}>
          Send instead:{' '}
          {answer.instead.map(({ product_id, product }) => (
            <Link key={product_id} to={`/product/${product_id}`}>
              {product}
            </Link>
          ))}
        </p>
      )}
    </>
  );
}
