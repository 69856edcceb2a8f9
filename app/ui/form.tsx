import type { ReactNode } from 'react';
import { type FieldValues, FormProvider, useFormState } from 'react-hook-form';
import { Button } from './button.tsx';
import styles from './form.module.css';
import { LeaveGuard } from './leave-guard.tsx';
import type { SaveForm } from './use-save-form.ts';

export type FormProps<Values extends FieldValues, Value> = {
  form: SaveForm<Values, Value>;
  label?: string;
  className?: string;
  /** Without a warning before leaving, for values not worth one: a filter, a word to confirm. */
  isUnguarded?: boolean;
  children: ReactNode;
};

/** The fields inside find their form by themselves; unsaved changes are guarded. */
export function Form<Values extends FieldValues, Value>(props: FormProps<Values, Value>) {
  const { form, label, className, isUnguarded, children } = props;
  const { submit, change, ...methods } = form;
  return (
    <FormProvider {...methods}>
      <form
        className={className ? `${styles.form} ${className}` : styles.form}
        onSubmit={submit}
        noValidate
        aria-label={label}
      >
        {children}
        {!isUnguarded && <FormGuard />}
      </form>
    </FormProvider>
  );
}

function FormGuard() {
  const { isDirty, isSubmitting } = useFormState();
  return <LeaveGuard isChanged={isDirty && !isSubmitting} />;
}

/** The error of the form as a whole. */
export function FormProblem() {
  const { errors } = useFormState();
  if (!errors.root?.message) return null;
  return (
    <p role="alert" className={styles.problem}>
      {errors.root.message}
    </p>
  );
}

/** The end of most forms: the form's error, the submit button and the way out. */
export function FormEnd({ submitLabel, cancel }: { submitLabel: string; cancel?: ReactNode }) {
  const { isDirty, isSubmitting } = useFormState();
  return (
    <div className={styles.end}>
      <FormProblem />
      <Button type="submit" variant="primary" isBusy={isSubmitting}>
        {isSubmitting ? 'Saving…' : submitLabel}
      </Button>
      {cancel}
      {isDirty && !isSubmitting && <span className={styles.hint}>Not saved yet</span>}
    </div>
  );
}
