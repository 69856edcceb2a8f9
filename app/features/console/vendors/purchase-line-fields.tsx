import { useCallback, useEffect, useRef } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { CloseIcon } from '#app/ui/close-icon.tsx';
import { Field } from '#app/ui/field.tsx';
import { SelectField, TextField, useField } from '#app/ui/fields.tsx';
import { Input } from '#app/ui/input.tsx';
import type { FoundItem } from '#contracts/console/purchases.ts';
import { formatPaise } from '#domain/money.ts';
import { type PurchaseUnit, perUnit, unitsFor } from '#domain/purchases/units.ts';
import styles from './purchase.module.css';
import { chooseItem, type DraftLine, draftAmount } from './purchase-draft.ts';
import { useFoundItems } from './use-found-items.ts';

const unitNames: Record<PurchaseUnit, string> = { kg: 'kg', g: 'g', l: 'litres', piece: 'pieces' };

const findNamed = (found: readonly FoundItem[], name: string): FoundItem | undefined =>
  found.find((item) => item.name.toLowerCase() === name.trim().toLowerCase());

export type PurchaseLineFieldsProps = { place: number; vendorId: number | null; onRemove(): void };

export function PurchaseLineFields({ place, vendorId, onRemove }: PurchaseLineFieldsProps) {
  const { getValues, setValue, clearErrors } = useFormContext<{ lines: DraftLine[] }>();
  const line = useWatch<{ lines: DraftLine[] }, `lines.${number}`>({ name: `lines.${place}` });
  const { found, look } = useFoundItems(vendorId);
  const amount = draftAmount(line);
  const last = findNamed(found, line.item_name)?.last_price ?? null;
  const offered = unitsFor(line.hasSize === null ? null : { hasSize: line.hasSize });

  // Known items arrive shortly after the name is complete; only renamed lines are filled in.
  const typedName = useRef<string | null>(null);
  const change = useCallback(
    (next: DraftLine) => {
      setValue(`lines.${place}`, next, { shouldDirty: true });
      clearErrors(`lines.${place}`);
    },
    [place, setValue, clearErrors],
  );
  useEffect(() => {
    const match = typedName.current === null ? undefined : findNamed(found, typedName.current);
    if (!match) return;
    typedName.current = null;
    change(chooseItem(getValues(`lines.${place}`), match));
  }, [found, place, change, getValues]);

  function rename(item_name: string) {
    const match = findNamed(found, item_name);
    typedName.current = match ? null : item_name;
    item.control.onChange(item_name);
    const renamed = { ...line, item_name };
    const chosen = chooseItem(renamed, match);
    if (chosen !== renamed) change(chosen);
    look(item_name);
  }

  const item = useField(
    `lines.${place}.item_name`,
    (line.productId !== null || last) && (
      <span className={styles.known}>
        {line.productId !== null && <Badge tone="good">Adds to stock</Badge>}
        {last && (
          <span>
            last {formatPaise(last.unit_cost_paise)} {perUnit(last.unit)} from {last.vendor}
          </span>
        )}
      </span>
    ),
  );
  return (
    <li className={styles.line}>
      <div className={styles.what}>
        <Field label="Item" {...item.notes}>
          <Input
            {...item.control}
            list={`${item.notes.id}-found`}
            maxLength={120}
            onFocus={() => look(line.item_name)}
            onChange={(event) => rename(event.target.value)}
          />
          <datalist id={`${item.notes.id}-found`}>
            {found.map(({ name, product_id }) => (
              <option key={`${name} ${product_id}`} value={name}>
                {product_id === null ? 'bought earlier' : 'your product'}
              </option>
            ))}
          </datalist>
        </Field>
      </div>
      <TextField name={`lines.${place}.quantity`} label="Quantity" inputMode="decimal" />
      <SelectField
        name={`lines.${place}.unit`}
        label="Unit"
        options={[...new Set([...offered, line.unit])].map((unit) => ({ value: unit, label: unitNames[unit] }))}
      />
      <TextField name={`lines.${place}.unit_cost`} label={`₹ ${perUnit(line.unit)}`} inputMode="decimal" />
      <TextField name={`lines.${place}.gst_percent`} label="GST %" inputMode="decimal" />
      <output className={styles.sum} aria-label={`Line ${place + 1} with GST`}>
        {amount ? formatPaise(amount.totalPaise) : '—'}
      </output>
      <Button size="small" className={styles.remove} onClick={onRemove} aria-label={`Remove line ${place + 1}`}>
        <CloseIcon />
      </Button>
    </li>
  );
}
