import { CheckField, MoneyField, TextField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type BoxSizeRow, deleteBoxSize, saveBoxSize } from '#contracts/console/boxes.ts';
import { useRequests } from '../../data/requests.ts';
import { EditEnd } from '../../form/edit-dialog.tsx';
import { type Subject, type SubjectControls, SubjectDialog } from '../subject.tsx';
import { checkSize, type SizeValues, sizeValues } from './box-values.ts';

type DialogProps = { subject: Subject<BoxSizeRow>; onClose(): void; onChange(): void };

export function SizeDialog(props: DialogProps) {
  const { act } = useRequests();
  return (
    <SubjectDialog
      {...props}
      newTitle="New box size"
      deletionOf={(size) =>
        size.was_ordered
          ? null
          : {
              title: `Delete ${size.name}?`,
              text: 'Customers can no longer fill it. Boxes of this size in their carts are marked.',
              done: `Deleted: ${size.name}`,
              run: () => act(deleteBoxSize, { box_id: size.id, seen: size.updated_at }),
            }
      }
    >
      {(size, controls) => <SizeForm size={size} controls={controls} />}
    </SubjectDialog>
  );
}

function SizeForm({ size, controls }: { size: BoxSizeRow | null; controls: SubjectControls }) {
  const { act } = useRequests();
  const form = useSaveForm({
    start: sizeValues(size),
    check: (values: SizeValues) => checkSize(values),
    save: (value) => act(saveBoxSize, { ...value, box_id: size?.id ?? null, seen: size?.updated_at ?? null }),
    onSaved: () => controls.saved(`${form.getValues('name').trim()} is saved.`),
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
