import { useId, useState } from 'react';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { Input } from '#app/ui/input.tsx';
import { Select } from '#app/ui/select.tsx';
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

const kinds = [
  { value: 'percent', label: '%' },
  { value: 'amount', label: 'rupees' },
] as const;
const roundingOptions = (Object.keys(roundings) as Rounding[]).map((value) => ({
  value,
  label: roundings[value].label,
}));

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
        <Field id={`${id}-size`} label="By">
          <Input
            id={`${id}-size`}
            inputMode="decimal"
            value={typed}
            aria-invalid={parsed.success ? undefined : true}
            aria-describedby={`${id}-rule`}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <Field id={`${id}-unit`} label="In">
          <Select id={`${id}-unit`} value={by} options={kinds} onChange={setBy} />
        </Field>
      </div>
      {by === 'percent' && (
        <Field id={`${id}-rounding`} label="Rounded">
          <Select id={`${id}-rounding`} value={rounding} options={roundingOptions} onChange={setRounding} />
        </Field>
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
