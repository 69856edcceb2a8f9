import { type FormEvent, useCallback, useEffect, useState } from 'react';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  get,
  type Path,
  type ResolverResult,
  set,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import { dropDraft, findDraft, followForm } from './drafts.ts';
import { toast } from './toast.tsx';

export type CheckResult<Value> = { ok: true; value: Value } | { ok: false; errors: Record<string, string> };
export type SaveResult = { ok: true; value?: unknown } | { ok: false; field: string | null; message: string };

export type SaveFormOptions<Values extends FieldValues, Value, Result extends SaveResult> = {
  start: Values;
  /** What is saved, or what is wrong with which field. */
  check(values: NoInfer<Values>): CheckResult<Value>;
  save(value: Value): Promise<Result>;
  onSaved?(result: Extract<Result, { ok: true }>): void;
};

/** A form of React Hook Form that is checked as a whole, saved once, and shows a rejection at its field. */
export type SaveForm<Values extends FieldValues, Value = unknown> = UseFormReturn<Values, unknown, Value> & {
  submit(event?: FormEvent): Promise<void>;
  /** Changes fields from elsewhere than their own controls. */
  change(values: Partial<Values>): void;
};

const noResponse = {
  ok: false,
  field: null,
  message: 'The shop didn’t respond. Check your connection and try again.',
} as const;

export function useSaveForm<Values extends FieldValues, Value, Result extends SaveResult>({
  start,
  check,
  save,
  onSaved,
}: SaveFormOptions<Values, Value, Result>): SaveForm<Values, Value> {
  const form = useForm<Values, unknown, Value>({
    defaultValues: start as DefaultValues<Values>,
    resolver: (values) => resolve(check(values), values),
  });
  const { isSubmitting } = form.formState;
  useDraft(form, start);

  const trySave = form.handleSubmit(async (value) => {
    const submitted = structuredClone(form.getValues());
    const result = await save(value).catch((): SaveResult => noResponse);
    if (result.ok) {
      // What was typed while it was saved stays, and is not saved yet.
      form.reset(submitted, { keepValues: true });
      onSaved?.(result as Extract<Result, { ok: true }>);
    } else if (result.field && get(submitted, result.field) !== undefined)
      form.setError(result.field as Path<Values>, { message: result.message }, { shouldFocus: true });
    else form.setError('root', { message: result.message });
  });

  const { setValues, clearErrors } = form;
  const change = useCallback(
    (values: Partial<Values>) => {
      setValues(values, { shouldDirty: true });
      clearErrors(Object.keys(values) as Path<Values>[]);
    },
    [setValues, clearErrors],
  );

  return {
    ...form,
    async submit(event) {
      event?.preventDefault();
      if (!isSubmitting) await trySave();
    },
    change,
  };
}

/** The result of a check as React Hook Form reads it; what is wrong with no field is wrong with the form. */
function resolve<Values extends FieldValues, Value>(
  checked: CheckResult<Value>,
  values: Values,
): ResolverResult<Values, Value> {
  if (checked.ok) return { values: checked.value, errors: {} };
  const errors: FieldErrors<Values> = {};
  for (const [name, message] of Object.entries(checked.errors))
    set(errors, get(values, name) === undefined ? 'root' : name, { type: 'check', message });
  return { values: {}, errors };
}

/** Stores the typed values when the page is left to log in again, and restores them afterwards. */
function useDraft<Values extends FieldValues, Value>(form: UseFormReturn<Values, unknown, Value>, start: Values): void {
  const { getValues, setValues } = form;
  const { defaultValues: saved } = form.formState;
  const [first] = useState(start);
  useEffect(() => followForm(() => ({ start: saved ?? {}, values: getValues() })), [saved, getValues]);
  useEffect(() => {
    const draft = findDraft(first);
    if (!draft) return;
    setValues(draft as Partial<Values>, { shouldDirty: true });
    toast('info', 'What you typed before logging in is back. It is not saved yet.');
    // Later: while the page loads, the form may be mounted more than once.
    const timer = setTimeout(dropDraft, 5000, first);
    return () => clearTimeout(timer);
  }, [first, setValues]);
}
