import { Form, FormEnd, TextField, useForm } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { notePurchase, type Purchase } from '#contracts/console/purchases.ts';
import { z } from '#contracts/z.ts';
import { useRequests } from '../data/requests.ts';
import { checkWith, day, optional, text } from '../form/inputs.ts';

const check = checkWith(z.object({ expected_on: optional(day()), notes: text({ max: 2000 }) }));

/** What may still change after ordering. */
export function PurchaseNote({ purchase, onSaved }: { purchase: Purchase; onSaved(): void }) {
  const { act } = useRequests();
  const form = useForm({
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
        <TextField form={form} name="expected_on" label="Expected on" type="date" />
        <TextField form={form} name="notes" label="Notes" multiline maxLength={2000} />
        {form.isChanged && <FormEnd form={form} submitLabel="Save notes" />}
      </Form>
    </Panel>
  );
}
