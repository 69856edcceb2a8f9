import { useId, useState } from 'react';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { controlProps, Field } from '#app/ui/field.tsx';
import { Input } from '#app/ui/input.tsx';
import type { ProductRow } from '#contracts/console/products.ts';
import { offerPrice } from '#domain/products/backed-offer.ts';
import { priceProblem } from '#domain/products/price-change.ts';
import { whole } from '../form/inputs.ts';
import styles from './bulk-dialogs.module.css';
import { KeptPrices, keptWords, type NewPrice, PricePreview } from './price-preview.tsx';
import { isBacked, productsWord } from './product-data.ts';
import type { ProductChange } from './use-product-changes.ts';

type Props = {
  chosen: readonly ProductRow[];
  onClose(): void;
  apply(changes: readonly ProductChange[], said: string): Promise<boolean>;
};

const Percent = whole({ min: 0, max: 90 });

/** Starts or ends an offer: the price goes down from the regular one, or back to it, so that the tag is always true. */
export function OfferDialog({ chosen, onClose, apply }: Props) {
  const [typed, setTyped] = useState('10');
  const id = useId();
  const parsed = Percent.safeParse(typed);
  const percent = parsed.success ? parsed.data : 0;
  const results = chosen.map((row) => offered(row, percent));
  const changed = results.filter(
    ({ row, price, regular, problem }) =>
      problem === null && (price !== row.price_paise || regular !== row.regular_price_paise || !isBacked(row)),
  );
  const refused = results.filter(({ problem }) => problem !== null).length;
  const hint =
    percent > 0
      ? `Each price becomes ${percent}% below its regular price. If a product has no regular price, today’s price is used.`
      : 'Ends the offer: prices go back to the regular price and the tag is removed.';
  const notes = {
    id,
    ...(parsed.success ? { hint } : { error: 'Enter a whole number from 0 to 90. 0 ends the offer.' }),
  };
  return (
    <ConfirmDialog
      open
      title={`Offer on ${productsWord(chosen.length)}`}
      confirmLabel={percent > 0 ? 'Start offer' : 'End offer'}
      isIncomplete={!parsed.success || (refused > 0 && changed.length === 0)}
      onClose={onClose}
      onConfirm={() =>
        apply(
          changed.map(({ row, price, regular }) => ({
            row,
            changes: { price_paise: price, regular_price_paise: regular, offer_percent: percent },
          })),
          percent > 0
            ? `${productsWord(changed.length)} now ${percent}% off.${keptWords(refused)}`
            : `${productsWord(changed.length)} back to the regular price.${keptWords(refused)}`,
        )
      }
    >
      <Field label="Offer (%)" {...notes}>
        <Input
          {...controlProps(notes)}
          inputMode="numeric"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      {parsed.success && refused > 0 && <KeptPrices count={refused} />}
      {parsed.success && (
        <div className={styles.scroll}>
          <PricePreview results={results} />
        </div>
      )}
    </ConfirmDialog>
  );
}

function offered(row: ProductRow, percent: number): NewPrice {
  const regular = row.regular_price_paise ?? row.price_paise;
  const price = percent > 0 ? offerPrice(regular, percent) : regular;
  const newRegular = percent > 0 ? regular : null;
  return { row, price, regular: newRegular, problem: priceProblem(price, newRegular) };
}
