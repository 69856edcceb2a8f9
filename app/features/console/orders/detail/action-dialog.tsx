import { type ReactNode, useLayoutEffect } from 'react';
import { Button } from '#app/ui/button.tsx';
import type { AnyForm } from '#app/ui/form.tsx';
import { LeaveGuard } from '#app/ui/leave-guard.tsx';
import styles from './action-dialog.module.css';

export const dialogTitleId = 'order-dialog-title';

export type ActionFormProps = {
  form: AnyForm;
  title: string;
  text?: ReactNode;
  submitLabel: string;
  tone?: 'plain' | 'danger';
  /** The field that is filled in first; without one Enter does it. */
  focusOn?: string;
  onClose(): void;
  children?: ReactNode;
};

/** What is asked before something is done to an order; inside a dialog that the page keeps. */
export function ActionForm(props: ActionFormProps) {
  const { form, title, text, submitLabel, tone = 'plain', focusOn, onClose, children } = props;
  // The attribute, which React does not write: a dialog looks for it when it opens, a moment later.
  useLayoutEffect(() => {
    const first = focusOn ? `[name="${focusOn}"]` : '[type="submit"]';
    form.element.current?.querySelector(first)?.setAttribute('autofocus', '');
  }, [form.element, focusOn]);
  return (
    <form ref={form.element} className={styles.form} onSubmit={form.submit} noValidate>
      <LeaveGuard isChanged={form.isChanged && !form.isSaving} />
      <h2 id={dialogTitleId}>{title}</h2>
      {text && <div className={styles.text}>{text}</div>}
      {children}
      {form.problem && (
        <p role="alert" className={styles.problem}>
          {form.problem}
        </p>
      )}
      <div className={styles.choice}>
        <Button type="submit" variant={tone === 'danger' ? 'danger' : 'primary'} isBusy={form.isSaving}>
          {form.isSaving ? 'One moment…' : submitLabel}
        </Button>
        <Button onClick={onClose}>Go back</Button>
      </div>
    </form>
  );
}
