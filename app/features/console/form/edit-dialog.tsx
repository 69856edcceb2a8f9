import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import { useFormState } from 'react-hook-form';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FormEnd } from '#app/ui/form.tsx';
import { DiscardDialog, type IsLeft, LeavesBy } from '#app/ui/leave-guard.tsx';
import { toast } from '#app/ui/toast.tsx';
import type { Outcome } from '../data/requests.ts';
import styles from './edit-dialog.module.css';

export type EditControls = {
  /** Something typed is not saved yet: then nothing closes the dialog by accident. */
  onChanged(isChanged: boolean): void;
  cancel(): void;
  askDelete(): void;
  close(): void;
};

export type Deletion = { title: string; text: ReactNode; done: string; run(): Promise<Outcome<unknown>> };

type Props = {
  open: boolean;
  title: string;
  /** Something else lies on top of it. */
  isCovered?: boolean;
  deletion?: Deletion | null;
  onClose(): void;
  /** It was deleted. */
  onDeleted?(): void;
  children(controls: EditControls): ReactNode;
};

/** One thing on the table: asks before what was typed is lost, and before it is deleted. */
export function EditDialog({ open, title, isCovered = false, deletion = null, onClose, onDeleted, children }: Props) {
  const id = useId();
  const [isChanged, setChanged] = useState(false);
  const [asks, setAsks] = useState<'leave' | 'delete' | null>(null);

  const isClosing = useRef(false);
  // It lives in the address: Back closes it as any other step does, unless it was closed here.
  const isLeft = useCallback<IsLeft>(
    (from, to) => !isClosing.current && (from.pathname !== to.pathname || from.search !== to.search),
    [],
  );

  function close() {
    isClosing.current = true;
    setAsks(null);
    setChanged(false);
    onClose();
    setTimeout(() => {
      isClosing.current = false;
    });
  }
  const cancel = () => (isChanged ? setAsks('leave') : close());
  async function remove() {
    if (!deletion) return;
    const outcome = await deletion.run();
    setAsks(null);
    if (!outcome.ok) return toast('error', outcome.message);
    toast('success', deletion.done);
    close();
    onDeleted?.();
  }

  return (
    <Dialog
      open={open}
      onClose={cancel}
      isLocked={isCovered || asks !== null}
      asksFirst={isChanged}
      labelledBy={id}
      className={styles.dialog}
    >
      <div className={styles.body}>
        <h2 id={id}>{title}</h2>
        <LeavesBy value={isLeft}>
          {children({ onChanged: setChanged, cancel, askDelete: () => setAsks('delete'), close })}
        </LeavesBy>
      </div>
      <DiscardDialog open={asks === 'leave'} onDiscard={close} onKeep={() => setAsks(null)} />
      <ConfirmDialog
        open={asks === 'delete'}
        title={deletion?.title ?? ''}
        text={deletion?.text}
        confirmLabel="Delete"
        tone="danger"
        onConfirm={remove}
        onClose={() => setAsks(null)}
      />
    </Dialog>
  );
}

type EditEndProps = {
  controls: Pick<EditControls, 'onChanged' | 'cancel' | 'askDelete'>;
  /** A new one cannot be deleted yet. */
  isNew: boolean;
  submitLabel?: string;
  /** Other ways to save. */
  children?: ReactNode;
};

/** The end of a form in such a dialog: Save, Cancel and Delete; the dialog learns whether something is unsaved. */
export function EditEnd({ controls, isNew, submitLabel = 'Save', children }: EditEndProps) {
  const { onChanged, cancel, askDelete } = controls;
  const { isDirty } = useFormState();
  useEffect(() => onChanged(isDirty), [onChanged, isDirty]);
  return (
    <FormEnd
      submitLabel={submitLabel}
      cancel={
        <>
          {children}
          <Button onClick={cancel}>Cancel</Button>
          {!isNew && (
            <Button variant="outlined-danger" className={styles.delete} onClick={askDelete}>
              Delete
            </Button>
          )}
        </>
      }
    />
  );
}
