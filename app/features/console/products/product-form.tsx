import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import buttons from '#app/ui/button.module.css';
import { CheckField, Form, FormEnd, type FormState, SelectField, TextField, useForm } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import type { ProductAnswer } from '#contracts/console/products.ts';
import type { ProductDetails } from '#domain/catalog/product.ts';
import { gapWords, listingGaps } from '#domain/products/listing-gaps.ts';
import { readMorePictures, writeMorePictures } from '#domain/products/more-pictures.ts';
import { comboPacks } from '#domain/products/product-columns.ts';
import { categoryOptions, useCategories } from '../data/categories.tsx';
import { useShortcut } from '../frame/shortcuts.tsx';
import { CostPanel } from './cost-panel.tsx';
import { checkProduct, emptyValues, type ProductValues, valuesOf } from './form-values.ts';
import { PicturesField } from './pictures-field.tsx';
import { PricePanel } from './price-panel.tsx';

import styles from './product-form.module.css';
import { ProductPreview } from './product-preview.tsx';
import { useProductSaving } from './use-product-saving.ts';

type Props = {
  /** null: a product to come. */
  product: ProductAnswer | null;
  renderCard(product: ProductDetails): ReactNode;
  onSaved(): void;
  /** Shows the product as it is now, without what was typed. */
  onStartOver(): void;
};

export function ProductForm({ product, renderCard, onSaved, onStartOver }: Props) {
  const navigate = useNavigate();
  const { names } = useCategories();
  const { save, addCut } = useProductSaving(product?.row.id ?? null, product?.row.updated_at ?? null);
  const [isStale, setStale] = useState(false);
  const start = product ? valuesOf(product.draft) : emptyValues;
  const form = useForm({
    start,
    check: checkProduct,
    async save(value) {
      const outcome = await save(value);
      setStale(!outcome.ok && outcome.reason === 'stale');
      return outcome;
    },
    onSaved: ({ value }) => {
      toast('success', `${form.values.name.trim()} saved.`);
      if (product) onSaved();
      else void navigate(`/admin/products/${value.id}`, { replace: true });
    },
  });
  useShortcut('s', 'Save product', () => void form.submit());

  return (
    <Form form={form} className={styles.form}>
      <div className={styles.fields}>
        <Panel title="Basic details">
          <div className={styles.grid}>
            <TextField form={form} name="name" label="Name" maxLength={120} />
            <SelectField
              form={form}
              name="category"
              label="Category"
              hint={<Link to="/admin/settings?tab=categories">Manage categories</Link>}
              options={[
                { value: '', label: 'Choose one' },
                ...categoryOptions(names, start.category).map(([value, label]) => ({ value, label })),
              ]}
            />
            <div className={styles.wide}>
              <TextField form={form} name="description" label="Description" multiline rows={4} maxLength={4000} />
            </div>
            <div className={styles.wide}>
              <TextField
                form={form}
                name="taste"
                label="Taste"
                multiline
                rows={2}
                maxLength={300}
                hint="Optional. What it tastes like, for someone who has never had it."
              />
            </div>
            <div className={styles.wide}>
              <TextField
                form={form}
                name="travel"
                label="How it travels"
                multiline
                rows={2}
                maxLength={300}
                hint="Optional. How it is packed and how it arrives."
              />
            </div>
          </div>
        </Panel>
        <Panel title="Pictures">
          <PicturesField
            pictures={picturesOf(form.values)}
            problem={form.errors.image ?? form.errors.more_pictures}
            onCut={addCut}
            onChange={([first, ...more]) =>
              form.fill({ image: first?.image ?? '', more_pictures: writeMorePictures(more) })
            }
          />
        </Panel>
        <PricePanel form={form} product={product} />
        <FoodPanel form={form} />
        <CostPanel form={form} costs={product?.costs ?? []} />
        <ShopPanel form={form} />
        <div className={styles.end}>
          <FormEnd
            form={form}
            submitLabel={product ? 'Save changes' : 'Add product'}
            cancel={
              isStale ? (
                <button type="button" className={buttons.quiet} onClick={onStartOver}>
                  Load the latest version
                </button>
              ) : undefined
            }
          />
        </div>
      </div>
      <aside className={styles.aside}>
        <ProductPreview values={form.values} row={product?.row ?? null} renderCard={renderCard} />
      </aside>
    </Form>
  );
}

function picturesOf({ image, more_pictures }: ProductValues) {
  return [...(image === '' ? [] : [{ image, alt: '' }]), ...readMorePictures(more_pictures)];
}

function FoodPanel({ form }: { form: FormState<ProductValues> }) {
  return (
    <Panel title="Food details">
      <div className={styles.grid}>
        <SelectField
          form={form}
          name="food_mark"
          label="Veg or non-veg"
          hint="Egg counts as non-veg."
          options={[
            { value: '', label: 'Choose one' },
            { value: 'veg', label: 'Veg: green dot' },
            { value: 'non-veg', label: 'Non-veg: brown triangle' },
          ]}
        />
        <TextField form={form} name="shelf_life_days" label="Shelf life" inputMode="numeric" suffix="days" />
        <div className={styles.wide}>
          <TextField form={form} name="ingredients" label="Ingredients" multiline rows={2} maxLength={2000} />
        </div>
        <div className={styles.wide}>
          <TextField
            form={form}
            name="allergens"
            label="Allergens"
            maxLength={500}
            hint="Such as milk, nuts or gluten. Enter None if there are none."
          />
        </div>
        <TextField form={form} name="storage" label="Storage" maxLength={300} placeholder="Cool and dry, airtight" />
        <TextField
          form={form}
          name="maker"
          label="Made by"
          maxLength={300}
          hint="Name, address and licence. Leave blank if it is made in your own kitchen."
        />
      </div>
    </Panel>
  );
}

function ShopPanel({ form }: { form: FormState<ProductValues> }) {
  const { values } = form;
  const gaps = listingGaps({
    ...values,
    weight_grams: values.has_size === 'weight' ? 500 : values.weight_grams,
  });
  return (
    <Panel title="In the shop">
      <div className={styles.grid}>
        <CheckField
          form={form}
          name="is_listed"
          label="Listed: customers see it"
          hint={gaps.length > 0 ? `To list it, fill in: ${gapWords(gaps)}.` : 'Available as soon as there is stock.'}
        />
        <SelectField
          form={form}
          name="combo"
          label="Combo pack on the home page"
          options={[
            { value: '', label: 'None' },
            ...comboPacks.map((pack) => ({ value: pack, label: `${pack} pack` })),
          ]}
        />
      </div>
    </Panel>
  );
}
