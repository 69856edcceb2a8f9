import { useCallback, useState } from 'react';
import { Dialog, type DialogProps } from './dialog.tsx';
import { DiscardDialog, UnsavedInside } from './leave-guard.tsx';

/** A dialog around a form: Escape and a press beside it ask before unsaved changes are lost. */
export function FormDialog({ onClose, isLocked, children, ...dialog }: Omit<DialogProps, 'asksFirst'>) {
  const [isChanged, setChanged] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const reportChanged = useCallback((changed: boolean) => setChanged(changed), []);
  return (
    <Dialog
      {...dialog}
      // Also called after being closed from outside, when there is nothing left to confirm.
      onClose={() => (dialog.open && isChanged ? setAsking(true) : onClose())}
      asksFirst={isChanged}
      isLocked={isLocked || isAsking}
    >
      <UnsavedInside value={reportChanged}>{children}</UnsavedInside>
      <DiscardDialog
        open={isAsking}
        onKeep={() => setAsking(false)}
        onDiscard={() => {
          setAsking(false);
          onClose();
        }}
      />
    </Dialog>
  );
}
