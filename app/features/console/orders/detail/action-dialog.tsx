import { type ReactNode, useLayoutEffect } from 'react';
import buttons from '#app/ui/button.module.css';
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
        <button type="submit" className={tone === 'danger' ? buttons.danger : buttons.main} aria-busy={form.isSaving}>
          {form.isSaving ? 'One moment…' : submitLabel}
        </button>
        <button type="button" className={buttons.quiet} onClick={onClose}>
          Go back
        </button>
      </div>
    </form>
  );
}
