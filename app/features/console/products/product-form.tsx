import { type ReactNode, useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { CheckField, SelectField, TextAreaField, TextField } from '#app/ui/fields.tsx';
import { Form, FormEnd } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
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
  const form = useSaveForm({
    start,
    check: checkProduct,
    async save(value) {
      const outcome = await save(value);
      setStale(!outcome.ok && outcome.reason === 'stale');
      return outcome;
    },
    onSaved: ({ value }) => {
      toast('success', `${form.getValues('name').trim()} saved.`);
      if (product) onSaved();
      else void navigate(href('/admin/products/:id', { id: String(value.id) }), { replace: true });
    },
  });
  const values = form.watch();
  const { errors } = form.formState;
  useShortcut('s', 'Save product', () => void form.submit());

  return (
    <Form form={form} className={styles.form}>
      <div className={styles.fields}>
        <Panel title="Basic details">
          <div className={styles.grid}>
            <TextField name="name" label="Name" maxLength={120} />
            <SelectField
              name="category"
              label="Category"
              hint={<Link to={`${href('/admin/settings')}?tab=categories`}>Manage categories</Link>}
              options={[
                { value: '', label: 'Choose one' },
                ...categoryOptions(names, start.category).map(([value, label]) => ({ value, label })),
              ]}
            />
            <div className={styles.wide}>
              <TextAreaField name="description" label="Description" rows={4} maxLength={4000} />
            </div>
            <div className={styles.wide}>
              <TextAreaField
                name="taste"
                label="Taste"
                rows={2}
                maxLength={300}
                hint="Optional. What it tastes like, for someone who has never had it."
              />
            </div>
            <div className={styles.wide}>
              <TextAreaField
                name="travel"
                label="How it travels"
                rows={2}
                maxLength={300}
                hint="Optional. How it is packed and how it arrives."
              />
            </div>
          </div>
        </Panel>
        <Panel title="Pictures">
          <PicturesField
            pictures={picturesOf(values)}
            problem={errors.image?.message ?? errors.more_pictures?.message}
            onCut={addCut}
            onChange={([first, ...more]) =>
              form.change({ image: first?.image ?? '', more_pictures: writeMorePictures(more) })
            }
          />
        </Panel>
        <PricePanel values={values} product={product} />
        <FoodPanel />
        <CostPanel values={values} costs={product?.costs ?? []} />
        <ShopPanel values={values} />
        <div className={styles.end}>
          <FormEnd
            submitLabel={product ? 'Save changes' : 'Add product'}
            cancel={isStale ? <Button onClick={onStartOver}>Load the latest version</Button> : undefined}
          />
        </div>
      </div>
      <aside className={styles.aside}>
        <ProductPreview values={values} row={product?.row ?? null} renderCard={renderCard} />
      </aside>
    </Form>
  );
}

function picturesOf({ image, more_pictures }: ProductValues) {
  return [...(image === '' ? [] : [{ image, alt: '' }]), ...readMorePictures(more_pictures)];
}

function FoodPanel() {
  return (
    <Panel title="Food details">
      <div className={styles.grid}>
        <SelectField
          name="food_mark"
          label="Veg or non-veg"
          hint="Egg counts as non-veg."
          options={[
            { value: '', label: 'Choose one' },
            { value: 'veg', label: 'Veg: green dot' },
            { value: 'non-veg', label: 'Non-veg: brown triangle' },
          ]}
        />
        <TextField name="shelf_life_days" label="Shelf life" inputMode="numeric" suffix="days" />
        <div className={styles.wide}>
          <TextAreaField name="ingredients" label="Ingredients" rows={2} maxLength={2000} />
        </div>
        <div className={styles.wide}>
          <TextField
            name="allergens"
            label="Allergens"
            maxLength={500}
            hint="Such as milk, nuts or gluten. Enter None if there are none."
          />
        </div>
        <TextField name="storage" label="Storage" maxLength={300} placeholder="Cool and dry, airtight" />
        <TextField
          name="maker"
          label="Made by"
          maxLength={300}
          hint="Name, address and licence. Leave blank if it is made in your own kitchen."
        />
      </div>
    </Panel>
  );
}

function ShopPanel({ values }: { values: ProductValues }) {
  const gaps = listingGaps({
    ...values,
    weight_grams: values.has_size === 'weight' ? 500 : values.weight_grams,
  });
  return (
    <Panel title="In the shop">
      <div className={styles.grid}>
        <CheckField
          name="is_listed"
          label="Listed: customers see it"
          hint={gaps.length > 0 ? `To list it, fill in: ${gapWords(gaps)}.` : 'Available as soon as there is stock.'}
        />
        <SelectField
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
