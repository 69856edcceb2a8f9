import { useId, useState } from 'react';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { controlProps, Field } from '#app/ui/field.tsx';
import { Input } from '#app/ui/input.tsx';
import type { ProductRow } from '#contracts/console/products.ts';
import { decimal } from '../form/inputs.ts';
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
  const notes = {
    id: useId(),
    ...(parsed.success
      ? { hint: 'Applies to new orders. Orders already placed keep their rate.' }
      : { error: 'Enter a rate from 0 to 40, with at most two decimals.' }),
  };
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
      <Field label="GST rate (%)" {...notes}>
        <Input
          {...controlProps(notes)}
          inputMode="decimal"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
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
