import { MoneyField } from '#app/ui/fields.tsx';
import { Panel } from '#app/ui/panel.tsx';
import type { ProductAnswer } from '#contracts/console/products.ts';
import { formatPaise } from '#domain/money.ts';
import { marginOf } from '#domain/products/margin.ts';
import { formatDay, instantFrom } from '#domain/time.ts';
import { rupees } from '../form/inputs.ts';
import type { ProductValues } from './form-values.ts';

import styles from './product-form.module.css';

type Props = { values: ProductValues; costs: ProductAnswer['costs'] };

const amount = rupees({ min: 0 });

/** What a unit costs us: for our eyes, and for the books from the day it is saved. */
export function CostPanel({ values, costs }: Props) {
  const price = amount.safeParse(values.price_paise);
  const cost = amount.safeParse(values.unit_cost_paise);
  const margin = price.success && cost.success ? marginOf(price.data, cost.data) : null;
  const unit = values.has_size === 'weight' ? '500 g' : 'piece';
  return (
    <Panel title="Cost">
      <div className={styles.grid}>
        <MoneyField
          name="unit_cost_paise"
          label={`Unit cost per ${unit}`}
          hint="Never shown to customers. Applies to new orders; orders already placed keep their cost."
        />
        <div className={styles.fixed}>
          <strong>Margin</strong>
          {margin ? (
            <p className={margin.paise < 0 ? styles.warning : undefined}>
              {formatPaise(margin.paise)} per {unit}, {margin.percent}% of price
            </p>
          ) : (
            <p>unknown</p>
          )}
        </div>
        {costs.length > 0 && (
          <details className={styles.wide}>
            <summary>Cost history</summary>
            <ul className={styles.costs}>
              {costs.map(({ valid_from, unit_cost_paise }) => {
                const since = instantFrom(valid_from);
                return (
                  <li key={valid_from}>
                    <span>{formatPaise(unit_cost_paise)}</span>
                    <span>since {since ? formatDay(since) : valid_from}</span>
                  </li>
                );
              })}
            </ul>
          </details>
        )}
      </div>
    </Panel>
  );
}
