import { useCallback, useState } from 'react';
import { Dialog, type DialogProps } from './dialog.tsx';
import { DiscardDialog, UnsavedInside } from './leave-guard.tsx';

/** A dialog around a form: Escape and a press beside it ask before unsaved changes are lost. */
export function FormDialog({ onClose, isLocked, children, ...dialog }: Omit<DialogProps, 'asksFirst'>) {
  const [isChanged, setChanged] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const tell = useCallback((changed: boolean) => setChanged(changed), []);
  return (
    <Dialog
      {...dialog}
      // Also told of being closed from outside: then there is nothing left to ask about.
      onClose={() => (dialog.open && isChanged ? setAsking(true) : onClose())}
      asksFirst={isChanged}
      isLocked={isLocked || isAsking}
    >
      <UnsavedInside value={tell}>{children}</UnsavedInside>
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
