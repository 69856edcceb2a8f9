import { useWatch } from 'react-hook-form';
import { Button } from '#app/ui/button.tsx';
import { Field } from '#app/ui/field.tsx';
import { TextField, useField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type CategoryRow, deleteCategory, saveCategory } from '#contracts/console/products.ts';
import { inkOn } from '#domain/catalog/category-colours.ts';
import { useRequests } from '../../data/requests.ts';
import { EditEnd } from '../../form/edit-dialog.tsx';
import { type Subject, type SubjectControls, SubjectDialog } from '../subject.tsx';
import styles from './categories-tab.module.css';
import { checkCategory, productCount } from './category-data.ts';

type Props = { subject: Subject<CategoryRow>; onClose(): void; onChange(): void };

export function CategoryDialog(props: Props) {
  const { act } = useRequests();
  return (
    <SubjectDialog
      {...props}
      newTitle="New category"
      deletionOf={(category) => ({
        title: `Delete ${category.name}?`,
        text:
          category.products === 0
            ? 'No product is in it.'
            : `It has ${productCount(category.products)}: move them to another category first.`,
        done: `Deleted: ${category.name}`,
        run: () => act(deleteCategory, { category_id: category.id, seen: category.updated_at }),
      })}
    >
      {(category, controls) => <CategoryForm category={category} controls={controls} />}
    </SubjectDialog>
  );
}

type Values = { name: string; colour: string };
type FormProps = { category: CategoryRow | null; controls: SubjectControls };

function CategoryForm({ category, controls }: FormProps) {
  const { act } = useRequests();
  const start: Values = { name: category?.name ?? '', colour: category?.colour ?? '' };
  const form = useSaveForm({
    start,
    check: (values: Values) => checkCategory(values),
    save: (value) =>
      act(saveCategory, { ...value, category_id: category?.id ?? null, seen: category?.updated_at ?? null }),
    onSaved: () => controls.saved(`${form.getValues('name').trim()} is saved.`),
  });
  return (
    <Form form={form}>
      <TextField
        name="name"
        label="Name"
        maxLength={40}
        placeholder="Barfi"
        hint={
          category ? 'Its products keep it under the new name; links to the old one lead to the whole shop.' : undefined
        }
        autoFocus={category === null}
      />
      <ColourField />
      <EditEnd controls={controls} isNew={category === null} />
    </Form>
  );
}

const defaultColour = '#ffffff';

/** The browser's own choice of colours, and the badge as customers see it. */
function ColourField() {
  const { notes, control } = useField('colour', 'Used for its badge, its heading and behind its pictures.');
  const name = useWatch<Values, 'name'>({ name: 'name' });
  const shown = control.value || defaultColour;
  return (
    <Field label="Colour" {...notes}>
      <span className={styles.colour}>
        <input type="color" {...control} value={shown} />
        <span className={styles.sample} style={{ background: shown, color: inkOn(shown) }}>
          {name.trim() || 'Category'}
        </span>
        {control.value !== '' && (
          <Button size="small" onClick={() => control.onChange('')}>
            Use the default
          </Button>
        )}
      </span>
    </Field>
  );
}
