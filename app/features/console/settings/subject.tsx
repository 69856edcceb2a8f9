// Lists of the settings whose rows are opened, changed, added and deleted in a dialog: couriers, categories, boxes.
import { Fragment, type ReactNode } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type Deletion, type EditControls, EditDialog } from '../form/edit-dialog.tsx';
import styles from './subject.module.css';

/** The row that is open; null: none. */
export type Subject<Row> = Row | 'new' | null;

export type SubjectControls = EditControls & {
  /** Says that it is saved, reads the list again and closes the dialog. */
  saved(message: string): void;
};

type SubjectDialogProps<Row> = {
  subject: Subject<Row>;
  newTitle: string;
  /** null: it cannot be deleted. */
  deletionOf(row: Row): Deletion | null;
  onClose(): void;
  onChange(): void;
  children(row: Row | null, controls: SubjectControls): ReactNode;
};

/** The dialog of one row, or of a new one. */
export function SubjectDialog<Row extends { name: string; updated_at: string }>(props: SubjectDialogProps<Row>) {
  const { subject, newTitle, deletionOf, onClose, onChange, children } = props;
  const row = subject === 'new' ? null : subject;
  return (
    <EditDialog
      open={subject !== null}
      title={row?.name ?? newTitle}
      deletion={row && deletionOf(row)}
      onClose={onClose}
      onDeleted={onChange}
    >
      {(controls) => {
        const saved = (message: string) => {
          toast('success', message);
          onChange();
          controls.close();
        };
        return subject && <Fragment key={row?.updated_at ?? 'new'}>{children(row, { ...controls, saved })}</Fragment>;
      }}
    </EditDialog>
  );
}

type SubjectPanelProps = {
  title: string;
  /** What the list is for. */
  why: ReactNode;
  /** The button that adds a row; without one nothing can be added. */
  add?: { label: string; onAdd(): void };
  children: ReactNode;
};

export function SubjectPanel({ title, why, add, children }: SubjectPanelProps) {
  return (
    <Panel
      title={title}
      actions={
        add && (
          <Button variant="primary" size="small" onClick={add.onAdd}>
            {add.label}
          </Button>
        )
      }
    >
      <p className={styles.why}>{why}</p>
      {children}
    </Panel>
  );
}

/** The name of a row, which opens it. */
export function SubjectName({ name, className, onOpen }: { name: string; className?: string; onOpen(): void }) {
  return (
    <button type="button" className={className ? `${styles.name} ${className}` : styles.name} onClick={onOpen}>
      {name}
    </button>
  );
}
