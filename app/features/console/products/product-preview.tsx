import type { ReactNode } from 'react';
import { FoodMark } from '#app/ui/food-mark.tsx';
import { Panel } from '#app/ui/panel.tsx';
import type { ProductRow } from '#contracts/console/products.ts';
import { foodFacts } from '#domain/catalog/food-facts.ts';
import { foodMarks } from '#domain/catalog/food-mark.ts';
import type { ProductDetails } from '#domain/catalog/product.ts';
import { paise } from '#domain/money.ts';
import { backedOfferPercent, struckPaise } from '#domain/products/backed-offer.ts';
import { gapWords, listingGaps } from '#domain/products/listing-gaps.ts';
import { readMorePictures } from '#domain/products/more-pictures.ts';
import { decimal, rupees, whole } from '../form/inputs.ts';
import type { ProductValues } from './form-values.ts';

import styles from './product-preview.module.css';

type Props = {
  values: ProductValues;
  row: ProductRow | null;
  /** The card as the shop draws it. */
  renderCard(product: ProductDetails): ReactNode;
};

const amount = rupees({ min: 0 });
const percent = decimal({ min: 0, max: 40, places: 2 });
const number = whole({ min: 1, max: 30_000 });

/** Preview, while it is typed. */
export function ProductPreview({ values, row, renderCard }: Props) {
  const product = previewOf(values, row);
  const hasPrice = product.pricePaise > 0;
  return (
    <Panel title="Preview">
      <div className={styles.preview}>
        {/* It only shows: nothing in it leads away from what was typed. */}
        <div className={styles.card} data-unpriced={!hasPrice || undefined} inert>
          {renderCard(product)}
        </div>
        {!hasPrice && <p className={styles.unpriced}>Enter a price to see it here.</p>}
        {product.description && <p className={styles.description}>{product.description}</p>}
        <dl className={styles.facts}>
          {foodFacts(product)
            .filter(({ label }) => hasPrice || !label.startsWith('Price'))
            .map(({ label, value, isStrong, isMark }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  {isMark && <FoodMark of={product.foodMark} />} {isStrong ? <strong>{value}</strong> : value}
                </dd>
              </div>
            ))}
        </dl>
        <p className={styles.note}>{standingWords(values, row)}</p>
      </div>
    </Panel>
  );
}

function standingWords(values: ProductValues, row: ProductRow | null): string {
  const gaps = listingGaps(values);
  if (!values.is_listed) return 'Not listed: customers can’t see it yet.';
  if (gaps.length > 0) return `Can’t be listed yet. Missing: ${gapWords(gaps)}.`;
  return row === null || row.on_hand === 0
    ? 'Listed, but out of stock. Customers can ask to be notified.'
    : 'Listed and in stock.';
}

/** As if it were in stock. What cannot be read yet is shown as nothing. */
function previewOf(values: ProductValues, row: ProductRow | null): ProductDetails {
  const read = <T,>(
    schema: { safeParse(typed: string): { success: boolean; data?: T } },
    typed: string,
    otherwise: T,
  ) => {
    const parsed = schema.safeParse(typed);
    return parsed.success && parsed.data !== undefined ? parsed.data : otherwise;
  };
  const hasSize = values.has_size === 'weight';
  const pricePaise = paise(read(amount, values.price_paise, 0));
  const regularPricePaise =
    values.regular_price_paise.trim() === '' ? null : paise(read(amount, values.regular_price_paise, 0));
  return {
    id: row?.id ?? 0,
    name: values.name.trim() || 'Product name',
    pricePaise,
    regularPricePaise: struckPaise({ pricePaise, regularPricePaise }),
    image: values.image,
    category: values.category || 'Category',
    available: true,
    hasSize,
    rating: row?.rating ?? null,
    reviewCount: row?.review_count ?? 0,
    offerPercent: backedOfferPercent({ pricePaise, regularPricePaise }),
    foodMark: foodMarks.find((mark) => mark === values.food_mark) ?? null,
    description: values.description.trim(),
    weightGrams: hasSize ? 500 : read(number, values.weight_grams, 500),
    gstPercent: read(percent, values.gst_percent, 0),
    ingredients: values.ingredients,
    allergens: values.allergens,
    shelfLifeDays: values.shelf_life_days.trim() === '' ? null : read(number, values.shelf_life_days, 0) || null,
    storage: values.storage,
    maker: values.maker.trim(),
    taste: values.taste.trim(),
    travel: values.travel.trim(),
    pictures: readMorePictures(values.more_pictures),
  };
}
