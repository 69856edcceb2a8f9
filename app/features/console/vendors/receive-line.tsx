import { useController } from 'react-hook-form';
import { useField } from '#app/ui/fields.tsx';
import type { Line } from '#contracts/console/purchases.ts';
import { formatPaise } from '#domain/money.ts';
import { formatPurchased } from '#domain/purchases/units.ts';
import styles from './purchase.module.css';
import { newCost } from './receive-draft.ts';

export type ReceiveLineProps = {
  line: Line;
  place: number;
};

export function ReceiveLine({ line, place }: ReceiveLineProps) {
  const { notes, control } = useField(`lines.${place}.quantity`);
  const { id, error } = notes;
  const setsCost = useController({ name: `lines.${place}.setsCost` });
  const cost = newCost(line);
  const per = line.product?.has_size ? '500 g' : 'piece';
  return (
    <li className={styles.came}>
      <label htmlFor={id}>
        {line.item_name}
        <small>
          {formatPurchased(line.quantity, line.unit)} ordered
          {line.received_quantity > 0 && `, ${formatPurchased(line.received_quantity, line.unit)} already received`}
        </small>
      </label>
      <div>
        <span className={styles.quantity}>
          <input
            // biome-ignore lint/a11y/noAutofocus: whoever opened the form came to type
            autoFocus={place === 0}
            {...control}
            inputMode="decimal"
            autoComplete="off"
          />
          {line.unit === 'piece' ? 'pieces' : line.unit}
        </span>
        {error && (
          <span id={`${id}-error`} className={styles.error}>
            {error}
          </span>
        )}
      </div>
      {cost !== null && line.product ? (
        <label className={styles.tick}>
          <input type="checkbox" {...setsCost.field} checked={setsCost.field.value} />
          <span>
            Update unit cost to {formatPaise(cost)} per {per}
            <small>
              {line.product.unit_cost_paise === null
                ? 'no cost so far; before GST'
                : `currently ${formatPaise(line.product.unit_cost_paise)}; before GST`}
            </small>
          </span>
        </label>
      ) : (
        <span />
      )}
    </li>
  );
}
