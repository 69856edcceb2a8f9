import type { ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { paymentWords, statusWords } from '#app/features/console/order-status/order-words.ts';
import { Button } from '#app/ui/button.tsx';
import { MoneyField, SelectField, TextField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { fulfilmentTitles, sourceTitles } from '#domain/orders/order-titles.ts';
import { paymentStatuses } from '#domain/orders/payment-status.ts';
import { orderStatuses } from '#domain/orders/status.ts';
import { checkWith } from '../../form/inputs.ts';
import styles from './filter-panel.module.css';
import { type FieldName, FilterForm, fieldNames, type ListState, noFields } from './order-filter.ts';

type Fields = Record<FieldName, string>;

const check = checkWith(FilterForm);
const optionsOf = (words: Record<string, string>, all: string) => [
  { value: '', label: all },
  ...Object.entries(words).map(([value, label]) => ({ value, label })),
];

export type FilterPanelProps = { state: ListState; onFilter(fields: Fields): void; onClose(): void };

/** Everything that the list can be narrowed by. */
export function FilterPanel({ state, onFilter, onClose }: FilterPanelProps) {
  const start = Object.fromEntries(fieldNames.map((name) => [name, state[name]])) as Fields;
  const form = useSaveForm({
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
    <Form form={form} label="Filters" className={styles.panel} isUnguarded>
      <Choices name="status" legend="Status" values={orderStatuses} titleOf={(one) => statusWords[one].title} />
      <Choices name="payment" legend="Payment" values={paymentStatuses} titleOf={(one) => paymentWords[one].title} />
      <div className={styles.fields}>
        <TextField name="from" label="Placed from" type="date" />
        <TextField name="to" label="Placed until" type="date" />
        <TextField name="packfrom" label="To pack from" type="date" />
        <TextField name="packto" label="To pack until" type="date" />
        <TextField name="customer" label="Customer" maxLength={100} />
        <TextField name="phone" label="Phone" inputMode="tel" maxLength={20} />
        <TextField name="pincode" label="Pincode begins with" inputMode="numeric" maxLength={6} />
        <TextField name="product" label="Product" maxLength={100} />
        <MoneyField name="min" label="Total from" />
        <MoneyField name="max" label="Total up to" />
        <TextField name="waiting" label="Waiting more than" inputMode="numeric" suffix="hours" />
        <TextField name="number" label="Order number" inputMode="numeric" />
        <SelectField name="fulfilment" label="Delivery or pick-up" options={optionsOf(fulfilmentTitles, 'Both')} />
        <SelectField name="source" label="Source" options={optionsOf(sourceTitles, 'All sources')} />
      </div>
      <div className={styles.end}>
        <Button type="submit" size="small" data-main>
          Apply filters
        </Button>
        <Button size="small" onClick={() => onFilter(noFields)}>
          Clear filters
        </Button>
        <Button size="small" onClick={onClose}>
          Close
        </Button>
      </div>
    </Form>
  );
}

const trimmed = (values: Fields) => Object.fromEntries(fieldNames.map((name) => [name, values[name].trim()])) as Fields;

type ChoicesProps<Value extends string> = {
  name: FieldName;
  legend: ReactNode;
  values: readonly Value[];
  titleOf(value: Value): string;
};

/** Several of a list; nothing chosen is as good as all. */
function Choices<Value extends string>({ name, legend, values, titleOf }: ChoicesProps<Value>) {
  const { field } = useController<Fields>({ name });
  const chosen = new Set(field.value.split(','));
  const choose = (value: Value, wanted: boolean) =>
    field.onChange(values.filter((one) => (one === value ? wanted : chosen.has(one))).join(','));
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
