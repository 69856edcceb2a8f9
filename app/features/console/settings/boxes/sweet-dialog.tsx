import { SelectField, TextField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type BoxSweetRow, removeBoxSweet, saveBoxSweet } from '#contracts/console/boxes.ts';
import { useRequests } from '../../data/requests.ts';
import { type Deletion, type EditControls, EditDialog, EditEnd } from '../../form/edit-dialog.tsx';
import { checkSweet, type SweetValues, sweetValues } from './box-values.ts';

type Others = readonly { product_id: number; name: string }[];
type DialogProps = { subject: BoxSweetRow | 'new' | null; others: Others; onClose(): void; onChange(): void };

export function SweetDialog({ subject, others, onClose, onChange }: DialogProps) {
  const { act } = useRequests();
  const sweet = subject === 'new' ? null : subject;
  const deletion: Deletion | null = sweet && {
    title: `Take ${sweet.name} out of boxes?`,
    text: 'It stays in the shop. Boxes with it in customers’ carts are marked.',
    done: `No longer for boxes: ${sweet.name}`,
    run: () => act(removeBoxSweet, { product_id: sweet.product_id, seen: sweet.updated_at }),
  };
  return (
    <EditDialog
      open={subject !== null}
      title={sweet?.name ?? 'Add a sweet'}
      deletion={deletion}
      onClose={onClose}
      onDeleted={onChange}
    >
      {(controls) =>
        subject && (
          <SweetForm
            key={sweet?.updated_at ?? 'new'}
            sweet={sweet}
            others={others}
            controls={controls}
            onSaved={onChange}
          />
        )
      }
    </EditDialog>
  );
}

type FormProps = { sweet: BoxSweetRow | null; others: Others; controls: EditControls; onSaved(): void };

function SweetForm({ sweet, others, controls, onSaved }: FormProps) {
  const { act } = useRequests();
  const form = useSaveForm({
    start: sweetValues(sweet),
    check: (values: SweetValues) => checkSweet(values),
    save: (value) => act(saveBoxSweet, { ...value, seen: sweet?.updated_at ?? null }),
    onSaved() {
      toast('success', 'Saved.');
      onSaved();
      controls.close();
    },
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
