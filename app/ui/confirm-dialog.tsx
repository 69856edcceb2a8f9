import { type ReactNode, useId, useState } from 'react';
import { Button } from './button.tsx';
import styles from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';

export type ConfirmDialogProps = {
  open: boolean;
  title: string;
  text?: ReactNode;
  confirmLabel: string;
  /** What the way back is called. */
  closeLabel?: string;
  tone?: 'plain' | 'danger';
  /** What must be filled in first is not yet. */
  isIncomplete?: boolean;
  /** It stays open until this is done. */
  onConfirm(): unknown;
  onClose(): void;
  /** More to fill in. */
  children?: ReactNode;
};

/** Asks before something that hurts, or that needs a word. */
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
      <div className={styles.body}>
        <h2 id={`${id}-title`}>{title}</h2>
        {text && <div id={`${id}-text`}>{text}</div>}
        {children}
        <div className={styles.choice}>
          <Button
            variant={tone === 'danger' ? 'outlined-danger' : 'primary'}
            isBusy={busy}
            disabled={isIncomplete}
            onClick={confirm}
          >
            {confirmLabel}
          </Button>
          {/* Enter pressed once too often must not hurt. */}
          <Button data-first-focus={(tone === 'danger' && !children) || undefined} onClick={onClose} disabled={busy}>
            {closeLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
