import { type ComponentProps, type ReactNode, useId } from 'react';
import { useController } from 'react-hook-form';
import { Checkbox } from './checkbox.tsx';
import { controlProps, Field, FieldNotes } from './field.tsx';
import { Input, type InputProps, TextArea } from './input.tsx';
import { Select, type SelectOption } from './select.tsx';

type FormFieldProps = { name: string; label: string; hint?: ReactNode };

type TextProps = FormFieldProps & {
  /** Says how much of `maxLength` is used. */
  isCounted?: boolean;
};

/** A field of the form around it: `notes` for its Field, `control` for its control. */
export function useField(name: string, hint?: ReactNode, countedTo?: number) {
  const { field, fieldState } = useController({ name });
  const notes = {
    id: useId(),
    hint: countedTo ? `${field.value.length} of ${countedTo}` : hint,
    error: fieldState.error?.message,
  };
  return { notes, control: { ...field, ...controlProps(notes) } };
}

export type TextFieldProps = TextProps &
  Pick<
    InputProps,
    | 'type'
    | 'inputMode'
    | 'maxLength'
    | 'placeholder'
    | 'autoComplete'
    | 'autoFocus'
    | 'list'
    | 'min'
    | 'max'
    | 'step'
    | 'prefix'
    | 'suffix'
  >;

export function TextField({ name, label, hint, isCounted, ...input }: TextFieldProps) {
  const { notes, control } = useField(name, hint, isCounted ? input.maxLength : undefined);
  return (
    <Field label={label} {...notes}>
      <Input {...input} {...control} />
    </Field>
  );
}

/** An amount in rupees. It stays text until rules of `domain/` read it, which say in words what is wrong with it. */
export function MoneyField(props: FormFieldProps & Pick<TextFieldProps, 'autoFocus' | 'placeholder' | 'inputMode'>) {
  return <TextField prefix="₹" inputMode="decimal" {...props} />;
}

export type TextAreaFieldProps = TextProps & Pick<ComponentProps<'textarea'>, 'rows' | 'maxLength' | 'placeholder'>;

export function TextAreaField({ name, label, hint, rows = 3, isCounted, ...textarea }: TextAreaFieldProps) {
  const { notes, control } = useField(name, hint, isCounted ? textarea.maxLength : undefined);
  return (
    <Field label={label} {...notes}>
      <TextArea rows={rows} {...textarea} {...control} />
    </Field>
  );
}

export function SelectField({
  name,
  label,
  hint,
  options,
}: FormFieldProps & { options: readonly SelectOption<string>[] }) {
  const { notes, control } = useField(name, hint);
  return (
    <Field label={label} {...notes}>
      <Select {...control} options={options} />
    </Field>
  );
}

export function CheckField({ name, label, hint }: FormFieldProps) {
  const { notes, control } = useField(name, hint);
  const { value, ...input } = control;
  return (
    <div>
      <Checkbox {...input} label={label} checked={value} />
      <FieldNotes {...notes} />
    </div>
  );
}
