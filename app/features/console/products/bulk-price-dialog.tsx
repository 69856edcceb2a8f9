import { useId, useState } from 'react';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import type { ProductRow } from '#contracts/console/products.ts';
import { type PriceChange, planPrices, type Rounding, roundings } from '#domain/products/price-change.ts';
import { decimal, rupees } from '../form/inputs.ts';
import styles from './bulk-dialogs.module.css';
import { KeptPrices, keptWords, PricePreview } from './price-preview.tsx';
import { productsWord } from './product-data.ts';

import type { ProductChange } from './use-product-changes.ts';

type Props = {
  chosen: readonly ProductRow[];
  onClose(): void;
  apply(changes: readonly ProductChange[], said: string): Promise<boolean>;
};

const Percent = decimal({ min: 0.01, max: 90, places: 2 });
const Amount = rupees({ min: 0.01, max: 100_000 });

/** Raises or lowers prices; what is shown here is exactly what is saved. */
export function PriceDialog({ chosen, onClose, apply }: Props) {
  const [direction, setDirection] = useState<'up' | 'down'>('up');
  const [by, setBy] = useState<PriceChange['by']>('percent');
  const [typed, setTyped] = useState('5');
  const [rounding, setRounding] = useState<Rounding>('rupee');
  const id = useId();

  const parsed = (by === 'percent' ? Percent : Amount).safeParse(typed);
  const size = (parsed.success ? parsed.data : 0) * (direction === 'up' ? 1 : -1);
  const change: PriceChange = by === 'percent' ? { by, percent: size, rounding } : { by, amountPaise: size };
  const { all, changed, refused } = planPrices(chosen, change);

  return (
    <ConfirmDialog
      open
      title={`Price of ${productsWord(chosen.length)}`}
      confirmLabel={`Change ${productsWord(changed.length)}`}
      isIncomplete={!parsed.success || changed.length === 0}
      onClose={onClose}
      onConfirm={() =>
        apply(
          changed.map(({ row, price }) => ({ row, changes: { price_paise: price } })),
          `${productsWord(changed.length)} ${changed.length === 1 ? 'has' : 'have'} a new price.${keptWords(refused.length)}`,
        )
      }
    >
      <fieldset className={styles.kinds}>
        <legend className="visually-hidden">Direction</legend>
        <Radio name={`${id}-way`} label="Raise" checked={direction === 'up'} choose={() => setDirection('up')} />
        <Radio name={`${id}-way`} label="Lower" checked={direction === 'down'} choose={() => setDirection('down')} />
      </fieldset>
      <div className={styles.row}>
        <div className={styles.field}>
          <label htmlFor={`${id}-size`}>By</label>
          <input
            id={`${id}-size`}
            inputMode="decimal"
            autoComplete="off"
            value={typed}
            aria-invalid={parsed.success ? undefined : true}
            aria-describedby={`${id}-rule`}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <div className={styles.field}>
          <label htmlFor={`${id}-unit`}>In</label>
          <select id={`${id}-unit`} value={by} onChange={(event) => setBy(event.target.value as PriceChange['by'])}>
            <option value="percent">%</option>
            <option value="amount">rupees</option>
          </select>
        </div>
      </div>
      {by === 'percent' && (
        <div className={styles.field}>
          <label htmlFor={`${id}-rounding`}>Rounded</label>
          <select
            id={`${id}-rounding`}
            value={rounding}
            onChange={(event) => setRounding(event.target.value as Rounding)}
          >
            {Object.entries(roundings).map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </div>
      )}
      <p id={`${id}-rule`} className={parsed.success ? styles.rule : styles.problem}>
        {!parsed.success
          ? (parsed.error.issues[0]?.message ?? 'How much?')
          : by === 'percent'
            ? `Each price is rounded ${roundings[rounding].label}, halves up. Regular prices stay, offer tags follow.`
            : 'To the paisa, without rounding. Regular prices stay, offer tags follow.'}
      </p>
      {parsed.success && (
        <>
          {refused.length > 0 && <KeptPrices count={refused.length} />}
          <div className={styles.scroll}>
            <PricePreview results={all.map((one) => ({ ...one, regular: one.row.regular_price_paise }))} />
          </div>
        </>
      )}
    </ConfirmDialog>
  );
}

function Radio({ name, label, checked, choose }: { name: string; label: string; checked: boolean; choose(): void }) {
  return (
    <label>
      <input type="radio" name={name} checked={checked} onChange={choose} />
      {label}
    </label>
  );
}
