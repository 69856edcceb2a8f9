import { MoneyField, SelectField, TextField } from '#app/ui/fields.tsx';
import { Panel } from '#app/ui/panel.tsx';
import type { ProductAnswer, ProductRow } from '#contracts/console/products.ts';
import { offerWords, unbackedOfferWords } from '#domain/products/offer-words.ts';
import { rupees } from '../form/inputs.ts';
import type { ProductValues } from './form-values.ts';

import styles from './product-form.module.css';

type Props = { values: ProductValues; product: ProductAnswer | null };

const amount = rupees({ min: 1 });

export function PricePanel({ values, product }: Props) {
  const isByWeight = values.has_size === 'weight';
  return (
    <Panel title="Price and unit">
      <div className={styles.grid}>
        {product?.has_stock_history ? (
          <div className={styles.fixed}>
            <strong>Sold by {isByWeight ? 'weight' : 'piece'}</strong>
            <p>
              Can’t be changed, because its stock is counted in {isByWeight ? 'grams' : 'pieces'}. To sell it the other
              way, duplicate the product.
            </p>
          </div>
        ) : (
          <SelectField
            name="has_size"
            label="Sold by"
            hint="Can’t be changed once it has stock."
            options={[
              { value: 'weight', label: 'Weight: 500 g and 1 kg' },
              { value: 'piece', label: 'Piece or pack' },
            ]}
          />
        )}
        {isByWeight ? (
          <div className={styles.fixed}>
            <strong>Net weight 500 g or 1 kg</strong>
            <p>The customer chooses. 1 kg costs twice the price.</p>
          </div>
        ) : (
          <TextField name="weight_grams" label="Net weight of a piece or pack" inputMode="numeric" suffix="g" />
        )}
        <MoneyField
          name="price_paise"
          label={isByWeight ? 'Price per 500 g' : 'Price per piece'}
          hint="Before GST, which is added at checkout."
        />
        <MoneyField
          name="regular_price_paise"
          label="Regular price"
          hint="The price before the offer. Shown struck through if it is at least 1% higher."
        />
        <OfferNote values={values} row={product?.row ?? null} />
        <TextField name="gst_percent" label="GST rate" inputMode="decimal" suffix="%" hint="5% for most sweets." />
        <TextField
          name="hsn"
          label="HSN code"
          inputMode="numeric"
          hint="2106 sweets, 1806 chocolate, 1704 sugar confectionery."
        />
      </div>
    </Panel>
  );
}

function OfferNote({ values, row }: { values: ProductValues; row: ProductRow | null }) {
  const read = (typed: string) => {
    const parsed = amount.safeParse(typed);
    return parsed.success ? parsed.data : null;
  };
  const problem =
    row &&
    unbackedOfferWords({
      pricePaise: row.price_paise,
      regularPricePaise: row.regular_price_paise,
      offerPercent: row.offer_percent,
      isAvailable: row.is_available,
    });
  return (
    <div className={styles.fixed} aria-live="polite">
      {problem && <p className={styles.warning}>{problem}</p>}
      <strong>The shop will show</strong>
      <p>
        {offerWords({
          pricePaise: read(values.price_paise),
          regularPricePaise: read(values.regular_price_paise),
        })}
      </p>
    </div>
  );
}
