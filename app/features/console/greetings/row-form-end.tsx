import buttons from '#app/ui/button.module.css';
import { type AnyForm, FormEnd } from '#app/ui/form.tsx';
import type { EditControls } from '../edit-dialog.tsx';
import styles from './row-form.module.css';

type Props = { form: AnyForm; controls: EditControls; isNew: boolean };

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
