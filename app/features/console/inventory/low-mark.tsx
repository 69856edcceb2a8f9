import { useState } from 'react';
import { type StockRow, setLowMark } from '#contracts/console/stock.ts';
import { stockFrom, stockText, stockUnitName } from '#domain/stock/quantity.ts';
import { useRequests } from '../data/requests.ts';
import styles from './inventory.module.css';
import { unitOf } from './stock-data.ts';

type Marked = Pick<StockRow, 'product_id' | 'name' | 'has_size' | 'low_at'>;

/** From which amount a product counts as low; saved when one leaves the field. */
export function LowMark({ row, onChanged }: { row: Marked; onChanged(): void }) {
  const { act } = useRequests();
  const unit = unitOf(row);
  const kept = stockText(row.low_at, unit);
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);

  async function save() {
    if (typed === null || isSaving) return;
    const units = stockFrom(typed === '' ? '0' : typed, unit);
    if (units === null) return setProblem(row.has_size ? 'Enter kilograms, such as 2.5' : 'Enter whole pieces');
    if (units === row.low_at) return forget();
    setSaving(true);
    const saved = await act(setLowMark, { product_id: row.product_id, seen: row.low_at, low_at: units });
    setSaving(false);
    if (!saved.ok) setProblem(saved.message);
    else setTyped(null);
    onChanged();
  }
  function forget() {
    setTyped(null);
    setProblem(null);
  }

  return (
    <span className={styles.mark}>
      <span>
        <input
          aria-label={`Reorder level of ${row.name}, in ${stockUnitName(unit)}`}
          inputMode="decimal"
          value={typed ?? kept}
          aria-invalid={problem ? true : undefined}
          aria-busy={isSaving || undefined}
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem(null);
          }}
          onFocus={(event) => event.target.select()}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur();
            if (event.key === 'Escape') forget();
          }}
        />
        <span className={styles.unit}>{row.has_size ? 'kg' : 'pcs'}</span>
      </span>
      {problem && <span role="alert">{problem}</span>}
    </span>
  );
}
