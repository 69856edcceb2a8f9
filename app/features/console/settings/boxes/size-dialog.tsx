import { CheckField, MoneyField, TextField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type BoxSizeRow, deleteBoxSize, saveBoxSize } from '#contracts/console/boxes.ts';
import { useRequests } from '../../data/requests.ts';
import { type Deletion, type EditControls, EditDialog, EditEnd } from '../../form/edit-dialog.tsx';
import { checkSize, type SizeValues, sizeValues } from './box-values.ts';

type DialogProps = { subject: BoxSizeRow | 'new' | null; onClose(): void; onChange(): void };

export function SizeDialog({ subject, onClose, onChange }: DialogProps) {
  const { act } = useRequests();
  const size = subject === 'new' ? null : subject;
  const deletion: Deletion | null =
    size && !size.was_ordered
      ? {
          title: `Delete ${size.name}?`,
          text: 'Customers can no longer fill it. Boxes of this size in their carts are marked.',
          done: `Deleted: ${size.name}`,
          run: () => act(deleteBoxSize, { box_id: size.id, seen: size.updated_at }),
        }
      : null;
  return (
    <EditDialog
      open={subject !== null}
      title={size?.name ?? 'New box size'}
      deletion={deletion}
      onClose={onClose}
      onDeleted={onChange}
    >
      {(controls) =>
        subject && <SizeForm key={size?.updated_at ?? 'new'} size={size} controls={controls} onSaved={onChange} />
      }
    </EditDialog>
  );
}

type FormProps = { size: BoxSizeRow | null; controls: EditControls; onSaved(): void };

function SizeForm({ size, controls, onSaved }: FormProps) {
  const { act } = useRequests();
  const form = useSaveForm({
    start: sizeValues(size),
    check: (values: SizeValues) => checkSize(values),
    save: (value) => act(saveBoxSize, { ...value, box_id: size?.id ?? null, seen: size?.updated_at ?? null }),
    onSaved() {
      toast('success', `${form.getValues('name').trim()} is saved.`);
      onSaved();
      controls.close();
    },
  });
  return (
    <Form form={form}>
      <TextField name="name" label="Name" maxLength={60} autoFocus={size === null} />
      <TextField name="places" label="Places" inputMode="numeric" hint="One piece each: 6, 12 and 24 look best." />
      <MoneyField name="price_paise" label="Price of the empty box" hint="Without GST. The pieces are added." />
      <TextField name="weight_grams" label="Weight of the empty box (g)" inputMode="numeric" />
      <CheckField name="is_listed" label="Listed" hint="Customers can choose it." />
      <EditEnd controls={controls} isNew={size === null} />
    </Form>
  );
}
