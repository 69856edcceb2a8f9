import { useController } from 'react-hook-form';
import { Checkbox } from '#app/ui/checkbox.tsx';
import { FieldNotes } from '#app/ui/field.tsx';
import { useField } from '#app/ui/fields.tsx';
import { Input } from '#app/ui/input.tsx';
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
  const setsCost = useController({ name: `lines.${place}.setsCost` });
  const cost = newCost(line);
  const per = line.product?.has_size ? '500 g' : 'piece';
  return (
    <li className={styles.came}>
      <label htmlFor={notes.id}>
        {line.item_name}
        <small>
          {formatPurchased(line.quantity, line.unit)} ordered
          {line.received_quantity > 0 && `, ${formatPurchased(line.received_quantity, line.unit)} already received`}
        </small>
      </label>
      <div>
        <Input
          autoFocus={place === 0}
          inputMode="decimal"
          suffix={line.unit === 'piece' ? 'pieces' : line.unit}
          {...control}
        />
        <FieldNotes {...notes} />
      </div>
      {cost !== null && line.product ? (
        <Checkbox
          {...setsCost.field}
          checked={setsCost.field.value}
          label={
            <>
              Update unit cost to {formatPaise(cost)} per {per}
              <small>
                {line.product.unit_cost_paise === null
                  ? 'no cost so far; before GST'
                  : `currently ${formatPaise(line.product.unit_cost_paise)}; before GST`}
              </small>
            </>
          }
        />
      ) : (
        <span />
      )}
    </li>
  );
}
