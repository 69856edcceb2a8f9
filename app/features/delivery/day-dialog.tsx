import { useId, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { type DeliveryCalendar, orderByWords } from '#domain/delivery/delivery-calendar.ts';
import { monthGrids } from '#domain/delivery/month-grid.ts';
import { formatCalendarDay, formatLongMonth, formatShortDay } from '#domain/time.ts';
import styles from './day-dialog.module.css';
import { DayGrid } from './day-grid.tsx';
import { useDeliveryCalendar } from './use-delivery-calendar.ts';

export type DayDialogProps = {
  pincode: string;
  productIds: readonly number[];
  open: boolean;
  chosen: string | null;
  onChoose(day: string | null): void;
  onClose(): void;
};

/** The calendar in which a delivery day is chosen. */
export default function DayDialog({ open, onClose, ...choice }: DayDialogProps) {
  const id = useId();
  return (
    <Dialog open={open} onClose={onClose} labelledBy={id}>
      <div className={styles.content}>
        <header className={styles.head}>
          <h2 id={id}>Choose a delivery day</h2>
          <Button variant="text" onClick={onClose}>
            Close
          </Button>
        </header>
        <p className={styles.soft}>To {choice.pincode}. Your sweets are made fresh and packed just in time.</p>
        <Calendar {...choice} onClose={onClose} />
      </div>
    </Dialog>
  );
}

/** Read each time that it is opened: what is possible changes by the hour. */
function Calendar({ pincode, productIds, ...choice }: Omit<DayDialogProps, 'open'>) {
  const { calendar, hasFailed, retry } = useDeliveryCalendar(pincode, productIds);
  if (calendar?.ok) return <Days calendar={calendar} {...choice} />;
  return (
    <>
      {hasFailed && <p role="alert">We couldn’t load the calendar just now.</p>}
      {calendar && <p role="alert">We don’t deliver to {pincode} yet.</p>}
      {!calendar && !hasFailed && (
        <div className={styles.loading} aria-busy="true">
          <Skeleton />
        </div>
      )}
      {hasFailed && (
        <div className={styles.end}>
          <Button variant="primary" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
    </>
  );
}

type DaysProps = Omit<DayDialogProps, 'open' | 'pincode' | 'productIds'> & {
  calendar: Extract<DeliveryCalendar, { ok: true }>;
};

function Days({ calendar, chosen, onChoose, onClose }: DaysProps) {
  const { days, earliest, festivals, today, mayBeEarlyDays } = calendar;
  const last = days.at(-1)?.day ?? today;
  const byDay = new Map(days.map((one) => [one.day, one]));
  const start = chosen && byDay.has(chosen) ? chosen : (earliest ?? today);
  const [current, setCurrent] = useState(start);
  const grids = monthGrids(today, last);
  const shown = grids.findIndex(({ month }) => month.slice(0, 7) === current.slice(0, 7));
  const grid = grids[shown];
  const looked = byDay.get(current);
  const isPossible = looked?.refusal === null;
  const id = useId();

  /** To the first possible day of another month, or its first one. */
  function turn(to: number) {
    const month = grids[to]?.month.slice(0, 7) ?? '';
    const ofMonth = days.filter(({ day }) => day.startsWith(month));
    setCurrent((ofMonth.find(({ refusal }) => refusal === null) ?? ofMonth[0])?.day ?? current);
  }

  function choose(day: string | null) {
    onChoose(day === earliest ? null : day);
    onClose();
  }

  if (!grid) return null;
  return (
    <>
      {festivals.length > 0 && (
        <ul className={styles.festivals}>
          {festivals.map((festival) => (
            <li key={`${festival.name} ${festival.orderBy}`}>
              {orderByWords(festival)}{' '}
              <small>
                ({formatShortDay(festival.firstDay)}
                {festival.lastDay !== festival.firstDay && ` to ${formatShortDay(festival.lastDay)}`})
              </small>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.month}>
        <Button size="small" aria-label="Previous month" disabled={shown === 0} onClick={() => turn(shown - 1)}>
          ‹
        </Button>
        <h3 id={id} aria-live="polite">
          {formatLongMonth(grid.month)}
        </h3>
        <Button
          size="small"
          aria-label="Next month"
          disabled={shown === grids.length - 1}
          onClick={() => turn(shown + 1)}
        >
          ›
        </Button>
      </div>
      <DayGrid
        grid={grid}
        days={byDay}
        first={today}
        last={last}
        current={current}
        chosen={isPossible ? current : null}
        labelledBy={id}
        onMove={setCurrent}
      />
      <div className={styles.foot}>
        <div className={styles.said} role="status">
          {looked?.refusal ? (
            <p className={styles.refusal}>{looked.refusal}</p>
          ) : (
            looked?.packOn && (
              <>
                <p>
                  <b>{formatCalendarDay(current)}</b>
                  {current === earliest && ', the earliest day'}. We make and pack it on{' '}
                  {formatCalendarDay(looked.packOn)}.
                </p>
                {mayBeEarlyDays > 0 && (
                  <p className={styles.soft}>
                    The courier may bring it up to{' '}
                    {mayBeEarlyDays === 1 ? '1 working day' : `${mayBeEarlyDays} working days`} earlier.
                  </p>
                )}
              </>
            )
          )}
        </div>
        <div className={styles.end}>
          <Button variant="primary" disabled={!isPossible} onClick={() => choose(current)}>
            {isPossible ? `Deliver on ${formatCalendarDay(current)}` : 'Choose another day'}
          </Button>
          {earliest && current !== earliest && (
            <Button onClick={() => choose(null)}>Earliest: {formatCalendarDay(earliest)}</Button>
          )}
        </div>
      </div>
    </>
  );
}
