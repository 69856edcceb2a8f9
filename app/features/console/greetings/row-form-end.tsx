import buttons from '#app/ui/button.module.css';
import { FormEnd, type FormState } from '#app/ui/form.tsx';
import type { EditControls } from '../edit-dialog.tsx';
import styles from './row-form.module.css';

// biome-ignore lint/suspicious/noExplicitAny: the end of forms of any values
type Props = { form: FormState<any>; controls: EditControls; isNew: boolean };

export function RowFormEnd({ form, controls: { cancel, askDelete }, isNew }: Props) {
  return (
    <FormEnd
      form={form}
      submitLabel="Save"
      cancel={
        <>
          <button type="button" className={buttons.quiet} onClick={cancel}>
            Cancel
          </button>
          {!isNew && (
            <button type="button" className={`${buttons.danger} ${styles.last}`} onClick={askDelete}>
              Delete
            </button>
          )}
        </>
      }
    />
  );
}
