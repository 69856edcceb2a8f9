import { lazy, Suspense, useId, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { formatCalendarDay } from '#domain/time.ts';
import styles from './day-choice.module.css';

// Most parcels go as soon as possible: the calendar comes with the first press.
const DayDialog = lazy(() => import('./day-dialog.tsx'));

export type DayChoiceProps = {
  pincode: string;
  productIds: readonly number[];
  /** The day without choosing one; null while it is not known. */
  earliest: string | null;
  /** YYYY-MM-DD; null: as soon as possible. */
  chosen: string | null;
  onChoose(day: string | null): void;
  /** What the day is for, where that is not all there is to buy. */
  label?: string;
};

/** The day of delivery: the earliest one, until another is chosen in a calendar. */
export default function DayChoice({ earliest, chosen, label = 'Delivery day', ...dialog }: DayChoiceProps) {
  // Once opened it stays, closed: the focus comes back to the button.
  const [dialogState, setDialogState] = useState<'unopened' | 'open' | 'closed'>('unopened');
  const id = useId();
  const shown = chosen
    ? formatCalendarDay(chosen)
    : earliest
      ? `Earliest: ${formatCalendarDay(earliest)}`
      : 'Earliest possible';
  return (
    <div className={styles.choice}>
      <span id={`${id}-label`} className={styles.label}>
        {label}
      </span>
      <Button
        id={id}
        size="small"
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}`}
        onClick={() => setDialogState('open')}
      >
        {shown}
      </Button>
      {dialogState !== 'unopened' && (
        <Suspense>
          <DayDialog
            {...dialog}
            chosen={chosen}
            open={dialogState === 'open'}
            onClose={() => setDialogState('closed')}
          />
        </Suspense>
      )}
    </div>
  );
}
