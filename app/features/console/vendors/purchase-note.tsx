import { TextAreaField, TextField } from '#app/ui/fields.tsx';
import { Form, FormEnd } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { notePurchase, type Purchase } from '#contracts/console/purchases.ts';
import { z } from '#contracts/z.ts';
import { useRequests } from '../data/requests.ts';
import { checkWith, day, optional, text } from '../form/inputs.ts';

const check = checkWith(z.object({ expected_on: optional(day()), notes: text({ max: 2000 }) }));

/** What may still change after ordering. */
export function PurchaseNote({ purchase, onSaved }: { purchase: Purchase; onSaved(): void }) {
  const { act } = useRequests();
  const form = useSaveForm({
    start: { expected_on: purchase.expected_on ?? '', notes: purchase.notes },
    check,
    save: (value) => act(notePurchase, { purchase_id: purchase.id, seen: purchase.updated_at, ...value }),
    onSaved: () => {
      toast('success', 'Saved.');
      onSaved();
    },
  });
  return (
    <Panel title="Notes">
      <Form form={form}>
        <TextField name="expected_on" label="Expected on" type="date" />
        <TextAreaField name="notes" label="Notes" maxLength={2000} />
        {form.formState.isDirty && <FormEnd submitLabel="Save notes" />}
      </Form>
    </Panel>
  );
}
