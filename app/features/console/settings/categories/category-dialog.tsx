import buttons from '#app/ui/button.module.css';
import { Field, Form, type FormState, TextField, useForm } from '#app/ui/form.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type CategoryRow, deleteCategory, saveCategory } from '#contracts/console/products.ts';
import { inkOn } from '#domain/catalog/category-colours.ts';
import { useRequests } from '../../data/requests.ts';
import { type Deletion, type EditControls, EditDialog, EditEnd } from '../../form/edit-dialog.tsx';
import styles from './categories-tab.module.css';
import { checkCategory, productCount } from './category-data.ts';

type Props = { subject: CategoryRow | 'new' | null; onClose(): void; onChange(): void };

export function CategoryDialog({ subject, onClose, onChange }: Props) {
  const { act } = useRequests();
  const category = subject === 'new' ? null : subject;
  const deletion: Deletion | null = category && {
    title: `Delete ${category.name}?`,
    text:
      category.products === 0
        ? 'No product is in it.'
        : `It has ${productCount(category.products)}: move them to another category first.`,
    done: `Deleted: ${category.name}`,
    run: () => act(deleteCategory, { category_id: category.id, seen: category.updated_at }),
  };
  return (
    <EditDialog
      open={subject !== null}
      title={category?.name ?? 'New category'}
      deletion={deletion}
      onClose={onClose}
      onDeleted={onChange}
    >
      {(controls) =>
        subject && (
          <CategoryForm
            key={category?.updated_at ?? 'new'}
            category={category}
            controls={controls}
            onSaved={onChange}
          />
        )
      }
    </EditDialog>
  );
}

type Values = { name: string; colour: string };
type FormProps = { category: CategoryRow | null; controls: EditControls; onSaved(): void };

function CategoryForm({ category, controls, onSaved }: FormProps) {
  const { act } = useRequests();
  const start: Values = { name: category?.name ?? '', colour: category?.colour ?? '' };
  const form = useForm({
    start,
    check: (values: Values) => checkCategory(values),
    save: (value) =>
      act(saveCategory, { ...value, category_id: category?.id ?? null, seen: category?.updated_at ?? null }),
    onSaved() {
      toast('success', `${form.values.name.trim()} is saved.`);
      onSaved();
      controls.close();
    },
  });
  return (
    <Form form={form}>
      <TextField
        form={form}
        name="name"
        label="Name"
        maxLength={40}
        placeholder="Barfi"
        hint={
          category ? 'Its products keep it under the new name; links to the old one lead to the whole shop.' : undefined
        }
        autoFocus={category === null}
      />
      <ColourField form={form} />
      <EditEnd form={form} controls={controls} isNew={category === null} />
    </Form>
  );
}

const defaultColour = '#ffffff';

/** The browser's own choice of colours, and the badge as customers see it. */
function ColourField({ form }: { form: FormState<Values> }) {
  const shown = form.values.colour || defaultColour;
  return (
    <Field form={form} name="colour" label="Colour" hint="Used for its badge, its heading and behind its pictures.">
      <span className={styles.colour}>
        <input
          type="color"
          id={form.idOf('colour')}
          name="colour"
          value={shown}
          aria-describedby={`${form.idOf('colour')}-hint`}
          onChange={(event) => form.set('colour', event.target.value)}
        />
        <span className={styles.sample} style={{ background: shown, color: inkOn(shown) }}>
          {form.values.name.trim() || 'Category'}
        </span>
        {form.values.colour !== '' && (
          <button type="button" className={buttons.small} onClick={() => form.set('colour', '')}>
            Use the default
          </button>
        )}
      </span>
    </Field>
  );
}
