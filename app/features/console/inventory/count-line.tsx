import { memo, useEffect, useId, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import type { SheetRow } from '#contracts/console/stock.ts';
import { formatStock, stockFrom, stockUnitName } from '#domain/stock/quantity.ts';
import { formatDay, instantFrom } from '#domain/time.ts';
import styles from './count.module.css';
import type { CountedLine } from './count-state.ts';
import { unitOf } from './stock-data.ts';

export type CountLineProps = {
  row: SheetRow;
  line: CountedLine | undefined;
  isBlind: boolean;
  withSold: boolean;
  heading: string | null;
  onWrite(productId: number, text: string): void;
  onNext(input: HTMLInputElement): void;
};

/** One product: its number is written down when one leaves the field, or with Enter, which goes on to the next. */
export const CountLine = memo(function CountLine(props: CountLineProps) {
  const { row, line, isBlind, withSold, heading, onWrite, onNext } = props;
  const id = useId();
  const [typed, setTyped] = useState(line?.text ?? '');
  const kept = line?.text ?? '';
  useEffect(() => setTyped(kept), [kept]);
  const unit = unitOf(row);
  const isNumber = kept === '' || stockFrom(kept, unit) !== null;
  const isWaiting = line !== undefined && line.moment === null && isNumber && !line.refusal;
  const counted = row.last_counted_at ? instantFrom(row.last_counted_at) : null;
  const expected = row.on_hand + (withSold ? row.to_pack : 0);

  return (
    <>
      {heading && (
        <li className={styles.heading} data-category={heading}>
          <h2>{heading}</h2>
        </li>
      )}
      <li className={styles.line} data-counted={line?.moment && isNumber ? '' : undefined}>
        <label htmlFor={id}>
          {row.name}
          <small>
            {!isBlind && `${formatStock(expected, unit)} in the system. `}
            {counted ? `Last counted ${formatDay(counted)}` : 'Never counted'}
          </small>
        </label>
        <span className={styles.number}>
          <input
            id={id}
            data-count
            inputMode={row.has_size ? 'decimal' : 'numeric'}
            autoComplete="off"
            enterKeyHint="next"
            value={typed}
            aria-invalid={isNumber ? undefined : true}
            aria-describedby={`${id}-state`}
            onChange={(event) => setTyped(event.target.value)}
            onFocus={(event) => event.target.select()}
            onBlur={() => typed !== kept && onWrite(row.product_id, typed)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              onNext(event.currentTarget);
            }}
          />
          {stockUnitName(unit)}
        </span>
        <span id={`${id}-state`} className={styles.state}>
          {!isNumber && (row.has_size ? 'Enter kilograms, such as 2.5' : 'Enter a whole number of pieces')}
          {line?.refusal && `${line.refusal} `}
          {isWaiting && (
            <>
              Not saved yet. Check your internet connection.{' '}
              <Button size="small" onClick={() => onWrite(row.product_id, kept)}>
                Save now
              </Button>
            </>
          )}
        </span>
      </li>
    </>
  );
});
