import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { FieldNotes } from '#app/ui/field.tsx';
import { Input } from '#app/ui/input.tsx';
import { codePattern, tidyCode } from '#domain/offers/offer.ts';
import styles from './offer-code.module.css';
import { setOfferCode, useOfferCode } from './offer-code-store.ts';

export type OfferCodeProps = {
  /** What the server says about it: applied with the amounts shown, or why not; null: not known yet. */
  answer: { state: 'applied' } | { state: 'refused'; sentence: string } | null;
  /** Amounts are on their way. */
  isBusy: boolean;
  /** There are no amounts yet: it is checked when something is bought. */
  isForLater?: boolean;
};

/** The field for an offer code, folded until it is wanted. It takes as much room open as closed, so that nothing below it moves. */
export function OfferCode({ answer, isBusy, isForLater = false }: OfferCodeProps) {
  const code = useOfferCode();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const refusal = code !== null && answer?.state === 'refused' ? answer.sentence : null;
  const error = problem ?? refusal;
  const isField = isOpen || refusal !== null;

  // A code that was refused can be corrected.
  useEffect(() => {
    if (refusal !== null && code !== null) setTyped(code);
  }, [refusal, code]);

  function apply(event: FormEvent) {
    event.preventDefault();
    const wanted = tidyCode(typed);
    if (!codePattern.test(wanted)) {
      setProblem(wanted === '' ? 'Enter a code.' : 'A code has 3 to 20 letters and digits.');
      field.current?.focus();
      return;
    }
    setProblem(null);
    setOfferCode(wanted);
    setOpen(false);
  }

  function remove() {
    setOfferCode(null);
    setOpen(false);
    setProblem(null);
    setTyped('');
    queueMicrotask(() => opener.current?.focus());
  }

  if (code !== null && !isField)
    return (
      <div
        className={styles.code}
        data-later={isForLater || undefined}
        data-applied={answer?.state === 'applied' || undefined}
      >
        <p className={styles.applied} role="status">
          <span>
            {isForLater || (answer !== null && !isBusy) ? 'Code ' : 'Checking '}
            <b>{code}</b>
            {isForLater && ' goes with Buy Now'}
            {answer?.state === 'applied' && !isBusy && ' applied'}
          </span>
          <Button variant="text" onClick={remove} aria-label={`Remove ${code}`}>
            Remove
          </Button>
        </p>
      </div>
    );
  return (
    <div className={styles.code} data-later={isForLater || undefined}>
      {isField ? (
        <form className={styles.form} onSubmit={apply} noValidate>
          <label htmlFor={id}>Code</label>
          <Input
            ref={field}
            id={id}
            value={typed}
            maxLength={30}
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus={isOpen}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            onChange={(event) => {
              setTyped(event.target.value);
              setProblem(null);
            }}
            onKeyDown={(event) => event.key === 'Escape' && remove()}
          />
          <Button type="submit" isBusy={isBusy && code !== null}>
            Apply
          </Button>
          <Button variant="text" onClick={remove}>
            {code === null ? 'Cancel' : 'Remove'}
          </Button>
          <div role="status" className={styles.error}>
            <FieldNotes id={id} error={error ?? undefined} />
          </div>
        </form>
      ) : (
        <Button ref={opener} variant="text" aria-expanded={false} onClick={() => setOpen(true)}>
          Have a code?
        </Button>
      )}
    </div>
  );
}
