import { SelectField, TextField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type BoxSweetRow, removeBoxSweet, saveBoxSweet } from '#contracts/console/boxes.ts';
import { useRequests } from '../../data/requests.ts';
import { EditEnd } from '../../form/edit-dialog.tsx';
import { type Subject, type SubjectControls, SubjectDialog } from '../subject.tsx';
import { checkSweet, type SweetValues, sweetValues } from './box-values.ts';

type Others = readonly { product_id: number; name: string }[];
type DialogProps = { subject: Subject<BoxSweetRow>; others: Others; onClose(): void; onChange(): void };

export function SweetDialog({ others, ...props }: DialogProps) {
  const { act } = useRequests();
  return (
    <SubjectDialog
      {...props}
      newTitle="Add a sweet"
      deletionOf={(sweet) => ({
        title: `Take ${sweet.name} out of boxes?`,
        text: 'It stays in the shop. Boxes with it in customers’ carts are marked.',
        done: `No longer for boxes: ${sweet.name}`,
        run: () => act(removeBoxSweet, { product_id: sweet.product_id, seen: sweet.updated_at }),
      })}
    >
      {(sweet, controls) => <SweetForm sweet={sweet} others={others} controls={controls} />}
    </SubjectDialog>
  );
}

type FormProps = { sweet: BoxSweetRow | null; others: Others; controls: SubjectControls };

function SweetForm({ sweet, others, controls }: FormProps) {
  const { act } = useRequests();
  const form = useSaveForm({
    start: sweetValues(sweet),
    check: (values: SweetValues) => checkSweet(values),
    save: (value) => act(saveBoxSweet, { ...value, seen: sweet?.updated_at ?? null }),
    onSaved: () => controls.saved('Saved.'),
  });
  return (
    <Form form={form}>
      {sweet === null && (
        <SelectField
          name="product_id"
          label="Sweet"
          options={[
            { value: '', label: 'Choose a sweet' },
            ...others.map(({ product_id, name }) => ({ value: String(product_id), label: name })),
          ]}
        />
      )}
      <TextField name="piece_grams" label="Weight of one piece (g)" inputMode="numeric" />
      <TextField
        name="piece_image"
        label="Picture of one piece"
        maxLength={500}
        hint="The address of a picture without background. Left empty, the product’s own picture is cut round."
      />
      <EditEnd controls={controls} isNew={sweet === null} />
    </Form>
  );
}
