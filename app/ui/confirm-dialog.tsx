import { type ReactNode, useId, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogActions, DialogBody } from './dialog.tsx';

export type ConfirmDialogProps = {
  open: boolean;
  title: string;
  text?: ReactNode;
  confirmLabel: string;
  /** Label of the button that goes back. */
  closeLabel?: string;
  tone?: 'plain' | 'danger';
  /** A required field is still empty. */
  isIncomplete?: boolean;
  /** It stays open until this is done. */
  onConfirm(): unknown;
  onClose(): void;
  /** Fields to fill in. */
  children?: ReactNode;
};

/** Asks for a confirmation before an action that is hard to undo. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, text, confirmLabel, closeLabel = 'Go back', onConfirm, onClose, children } = props;
  const { tone = 'plain', isIncomplete = false } = props;
  const [busy, setBusy] = useState(false);
  const id = useId();

  async function confirm() {
    if (busy || isIncomplete) return;
    setBusy(true);
    try {
      await onConfirm();
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      role="alertdialog"
      labelledBy={`${id}-title`}
      describedBy={text ? `${id}-text` : undefined}
      isLocked={busy}
    >
      <DialogBody>
        <h2 id={`${id}-title`}>{title}</h2>
        {text && <div id={`${id}-text`}>{text}</div>}
        {children}
        <DialogActions>
          <Button
            variant={tone === 'danger' ? 'danger' : 'primary'}
            isBusy={busy}
            disabled={isIncomplete}
            onClick={confirm}
          >
            {confirmLabel}
          </Button>
          {/* An accidental Enter must not confirm. */}
          <Button data-first-focus={(tone === 'danger' && !children) || undefined} onClick={onClose} disabled={busy}>
            {closeLabel}
          </Button>
        </DialogActions>
      </DialogBody>
    </Dialog>
  );
}
