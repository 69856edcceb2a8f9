import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button } from '#app/ui/button.tsx';
import { Form, FormProblem } from '#app/ui/form.tsx';
import type { SaveForm } from '#app/ui/use-save-form.ts';
import styles from './action-dialog.module.css';

export const dialogTitleId = 'order-dialog-title';

export type ActionFormProps<Values extends FieldValues, Value> = {
  form: SaveForm<Values, Value>;
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
export function ActionForm<Values extends FieldValues, Value>(props: ActionFormProps<Values, Value>) {
  const { form, title, text, submitLabel, tone = 'plain', focusOn, onClose, children } = props;
  // The attribute, which React does not write: a dialog looks for it when it opens, a moment later.
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const first = focusOn ? `[name="${focusOn}"]` : '[type="submit"]';
    heading.current?.closest('form')?.querySelector(first)?.setAttribute('autofocus', '');
  }, [focusOn]);
  const { isSubmitting } = form.formState;
  return (
    <Form form={form} className={styles.form}>
      <h2 ref={heading} id={dialogTitleId}>
        {title}
      </h2>
      {text && <div className={styles.text}>{text}</div>}
      {children}
      <FormProblem />
      <div className={styles.choice}>
        <Button type="submit" variant={tone === 'danger' ? 'danger' : 'primary'} isBusy={isSubmitting}>
          {isSubmitting ? 'One moment…' : submitLabel}
        </Button>
        <Button onClick={onClose}>Go back</Button>
      </div>
    </Form>
  );
}
