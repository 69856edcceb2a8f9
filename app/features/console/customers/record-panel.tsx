import buttons from '#app/ui/button.module.css';
import { Form, FormEnd, TextField, useForm } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
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
  const form = useForm({
    start: { notes: customer.notes, tags: customer.tags.join(', ') },
    check: (values: RecordValues) => check(values),
    save: ({ notes, tags }) => act(saveCustomerRecord, { customer_id: customer.id, notes, tags, seen: customer.seen }),
    onSaved() {
      toast('success', 'Saved.');
      onSaved();
    },
  });
  function startOver() {
    form.reset();
    onSaved();
  }
  return (
    <Panel title="Notes and tags">
      <Form form={form}>
        <TextField
          form={form}
          name="notes"
          label="Notes"
          hint="Only administrators see these."
          multiline
          maxLength={4000}
        />
        <TagField form={form} name="tags" label="Tags" />
        <FormEnd
          form={form}
          submitLabel="Save"
          cancel={
            form.isChanged && (
              <button type="button" className={buttons.quiet} onClick={startOver}>
                Load the latest version
              </button>
            )
          }
        />
      </Form>
    </Panel>
  );
}
