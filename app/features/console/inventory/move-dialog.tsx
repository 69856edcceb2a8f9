import { useId, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { DialogBody } from '#app/ui/dialog.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { SelectField, TextField } from '#app/ui/fields.tsx';
import { Form, FormEnd } from '#app/ui/form.tsx';
import { FormDialog } from '#app/ui/form-dialog.tsx';
import { Loading } from '#app/ui/panel.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { applyCount, readCountMoment, readStock, recordMovement, type Stock } from '#contracts/console/stock.ts';
import { z } from '#contracts/z.ts';
import { formatPaise } from '#domain/money.ts';
import { formatStock, stockFrom, stockUnitName, stockValuePaise } from '#domain/stock/quantity.ts';
import { type Outcome, useRequests } from '../data/requests.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { checkWith, choice, text } from '../form/inputs.ts';
import styles from './inventory.module.css';
import { unitOf } from './stock-data.ts';
import type { Undoable } from './undo-notice.tsx';

const kinds = ['production', 'wastage', 'return', 'count'] as const;
type Kind = (typeof kinds)[number];
const kindWords: Record<Kind, string> = {
  production: 'Made in the kitchen',
  wastage: 'Wastage',
  return: 'Returned',
  count: 'Counted',
};

export type MoveDialogProps = {
  productId: number | null;
  onClose(): void;
  /** Recorded; a count has no way back but another count. */
  onMoved(undoable: Undoable): void;
};

/** What happened to a product besides selling and buying. */
export function MoveDialog({ productId, onClose, onMoved }: MoveDialogProps) {
  const id = useId();
  return (
    <FormDialog open={productId !== null} onClose={onClose} labelledBy={id}>
      {productId !== null && <Known titleId={id} productId={productId} onClose={onClose} onMoved={onMoved} />}
    </FormDialog>
  );
}

function Known({
  titleId,
  productId,
  ...rest
}: Omit<MoveDialogProps, 'productId'> & { titleId: string; productId: number }) {
  const { data, isLoadingError, refetch } = useShopQuery(readStock, { product_id: productId });
  const stock = data?.product_id === productId ? data : null;
  return (
    <DialogBody>
      <h2 id={titleId}>{stock ? `Adjust stock: ${stock.name}` : 'Adjust stock'}</h2>
      {stock ? (
        <MoveForm stock={stock} {...rest} />
      ) : isLoadingError ? (
        <FailedState retry={refetch} />
      ) : (
        <Loading rows={3} />
      )}
    </DialogBody>
  );
}

function MoveForm({ stock, onClose, onMoved }: Omit<MoveDialogProps, 'productId'> & { stock: Stock }) {
  const { read, act } = useRequests();
  // Made once: however often it is sent, it is one movement.
  const [entryId] = useState(() => crypto.randomUUID());
  const unit = unitOf(stock);
  const check = checkWith(
    z
      .object({
        kind: choice(kinds),
        quantity: z.string().transform((typed, context) => {
          const units = stockFrom(typed, unit);
          if (units !== null) return units;
          context.addIssue({
            code: 'custom',
            message: stock.has_size ? 'Enter kilograms, such as 2.5.' : 'Enter a whole number of pieces.',
          });
          return z.NEVER;
        }),
        note: text({ max: 300 }),
      })
      .superRefine(({ kind, quantity, note }, context) => {
        if (kind !== 'count' && quantity === 0)
          context.addIssue({ code: 'custom', path: ['quantity'], message: 'Enter a quantity.' });
        if (kind === 'wastage' && note === '')
          context.addIssue({ code: 'custom', path: ['note'], message: 'Enter the reason for the wastage.' });
      }),
  );
  type Typed = { kind: Kind; quantity: number; note: string };

  async function count({ quantity, note }: Typed): Promise<Outcome<number | null>> {
    const moment = await read(readCountMoment, { product_id: stock.product_id }).catch(() => null);
    if (!moment)
      return {
        ok: false,
        reason: 'failed',
        field: null,
        message: 'The shop didn’t respond. Check your connection and try again.',
      };
    const line = { product_id: stock.product_id, counted: quantity, expected: moment.on_hand, counted_at: moment.at };
    const booked = await act(applyCount, { count_id: crypto.randomUUID(), lines: [line], note });
    if (!booked.ok) return booked;
    const [refused] = booked.value.refused;
    return refused
      ? { ok: false, reason: 'refused', field: 'quantity', message: refused.message }
      : { ok: true, value: null };
  }

  async function record({ kind, quantity, note }: Typed): Promise<Outcome<number | null>> {
    const args = { product_id: stock.product_id, reason: kind, units: quantity, note, entry_id: entryId };
    const moved = await act(recordMovement, args);
    return moved.ok ? { ok: true, value: moved.value.id } : moved;
  }

  const form = useSaveForm({
    start: { kind: 'production', quantity: '', note: '' },
    check: (values) => check(values),
    save: async (value): Promise<Outcome<Undoable>> => {
      const done = await (value.kind === 'count' ? count(value) : record(value));
      const amount = formatStock(value.quantity, unit);
      return done.ok
        ? { ok: true, value: { movementId: done.value, text: said(value.kind, amount, stock.name) } }
        : done;
    },
    onSaved: ({ value }) => {
      onMoved(value);
      onClose();
    },
  });
  const kind = form.watch('kind') as Kind;
  const units = stockFrom(form.watch('quantity'), unit);
  const loss = kind === 'wastage' && units ? stockValuePaise(units, stock.unit_cost_paise, unit) : null;

  return (
    <>
      <p className={styles.note}>
        {formatStock(stock.on_hand, unit)} on hand
        {stock.reserved > 0 && `, ${formatStock(stock.reserved, unit)} reserved for customers who are paying`}.
      </p>
      <Form form={form}>
        <SelectField name="kind" label="Type" options={kinds.map((value) => ({ value, label: kindWords[value] }))} />
        <TextField
          name="quantity"
          label={kind === 'count' ? 'Quantity counted' : 'Quantity'}
          suffix={stockUnitName(unit)}
          inputMode="decimal"
          autoFocus
          hint={
            kind === 'count' && stock.to_pack > 0
              ? `Leave out the ${formatStock(stock.to_pack, unit)} sold but not packed yet.`
              : kind === 'wastage'
                ? loss === null
                  ? stock.unit_cost_paise === null && 'No cost entered for this product.'
                  : `A loss of ${formatPaise(loss)} at cost.`
                : undefined
          }
        />
        <TextField name="note" label={kind === 'wastage' ? 'Reason' : 'Note'} maxLength={300} />
        <FormEnd
          submitLabel={units ? labelFor(kind, formatStock(units, unit)) : 'Save'}
          cancel={<Button onClick={onClose}>Cancel</Button>}
        />
      </Form>
    </>
  );
}

const labelFor = (kind: Kind, amount: string): string =>
  ({
    production: `Add ${amount}`,
    wastage: `Write off ${amount}`,
    return: `Return ${amount}`,
    count: `Set to ${amount}`,
  })[kind];

const said = (kind: Kind, amount: string, name: string): string =>
  ({
    production: `${name}: ${amount} added.`,
    wastage: `${name}: ${amount} written off.`,
    return: `${name}: ${amount} returned to stock.`,
    count: `${name}: set to ${amount}.`,
  })[kind];
