import { type ComponentProps, type ReactNode, useId } from 'react';
import { useController } from 'react-hook-form';
import styles from './form.module.css';

type FieldProps = { name: string; label: string; hint?: ReactNode };

type TextProps = FieldProps & {
  /** Says how much of `maxLength` is used. */
  isCounted?: boolean;
};

/** A field of the form around it: what its control needs, and what is said about it. */
export function useField(name: string, said?: ReactNode, countedTo?: number) {
  const { field, fieldState } = useController({ name });
  const id = useId();
  const error = fieldState.error?.message;
  const hint = countedTo ? `${field.value.length} of ${countedTo}` : said;
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return {
    notes: { id, hint, error },
    control: {
      ...field,
      id,
      'aria-invalid': error ? true : undefined,
      'aria-describedby': describedBy || undefined,
    },
  };
}

type Notes = { id: string; hint?: ReactNode; error: string | undefined };

function FieldNotes({ id, hint, error }: Notes) {
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </>
  );
}

/** A label, its control, and what to know or what is wrong. */
export function Field({ label, notes, children }: { label: string; notes: Notes; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={notes.id}>{label}</label>
      {children}
      <FieldNotes {...notes} />
    </div>
  );
}

export type TextFieldProps = TextProps &
  Pick<
    ComponentProps<'input'>,
    'type' | 'inputMode' | 'maxLength' | 'placeholder' | 'autoComplete' | 'autoFocus' | 'list' | 'min' | 'max' | 'step'
  > & { prefix?: string; suffix?: string };

export function TextField({ name, label, hint, prefix, suffix, isCounted, ...input }: TextFieldProps) {
  const { notes, control } = useField(name, hint, isCounted ? input.maxLength : undefined);
  return (
    <Field label={label} notes={notes}>
      <span className={styles.control}>
        {prefix && <span aria-hidden="true">{prefix}</span>}
        <input autoComplete="off" {...input} {...control} />
        {suffix && <span aria-hidden="true">{suffix}</span>}
      </span>
    </Field>
  );
}

/** An amount in rupees. */
export function MoneyField(props: FieldProps & Pick<TextFieldProps, 'autoFocus' | 'placeholder' | 'inputMode'>) {
  return <TextField prefix="₹" inputMode="decimal" {...props} />;
}

export type TextAreaFieldProps = TextProps & Pick<ComponentProps<'textarea'>, 'rows' | 'maxLength' | 'placeholder'>;

export function TextAreaField({ name, label, hint, rows = 3, isCounted, ...textarea }: TextAreaFieldProps) {
  const { notes, control } = useField(name, hint, isCounted ? textarea.maxLength : undefined);
  return (
    <Field label={label} notes={notes}>
      <textarea rows={rows} {...textarea} {...control} />
    </Field>
  );
}

export type Option = { value: string; label: string };

export function SelectField({ name, label, hint, options }: FieldProps & { options: readonly Option[] }) {
  const { notes, control } = useField(name, hint);
  return (
    <Field label={label} notes={notes}>
      <select {...control}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function CheckField({ name, label, hint }: FieldProps) {
  const { notes, control } = useField(name, hint);
  const { value, ...input } = control;
  return (
    <div className={styles.check}>
      <input type="checkbox" {...input} checked={value} />
      <label htmlFor={notes.id}>{label}</label>
      <FieldNotes {...notes} />
    </div>
  );
}
