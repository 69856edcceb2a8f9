import { type ComponentProps, type FormEvent, useId, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { controlProps, Field } from '#app/ui/field.tsx';
import { Input, TextArea } from '#app/ui/input.tsx';
import { Select } from '#app/ui/select.tsx';
import {
  boxLetters,
  fieldLabels,
  type RecipientErrors,
  type RecipientField,
  type RecipientFields,
  recipientErrors,
  tidiedRecipient,
} from '#domain/groups/recipient.ts';
import { indianStates, unionTerritories } from '#domain/indian-states.ts';
import styles from './recipient-form.module.css';

export type RecipientFormProps = {
  fields: RecipientFields;
  /** What is known to be wrong; those fields come first into view. */
  errors: RecipientErrors;
  /** How many kinds of boxes there are; null: an order that is paid, of which only the address changes. */
  boxes: number | null;
  saveLabel: string;
  isBusy?: boolean;
  onSave(fields: RecipientFields): void;
  onCancel(): void;
};

const controls: Partial<Record<RecipientField, ComponentProps<'input'>>> = {
  phone: { type: 'tel', inputMode: 'tel' },
  pincode: { inputMode: 'numeric' },
  email: { type: 'email', inputMode: 'email' },
};
const personal: RecipientField[] = ['name', 'phone', 'buildingNo', 'street', 'pincode', 'city'];

/** One recipient, in place of its row. */
export function RecipientForm(props: RecipientFormProps) {
  const { errors: known, boxes, saveLabel, isBusy = false, onSave, onCancel } = props;
  const [fields, setFields] = useState({ ...props.fields, ...(known.box && { box: '' }) });
  const [touched, setTouched] = useState<RecipientErrors | null>(null);
  const errors = touched ?? known;
  const ids = useId();
  const firstWrong = (Object.keys(known) as RecipientField[])[0] ?? 'name';

  const change = (name: RecipientField, value: string) => {
    setFields({ ...fields, [name]: value });
    if (errors[name]) setTouched({ ...errors, [name]: undefined });
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    const next = tidiedRecipient(fields);
    setFields(next);
    const found = recipientErrors(next, boxes ?? boxLetters.length);
    setTouched(found);
    if (Object.keys(found).length === 0) onSave(next);
  }

  const of = (name: RecipientField, label = fieldLabels[name], hint?: string) => ({
    id: `${ids}-${name}`,
    label,
    error: errors[name],
    hint,
  });
  const input = (name: RecipientField, label?: string, hint?: string) => {
    const field = of(name, label, hint);
    return (
      <Field key={name} {...field} className={styles[name]}>
        <Input
          {...controlProps(field)}
          {...controls[name]}
          autoFocus={name === firstWrong}
          value={fields[name]}
          onChange={(event) => change(name, event.target.value)}
        />
      </Field>
    );
  };
  const state = of('state');
  const day = of('day', 'Delivery day (optional)', 'Empty: as soon as possible.');
  const note = of('note', 'Note (optional)', 'Empty: the note for everybody.');
  const box = of('box');

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {personal.map((name) => input(name))}
      <Field {...state}>
        <Select
          {...controlProps(state)}
          autoFocus={firstWrong === 'state'}
          value={[...indianStates, ...unionTerritories].find((name) => name === fields.state) ?? ''}
          options={[
            { value: '', label: 'Choose a state' },
            ...[...indianStates, ...unionTerritories].map((name) => ({ value: name, label: name })),
          ]}
          onChange={(value) => change('state', value)}
        />
      </Field>
      {boxes !== null && (
        <>
          <Field {...day}>
            <Input
              {...controlProps(day)}
              type={/^(\d{4}-\d\d-\d\d)?$/.test(fields.day) ? 'date' : 'text'}
              autoFocus={firstWrong === 'day'}
              value={fields.day}
              onChange={(event) => change('day', event.target.value)}
            />
          </Field>
          {(boxes > 1 || known.box) && (
            <Field {...box}>
              <Select
                {...controlProps(box)}
                value={boxLetters.find((letter) => letter === fields.box) ?? 'A'}
                options={boxLetters.slice(0, boxes).map((letter) => ({ value: letter, label: `Box ${letter}` }))}
                onChange={(value) => change('box', value)}
              />
            </Field>
          )}
          {input('email', 'Email (optional)', 'We write once: “A box is on its way.” No prices.')}
          <Field {...note} className={styles.note}>
            <TextArea
              {...controlProps(note)}
              rows={3}
              dir="auto"
              autoFocus={firstWrong === 'note'}
              value={fields.note}
              onChange={(event) => change('note', event.target.value)}
            />
          </Field>
        </>
      )}
      <div className={styles.done}>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {saveLabel}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}
