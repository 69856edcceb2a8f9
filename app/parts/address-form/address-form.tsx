import { type FormEvent, useId, useRef, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { controlProps, Field } from '#app/ui/field.tsx';
import { controlClass, Input } from '#app/ui/input.tsx';
import {
  type AddressErrors,
  type AddressFields,
  addressErrors,
  emptyAddress,
  longestLabel,
  tidiedAddress,
} from '#domain/addresses/address-book.ts';
import { longest } from '#domain/addresses/address-fields.ts';
import { indianStates, unionTerritories } from '#domain/indian-states.ts';
import styles from './address-form.module.css';

export type AddressFormProps = {
  /** null: a new one. */
  stored: AddressFields | null;
  saveLabel: string;
  /** Why it was not saved; null: it was. */
  save(fields: AddressFields): Promise<string | null>;
  onCancel(): void;
};

type FieldName = keyof AddressFields;

/** One entry of the address book. A form of its own, never inside another. */
export function AddressForm({ stored, saveLabel, save, onCancel }: AddressFormProps) {
  const [fields, setFields] = useState(stored ?? emptyAddress);
  const [errors, setErrors] = useState<AddressErrors>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const ids = useId();

  function change(name: FieldName, value: string) {
    const next = { ...fields, [name]: value };
    setFields(next);
    if (errors[name]) setErrors({ ...errors, [name]: addressErrors(tidiedAddress(next))[name] });
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (saving) return;
    const next = tidiedAddress(fields);
    const found = addressErrors(next);
    setFields(next);
    setErrors(found);
    setRefusal(null);
    const wrong = (Object.keys(emptyAddress) as FieldName[]).find((name) => found[name]);
    if (wrong) return (form.current?.elements.namedItem(wrong) as HTMLElement | null)?.focus();
    setSaving(true);
    const problem = await save(next).finally(() => setSaving(false));
    setRefusal(problem);
  }

  const field = (name: FieldName, label: string, autoComplete: string, more: React.ComponentProps<'input'> = {}) => {
    const of = { id: `${ids}-${name}`, label, error: errors[name], ...(name === 'label' && { hint: labelHint }) };
    return (
      <Field {...of} className={styles[name]}>
        <Input
          {...controlProps(of)}
          name={name}
          autoComplete={autoComplete}
          maxLength={name === 'label' ? longestLabel : longest[name]}
          value={fields[name]}
          onChange={(event) => change(name, event.target.value)}
          {...more}
        />
      </Field>
    );
  };
  const state = { id: `${ids}-state`, label: 'State', error: errors.state };

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      {field('name', 'Who gets the parcel', 'shipping name', { autoFocus: true })}
      {field('phone', 'Their mobile number', 'shipping tel', { type: 'tel', inputMode: 'tel' })}
      {field('buildingNo', 'Building or apartment', 'shipping address-line1')}
      {field('street', 'Street', 'shipping address-line2')}
      {field('zip', 'ZIP (pincode)', 'shipping postal-code', { inputMode: 'numeric' })}
      {field('city', 'City', 'shipping address-level2')}
      <Field {...state} className={styles.state}>
        <select
          {...controlProps(state)}
          name="state"
          className={controlClass()}
          autoComplete="shipping address-level1"
          value={fields.state}
          onChange={(event) => change('state', event.target.value)}
        >
          <option value="">Choose a state</option>
          {[['States', indianStates] as const, ['Union territories', unionTerritories] as const].map(
            ([group, names]) => (
              <optgroup key={group} label={group}>
                {names.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </optgroup>
            ),
          )}
        </select>
      </Field>
      {field('label', 'Save as (optional)', 'off', { placeholder: 'Nani, Office…' })}
      {refusal && (
        <p role="alert" className={styles.refusal}>
          {refusal}
        </p>
      )}
      <div className={styles.done}>
        <Button type="submit" variant="primary" isBusy={saving}>
          {saveLabel}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

const labelHint = 'Only you see this.';
