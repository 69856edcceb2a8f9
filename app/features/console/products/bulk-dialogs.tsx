import { useId, useState } from 'react';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import type { ProductRow } from '#contracts/console/products.ts';
import { decimal } from '../form/inputs.ts';
import styles from './bulk-dialogs.module.css';
import { productsWord } from './product-data.ts';

import type { ListChange } from './use-product-changes.ts';

type DialogProps = {
  chosen: readonly ProductRow[];
  onClose(): void;
  applyToAll(
    changes: ListChange,
    differs: (row: ProductRow) => boolean,
    said: (count: number) => string,
  ): Promise<boolean>;
};

const Gst = decimal({ min: 0, max: 40, places: 2 });

export function GstDialog({ chosen, onClose, applyToAll }: DialogProps) {
  const [typed, setTyped] = useState('5');
  const parsed = Gst.safeParse(typed);
  const gst = parsed.success ? parsed.data : 0;
  return (
    <ConfirmDialog
      open
      title={`GST of ${productsWord(chosen.length)}`}
      confirmLabel="Set GST rate"
      isIncomplete={!parsed.success}
      onClose={onClose}
      onConfirm={() =>
        applyToAll(
          { gst_percent: gst },
          (row) => row.gst_percent !== gst,
          (count) => `${productsWord(count)} now at ${gst}% GST.`,
        )
      }
    >
      <TypedField
        label="GST rate (%)"
        value={typed}
        onChange={setTyped}
        problem={parsed.success ? null : 'Enter a rate from 0 to 40, with at most two decimals.'}
        hint="Applies to new orders. Orders already placed keep their rate."
      />
    </ConfirmDialog>
  );
}

export function ArchiveDialog({ chosen, onClose, applyToAll }: DialogProps) {
  const left = chosen.filter((row) => row.on_hand > 0).length;
  return (
    <ConfirmDialog
      open
      title={`Archive ${productsWord(chosen.length)}?`}
      text={
        <>
          <p>They are removed from the shop and this list. Orders, reviews and stock stay, and you can restore them.</p>
          {left > 0 && <p>{left === 1 ? 'One of them is' : `${left} of them are`} still in stock.</p>}
        </>
      }
      confirmLabel="Archive"
      tone="danger"
      onClose={onClose}
      onConfirm={() =>
        applyToAll(
          { is_archived: true },
          (row) => row.archived_at === null,
          (count) => `${productsWord(count)} archived.`,
        )
      }
    />
  );
}

type TypedFieldProps = {
  label: string;
  value: string;
  hint: string;
  problem: string | null;
  onChange(value: string): void;
};

function TypedField({ label, value, hint, problem, onChange }: TypedFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={value}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-words`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-words`} data-problem={problem ? true : undefined}>
        {problem ?? hint}
      </p>
    </div>
  );
}
