import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import buttons from './button.module.css';
import { dropDraft, findDraft, followForm } from './drafts.ts';
import styles from './form.module.css';
import { LeaveGuard } from './leave-guard.tsx';
import { toast } from './toast.tsx';

export type FormValues = Record<string, string | boolean>;
type Errors = Record<string, string>;
type Checked<V> = { ok: true; value: V } | { ok: false; errors: Errors };
type Saved = { ok: true; value?: unknown } | { ok: false; field: string | null; message: string };

const notAnswered = {
  ok: false,
  field: null,
  message: 'The shop didn’t respond. Check your connection and try again.',
} as const;

export type FormOptions<T extends FormValues, V, S extends Saved> = {
  start: T;
  check(values: T): Checked<V>;
  save(value: V): Promise<S>;
  onSaved?(saved: Extract<S, { ok: true }>): void;
};

export type FormState<T extends FormValues = FormValues> = {
  values: T;
  errors: Errors;
  /** What is wrong with the whole. */
  problem: string | null;
  isSaving: boolean;
  isChanged: boolean;
  set<Name extends keyof T>(name: Name, value: T[Name]): void;
  /** Several at once, from somewhere else than the keyboard. */
  fill(changes: Partial<T>): void;
  /** Starts over, from these values or the first ones. */
  reset(values?: T): void;
  submit(event?: FormEvent): Promise<void>;
  idOf(name: string): string;
  element: React.RefObject<HTMLFormElement | null>;
};

/** Values as typed; checked as a whole when saved, and a field that was refused again while it is mended. */
export function useForm<T extends FormValues, V, S extends Saved>(options: FormOptions<T, V, S>): FormState<T> {
  const { start, check, save, onSaved } = options;
  const [kept, setKept] = useState(start);
  // Typed before the page was left to log in again.
  const [draft] = useState(() => findDraft(start) as Partial<T> | null);
  const [values, setValues] = useState<T>({ ...start, ...draft });
  // A field may answer late (a picture that is being cut): what was typed meanwhile stays.
  const latest = useRef(values);
  const first = useRef(start);
  const typed = useRef({ start: kept, values });
  typed.current = { start: kept, values };
  useEffect(() => followForm(() => typed.current), []);
  useEffect(() => {
    if (!draft) return;
    toast('info', 'What you typed before logging in is back. It is not saved yet.');
    // Later: while the page loads, the form may be put up more than once.
    const timer = setTimeout(dropDraft, 5000, first.current);
    return () => clearTimeout(timer);
  }, [draft]);
  const [errors, setErrors] = useState<Errors>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const id = useId();
  const idOf = (name: string) => `${id}-${name}`;

  function set<Name extends keyof T>(name: Name, value: T[Name]) {
    const next = { ...latest.current, [name]: value };
    latest.current = next;
    setValues(next);
    if (!errors[name as string]) return;
    const checked = check(next);
    const { [name as string]: _mended, ...others } = errors;
    const still = checked.ok ? undefined : checked.errors[name as string];
    setErrors(still ? { ...others, [name as string]: still } : others);
  }

  function refuse(found: Errors, whole: string | null) {
    setErrors(found);
    setProblem(whole);
    const fields = [...(element.current?.elements ?? [])] as HTMLElement[];
    fields.find((field) => (field.getAttribute('name') ?? '') in found)?.focus();
  }

  async function submit(event?: FormEvent) {
    event?.preventDefault();
    if (isSaving) return;
    const checked = check(values);
    if (!checked.ok) {
      const strays = Object.entries(checked.errors).filter(([name]) => !(name in values));
      return refuse(checked.errors, strays[0]?.[1] ?? null);
    }
    setSaving(true);
    // What it needs to save at all may not have come: then nothing was saved, and can be again.
    const saved = await save(checked.value).catch((): Saved => notAnswered);
    setSaving(false);
    if (saved.ok) {
      refuse({}, null);
      setKept(values);
      onSaved?.(saved as Extract<S, { ok: true }>);
    } else if (saved.field && saved.field in values) refuse({ [saved.field]: saved.message }, null);
    else refuse({}, saved.message);
  }

  return {
    values,
    errors,
    problem,
    isSaving,
    isChanged: Object.keys(values).some((name) => values[name] !== kept[name]),
    set,
    fill(changes) {
      latest.current = { ...latest.current, ...changes };
      setValues(latest.current);
      setErrors((found) => Object.fromEntries(Object.entries(found).filter(([name]) => !(name in changes))));
    },
    reset(again = start) {
      latest.current = again;
      setKept(again);
      setValues(again);
      setErrors({});
      setProblem(null);
    },
    submit,
    idOf,
    element,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a field serves forms of any values
export type AnyForm = FormState<any>;

export function Form({ form, children, className }: { form: AnyForm; children: ReactNode; className?: string }) {
  return (
    <form ref={form.element} className={`${styles.form} ${className ?? ''}`} onSubmit={form.submit} noValidate>
      {children}
      <LeaveGuard isChanged={form.isChanged && !form.isSaving} />
    </form>
  );
}

type FieldProps = { form: AnyForm; name: string; label: string; hint?: ReactNode };

function fieldProps({ form, name, hint }: FieldProps) {
  const id = form.idOf(name);
  const error = form.errors[name];
  return {
    id,
    name,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
  };
}

/** A label, its control, and what to know or what is wrong. */
export function Field({ form, name, label, hint, children }: FieldProps & { children: ReactNode }) {
  const id = form.idOf(name);
  const error = form.errors[name];
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children}
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
    </div>
  );
}

export type TextFieldProps = FieldProps &
  Pick<
    ComponentProps<'input'>,
    'type' | 'inputMode' | 'maxLength' | 'placeholder' | 'autoComplete' | 'autoFocus' | 'list' | 'min' | 'max' | 'step'
  > & {
    multiline?: boolean;
    rows?: number;
    prefix?: string;
    suffix?: string;
    /** Says how much of `maxLength` is used. */
    isCounted?: boolean;
  };

export function TextField(props: TextFieldProps) {
  const { form, name, label, multiline, rows = 3, prefix, suffix, isCounted, hint: said, ...input } = props;
  const hint = isCounted ? `${form.values[name].length} of ${input.maxLength}` : said;
  const shared = {
    ...fieldProps({ form, name, label, hint }),
    value: form.values[name],
    onChange: (event: { target: { value: string } }) => form.set(name, event.target.value),
  };
  return (
    <Field form={form} name={name} label={label} hint={hint}>
      {multiline ? (
        <textarea {...shared} rows={rows} maxLength={input.maxLength} placeholder={input.placeholder} />
      ) : (
        <span className={styles.control}>
          {prefix && <span aria-hidden="true">{prefix}</span>}
          <input autoComplete="off" {...input} {...shared} />
          {suffix && <span aria-hidden="true">{suffix}</span>}
        </span>
      )}
    </Field>
  );
}

export type Option = { value: string; label: string };

export function SelectField({ form, name, label, hint, options }: FieldProps & { options: readonly Option[] }) {
  return (
    <Field form={form} name={name} label={label} hint={hint}>
      <select
        {...fieldProps({ form, name, label, hint })}
        value={form.values[name]}
        onChange={(event) => form.set(name, event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function CheckField(props: FieldProps) {
  const { form, name, label, hint } = props;
  const id = form.idOf(name);
  return (
    <div className={styles.check}>
      <input
        {...fieldProps(props)}
        type="checkbox"
        checked={form.values[name]}
        onChange={(event) => form.set(name, event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {form.errors[name] && (
        <p id={`${id}-error`} className={styles.error}>
          {form.errors[name]}
        </p>
      )}
    </div>
  );
}

/** The end of every form: what is wrong with the whole, and the way out. */
export function FormEnd({ form, submitLabel, cancel }: { form: AnyForm; submitLabel: string; cancel?: ReactNode }) {
  return (
    <div className={styles.end}>
      {form.problem && (
        <p role="alert" className={styles.problem}>
          {form.problem}
        </p>
      )}
      <button type="submit" className={buttons.main} aria-busy={form.isSaving}>
        {form.isSaving ? 'Saving…' : submitLabel}
      </button>
      {cancel}
      {form.isChanged && !form.isSaving && <span className={styles.hint}>Not saved yet</span>}
    </div>
  );
}
