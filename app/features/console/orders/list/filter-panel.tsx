import type { ReactNode } from 'react';
import { paymentWords, statusWords } from '#app/features/console/order-status/order-words.ts';
import buttons from '#app/ui/button.module.css';
import { type FormState, SelectField, TextField, useForm } from '#app/ui/form.tsx';
import { fulfilmentTitles, sourceTitles } from '#domain/orders/order-titles.ts';
import { paymentStatuses } from '#domain/orders/payment-status.ts';
import { orderStatuses } from '#domain/orders/status.ts';
import { checkWith } from '../../form/inputs.ts';
import styles from './filter-panel.module.css';
import { type FieldName, FilterForm, fieldNames, type ListState, noFields } from './order-filter.ts';

type Fields = Record<FieldName, string>;
type Filters = FormState<Fields>;

const check = checkWith(FilterForm);
const optionsOf = (words: Record<string, string>, all: string) => [
  { value: '', label: all },
  ...Object.entries(words).map(([value, label]) => ({ value, label })),
];

export type FilterPanelProps = { state: ListState; onFilter(fields: Fields): void; onClose(): void };

/** Everything that the list can be narrowed by. */
export function FilterPanel({ state, onFilter, onClose }: FilterPanelProps) {
  const start = Object.fromEntries(fieldNames.map((name) => [name, state[name]])) as Fields;
  const form: Filters = useForm({
    start,
    check: (values) => {
      const checked = check(values);
      return checked.ok ? { ok: true, value: trimmed(values) } : checked;
    },
    async save(fields: Fields) {
      onFilter(fields);
      return { ok: true as const };
    },
  });

  return (
    <form ref={form.element} className={styles.panel} onSubmit={form.submit} noValidate aria-label="Filters">
      <Choices
        form={form}
        name="status"
        legend="Status"
        values={orderStatuses}
        titleOf={(one) => statusWords[one].title}
      />
      <Choices
        form={form}
        name="payment"
        legend="Payment"
        values={paymentStatuses}
        titleOf={(one) => paymentWords[one].title}
      />
      <div className={styles.fields}>
        <TextField form={form} name="from" label="Placed from" type="date" />
        <TextField form={form} name="to" label="Placed until" type="date" />
        <TextField form={form} name="customer" label="Customer" maxLength={100} />
        <TextField form={form} name="phone" label="Phone" inputMode="tel" maxLength={20} />
        <TextField form={form} name="pincode" label="Pincode begins with" inputMode="numeric" maxLength={6} />
        <TextField form={form} name="product" label="Product" maxLength={100} />
        <TextField form={form} name="min" label="Total from" inputMode="decimal" prefix="₹" />
        <TextField form={form} name="max" label="Total up to" inputMode="decimal" prefix="₹" />
        <TextField form={form} name="waiting" label="Waiting more than" inputMode="numeric" suffix="hours" />
        <TextField form={form} name="number" label="Order number" inputMode="numeric" />
        <SelectField
          form={form}
          name="fulfilment"
          label="Delivery or pick-up"
          options={optionsOf(fulfilmentTitles, 'Both')}
        />
        <SelectField form={form} name="source" label="Source" options={optionsOf(sourceTitles, 'All sources')} />
      </div>
      <div className={styles.end}>
        <button type="submit" className={buttons.small} data-main>
          Apply filters
        </button>
        <button type="button" className={buttons.small} onClick={() => onFilter(noFields)}>
          Clear filters
        </button>
        <button type="button" className={buttons.small} onClick={onClose}>
          Close
        </button>
      </div>
    </form>
  );
}

const trimmed = (values: Fields) => Object.fromEntries(fieldNames.map((name) => [name, values[name].trim()])) as Fields;

type ChoicesProps<Value extends string> = {
  form: Filters;
  name: FieldName;
  legend: ReactNode;
  values: readonly Value[];
  titleOf(value: Value): string;
};

/** Several of a list; nothing chosen is as good as all. */
function Choices<Value extends string>({ form, name, legend, values, titleOf }: ChoicesProps<Value>) {
  const chosen = new Set(form.values[name].split(','));
  const choose = (value: Value, wanted: boolean) =>
    form.set(name, values.filter((one) => (one === value ? wanted : chosen.has(one))).join(','));
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {values.map((value) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={chosen.has(value)}
            onChange={(event) => choose(value, event.target.checked)}
          />
          {titleOf(value)}
        </label>
      ))}
    </fieldset>
  );
}
