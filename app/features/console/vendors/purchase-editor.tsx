import { useRef, useState } from 'react';
import { useFieldArray } from 'react-hook-form';
import { href, useNavigate } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { SelectField, TextAreaField, TextField } from '#app/ui/fields.tsx';
import { Form, FormEnd } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { deletePurchase, movePurchase, type Purchase, savePurchase } from '#contracts/console/purchases.ts';
import type { VendorRow } from '#contracts/console/vendors.ts';
import { z } from '#contracts/z.ts';
import { formatPaise } from '#domain/money.ts';
import { type Outcome, useRequests } from '../data/requests.ts';
import { checkWith, day, optional, text } from '../form/inputs.ts';
import editor from './purchase.module.css';
import { checkLines, type DraftLine, draftTotal, emptyLine, shownPlace } from './purchase-draft.ts';
import { PurchaseLineFields } from './purchase-line-fields.tsx';

import styles from './vendors.module.css';

const Head = z.object({
  vendor_id: z.string().regex(/^\d+$/, 'Choose a vendor.').transform(Number),
  expected_on: optional(day()),
  notes: text({ max: 2000 }),
});

export type PurchaseEditorProps = {
  /** null: a new one. */
  purchase: Purchase | null;
  vendors: readonly VendorRow[];
  start: { vendorId: number | null; lines: DraftLine[] };
  onSaved(id: number): void;
};

/** A draft: who, what, how much, for how much. */
export function PurchaseEditor({ purchase, vendors, start, onSaved }: PurchaseEditorProps) {
  const { act } = useRequests();
  const navigate = useNavigate();
  const isSending = useRef(false);
  const [isDeleting, setDeleting] = useState(false);
  // What was saved stays saved when marking it as ordered fails: the next try goes on with it.
  const kept = useRef(purchase && { id: purchase.id, updated_at: purchase.updated_at });
  const [entryId] = useState(() => crypto.randomUUID());

  const form = useSaveForm({
    start: {
      vendor_id: start.vendorId === null ? '' : String(start.vendorId),
      expected_on: purchase?.expected_on ?? '',
      notes: purchase?.notes ?? '',
      lines: start.lines,
    },
    check(values) {
      const head = checkWith(Head)(values);
      const lines = checkLines(values.lines);
      if (!head.ok || !lines.ok)
        return { ok: false, errors: { ...(head.ok ? {} : head.errors), ...(lines.ok ? {} : lines.errors) } };
      return { ok: true, value: { ...head.value, lines: lines.value } };
    },
    save: async (value): Promise<Outcome<{ id: number }>> => {
      const seen = { purchase_id: kept.current?.id ?? null, seen: kept.current?.updated_at ?? null };
      const saved = await act(savePurchase, { ...seen, ...value, entry_id: entryId });
      if (!saved.ok) return atLine(saved);
      kept.current = saved.value;
      if (!isSending.current) return saved;
      const { id, updated_at } = saved.value;
      const sent = await act(movePurchase, { purchase_id: id, seen: updated_at, to_status: 'Ordered' });
      return sent.ok ? saved : { ...sent, field: null };
    },
    onSaved: ({ value }) => {
      if (isSending.current) toast('success', 'Marked as ordered. Receive the goods here when they arrive.');
      onSaved(value.id);
    },
  });
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'lines', keyName: 'key' });
  const { vendor_id, lines } = form.watch();
  const { errors, isSubmitting } = form.formState;

  /** The database names the place among the lines that were sent. */
  function atLine<T>(outcome: Outcome<T>): Outcome<T> {
    if (outcome.ok) return outcome;
    const [, place, field] = /^lines\.(\d+)\.(\w+)$/.exec(outcome.field ?? '') ?? [];
    if (place === undefined) return outcome;
    return { ...outcome, field: `lines.${shownPlace(form.getValues('lines'), Number(place))}.${field}` };
  }

  async function discard() {
    if (!purchase) return;
    const gone = await act(deletePurchase, { purchase_id: purchase.id, seen: purchase.updated_at });
    setDeleting(false);
    if (!gone.ok) return toast('error', gone.message);
    toast('success', 'Draft discarded.');
    form.reset(form.getValues());
    void navigate(`${href('/admin/vendors')}?tab=purchases`, { replace: true });
  }

  return (
    <Form form={form}>
      <Panel>
        <div className={styles.two}>
          <SelectField
            name="vendor_id"
            label="Vendor"
            options={[
              { value: '', label: 'Choose…' },
              ...vendors.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
          <TextField name="expected_on" label="Expected on" type="date" />
        </div>
      </Panel>
      <Panel title="Items">
        {errors.lines?.message && (
          <p role="alert" className={editor.error}>
            {errors.lines.message}
          </p>
        )}
        <ol className={editor.lines}>
          {fields.map(({ key }, place) => (
            <PurchaseLineFields
              key={key}
              place={place}
              vendorId={Number(vendor_id) || null}
              onRemove={() => remove(place)}
            />
          ))}
        </ol>
        <div className={editor.linesEnd}>
          <Button size="small" onClick={() => append(emptyLine, { shouldFocus: false })}>
            Add item
          </Button>
          <p>
            Total with GST <b>{formatPaise(draftTotal(lines))}</b>
          </p>
        </div>
        <p className={styles.note}>
          Prices are before GST. Products you sell as they are go into stock when received. Anything else, such as ghee
          or boxes, is only billed.
        </p>
      </Panel>
      <Panel>
        <TextAreaField name="notes" label="Notes" maxLength={2000} rows={2} />
      </Panel>
      <FormEnd
        submitLabel="Save draft"
        cancel={
          <>
            <Button
              disabled={isSubmitting}
              onClick={async () => {
                isSending.current = true;
                await form.submit();
                isSending.current = false;
              }}
            >
              Save and mark as ordered
            </Button>
            {purchase && (
              <Button variant="outlined-danger" onClick={() => setDeleting(true)}>
                Discard draft
              </Button>
            )}
          </>
        }
      />
      <ConfirmDialog
        open={isDeleting}
        title="Discard this draft?"
        text="It was never sent to the vendor."
        confirmLabel="Discard draft"
        tone="danger"
        onConfirm={discard}
        onClose={() => setDeleting(false)}
      />
    </Form>
  );
}
