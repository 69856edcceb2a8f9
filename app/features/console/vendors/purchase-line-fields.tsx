import { useEffect, useId, useRef } from 'react';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { CloseIcon } from '#app/ui/close-icon.tsx';
import { Input } from '#app/ui/input.tsx';
import { Select } from '#app/ui/select.tsx';
import type { FoundItem } from '#contracts/console/purchases.ts';
import { formatPaise } from '#domain/money.ts';
import { type PurchaseUnit, perUnit, unitsFor } from '#domain/purchases/units.ts';
import styles from './purchase.module.css';
import { chooseItem, type DraftLine, draftAmount } from './purchase-draft.ts';
import { useFoundItems } from './use-found-items.ts';

const unitNames: Record<PurchaseUnit, string> = { kg: 'kg', g: 'g', l: 'litres', piece: 'pieces' };

const findNamed = (found: readonly FoundItem[], name: string): FoundItem | undefined =>
  found.find((item) => item.name.toLowerCase() === name.trim().toLowerCase());

export type PurchaseLineFieldsProps = {
  place: number;
  line: DraftLine;
  vendorId: number | null;
  errors: Record<string, string>;
  onChange(line: DraftLine): void;
  onRemove(): void;
};

export function PurchaseLineFields({ place, line, vendorId, errors, onChange, onRemove }: PurchaseLineFieldsProps) {
  const id = useId();
  const { found, look } = useFoundItems(vendorId);
  const amount = draftAmount(line);
  const last = findNamed(found, line.name)?.last_price ?? null;
  const offered = unitsFor(line.hasSize === null ? null : { hasSize: line.hasSize });

  // What is known comes a moment after the name is whole; lines that nobody renames stay as they are.
  const typedName = useRef<string | null>(null);
  const choose = useRef((_match: FoundItem) => {});
  choose.current = (match) => onChange(chooseItem(line, match));
  useEffect(() => {
    const match = typedName.current === null ? undefined : findNamed(found, typedName.current);
    if (!match) return;
    typedName.current = null;
    choose.current(match);
  }, [found]);

  function rename(name: string) {
    const match = findNamed(found, name);
    typedName.current = match ? null : name;
    onChange(chooseItem({ ...line, name }, match));
    look(name);
  }
  const field = (name: string) => {
    const error = errors[`lines.${place}.${name}`];
    return {
      id: `${id}-${name}`,
      name: `lines.${place}.${name}`,
      'aria-invalid': error ? true : undefined,
      'aria-describedby': error ? `${id}-${name}-error` : undefined,
    };
  };
  const problem = (name: string) => {
    const error = errors[`lines.${place}.${name}`];
    return (
      error && (
        <span id={`${id}-${name}-error`} className={styles.error}>
          {error}
        </span>
      )
    );
  };

  return (
    <li className={styles.line}>
      <div className={styles.what}>
        <label htmlFor={`${id}-item_name`}>Item</label>
        <Input
          {...field('item_name')}
          list={`${id}-found`}
          value={line.name}
          maxLength={120}
          onFocus={() => look(line.name)}
          onChange={(event) => rename(event.target.value)}
        />
        <datalist id={`${id}-found`}>
          {found.map(({ name, product_id }) => (
            <option key={`${name} ${product_id}`} value={name}>
              {product_id === null ? 'bought earlier' : 'your product'}
            </option>
          ))}
        </datalist>
        {problem('item_name')}
        <span className={styles.known}>
          {line.productId !== null && <Badge tone="good">Adds to stock</Badge>}
          {last && (
            <span>
              last {formatPaise(last.unit_cost_paise)} {perUnit(last.unit)} from {last.vendor}
            </span>
          )}
        </span>
      </div>
      <div>
        <label htmlFor={`${id}-quantity`}>Quantity</label>
        <Input
          {...field('quantity')}
          inputMode="decimal"
          value={line.quantity}
          onChange={(event) => onChange({ ...line, quantity: event.target.value })}
        />
        {problem('quantity')}
      </div>
      <div>
        <label htmlFor={`${id}-unit`}>Unit</label>
        <Select
          {...field('unit')}
          value={line.unit}
          options={[...new Set([...offered, line.unit])].map((unit) => ({ value: unit, label: unitNames[unit] }))}
          onChange={(unit) => onChange({ ...line, unit })}
        />
        {problem('unit')}
      </div>
      <div>
        <label htmlFor={`${id}-unit_cost`}>₹ {perUnit(line.unit)}</label>
        <Input
          {...field('unit_cost')}
          inputMode="decimal"
          value={line.cost}
          onChange={(event) => onChange({ ...line, cost: event.target.value })}
        />
        {problem('unit_cost')}
      </div>
      <div>
        <label htmlFor={`${id}-gst_percent`}>GST %</label>
        <Input
          {...field('gst_percent')}
          inputMode="decimal"
          value={line.gst}
          onChange={(event) => onChange({ ...line, gst: event.target.value })}
        />
        {problem('gst_percent')}
      </div>
      <output className={styles.sum} aria-label={`Line ${place + 1} with GST`}>
        {amount ? formatPaise(amount.totalPaise) : '—'}
      </output>
      <Button size="small" className={styles.remove} onClick={onRemove} aria-label={`Remove line ${place + 1}`}>
        <CloseIcon />
      </Button>
    </li>
  );
}
