import { useId, useRef, useState } from 'react';
import type { ProductRow } from '#contracts/console/products.ts';
import { formatPaise, paise } from '#domain/money.ts';
import { priceProblem } from '#domain/products/price-change.ts';
import { rupees } from '../form/inputs.ts';
import styles from './inline-price.module.css';
import { unitOf } from './product-data.ts';

const Price = rupees({ min: 1, max: 100_000 });

export type InlinePriceProps = {
  row: ProductRow;
  /** What was wrong, or null. */
  save(pricePaise: number): Promise<string | null>;
};

/** A price that becomes a field when it is pressed. Enter keeps what was typed, Escape does not. */
export function InlinePrice({ row, save }: InlinePriceProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();

  function close() {
    setTyped(null);
    setProblem(null);
    // Back to where the keyboard was, once the button is there again.
    requestAnimationFrame(() => opener.current?.focus());
  }

  async function keep() {
    if (typed === null || isSaving) return;
    const parsed = Price.safeParse(typed);
    if (!parsed.success) return setProblem(parsed.error.issues[0]?.message ?? 'Enter an amount, such as 1,299.50.');
    if (parsed.data === row.price_paise) return close();
    const wrong = priceProblem(parsed.data, row.regular_price_paise);
    if (wrong) return setProblem(wrong);
    setSaving(true);
    const refusal = await save(parsed.data);
    setSaving(false);
    if (refusal) setProblem(refusal);
    else close();
  }

  if (typed === null)
    return (
      <button
        ref={opener}
        type="button"
        className={styles.price}
        onClick={() => setTyped(String(row.price_paise / 100))}
      >
        <span className="visually-hidden">Edit price of {row.name}, </span>
        {formatPaise(paise(row.price_paise))} <small>per {unitOf(row)}</small>
      </button>
    );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void keep();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget) && !problem) void keep();
      }}
    >
      <span aria-hidden="true">₹</span>
      <input
        // biome-ignore lint/a11y/noAutofocus: whoever pressed the price wants to type
        autoFocus
        inputMode="decimal"
        autoComplete="off"
        aria-label={`Price of ${row.name} in rupees`}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? id : undefined}
        value={typed}
        readOnly={isSaving}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setTyped(event.target.value);
          setProblem(null);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          close();
        }}
      />
      {problem && (
        <p id={id} role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
