import { type ReactNode, useEffect, useRef } from 'react';
import styles from './dialog.module.css';
import { Toaster } from './toast.tsx';

export type DialogProps = {
  open: boolean;
  onClose(): void;
  /** The id of the element that names the dialog. */
  labelledBy: string;
  /** The id of the element that says more. */
  describedBy?: string;
  role?: 'dialog' | 'alertdialog';
  className?: string;
  /** Only `open` closes it. */
  isLocked?: boolean;
  /** Escape and a press beside it only call `onClose`: it stays as long as it is `open`. */
  asksFirst?: boolean;
  children: ReactNode;
};

/** The platform's modal dialog: focus stays inside and comes back, Escape closes, the page behind stands still. */
export function Dialog(props: DialogProps) {
  const {
    open,
    onClose,
    labelledBy,
    describedBy,
    role = 'dialog',
    className,
    isLocked = false,
    asksFirst = false,
    children,
  } = props;
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    if (open && !dialog.open) {
      dialog.showModal();
      dialog.querySelector<HTMLElement>('[data-first-focus]')?.focus();
    }
    if (!open && dialog.open) dialog.close();
  }, [open]);
  return (
    <dialog
      ref={element}
      role={role}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      className={`${styles.dialog} ${className ?? ''}`}
      closedby={isLocked || asksFirst ? 'none' : undefined}
      onKeyDown={(event) => {
        const isOwn = (event.target as Element).closest('dialog') === element.current;
        if (event.key !== 'Escape' || !isOwn || !asksFirst || isLocked) return;
        event.preventDefault(); // or it would close the question at once
        onClose();
      }}
      // Called at once: the close event follows later, when the dialog may have been opened again.
      onCancel={(event) => {
        if (event.target !== element.current) return; // of a dialog inside
        if (isLocked || asksFirst)
          event.preventDefault(); // for browsers that do not know closedby
        else onClose();
      }}
      onClose={() => !element.current?.open && onClose()}
      onClick={(event) => event.target === element.current && !isLocked && onClose()}
    >
      {open && (
        <>
          {children}
          <Toaster inDialog />
        </>
      )}
    </dialog>
  );
}

/** The inside of most dialogs: a heading (h2) and what follows. */
export function DialogBody({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return <div className={className ? `${styles.body} ${className}` : styles.body}>{children}</div>;
}

/** Buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
