import { Button } from '#app/ui/button.tsx';
import { TextAreaField } from '#app/ui/fields.tsx';
import { Form, FormEnd } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type Customer, saveCustomerRecord } from '#contracts/console/customers.ts';
import { z } from '#contracts/z.ts';
import { useRequests } from '../data/requests.ts';
import { checkWith, text } from '../form/inputs.ts';

import { TagField } from './tag-field.tsx';
import { tagsIn } from './tags.ts';

const check = checkWith(z.object({ notes: text({ max: 4000 }), tags: z.string().transform(tagsIn) }));

type RecordValues = { notes: string; tags: string };

/** Notes and tags: what the shop remembers, and no customer ever sees. */
export function RecordPanel({ customer, onSaved }: { customer: Customer; onSaved(): void }) {
  const { act } = useRequests();
  const start = { notes: customer.notes, tags: customer.tags.join(', ') };
  const form = useSaveForm({
    start,
    check: (values: RecordValues) => check(values),
    save: ({ notes, tags }) => act(saveCustomerRecord, { customer_id: customer.id, notes, tags, seen: customer.seen }),
    onSaved() {
      toast('success', 'Saved.');
      onSaved();
    },
  });
  function startOver() {
    form.reset(start);
    onSaved();
  }
  return (
    <Panel title="Notes and tags">
      <Form form={form}>
        <TextAreaField name="notes" label="Notes" hint="Only administrators see these." maxLength={4000} />
        <TagField name="tags" label="Tags" />
        <FormEnd
          submitLabel="Save"
          cancel={form.formState.isDirty && <Button onClick={startOver}>Load the latest version</Button>}
        />
      </Form>
    </Panel>
  );
}
