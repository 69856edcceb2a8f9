import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { CalendarDay } from '#domain/delivery/delivery-calendar.ts';
import { dayByKey, type MonthGrid } from '#domain/delivery/month-grid.ts';
import { weekdays } from '#domain/delivery/weekdays.ts';
import { formatDate } from '#domain/time.ts';
import styles from './day-dialog.module.css';

export type DayGridProps = {
  grid: MonthGrid;
  days: ReadonlyMap<string, CalendarDay>;
  first: string;
  last: string;
  /** The day that is looked at: the arrow keys begin there. */
  current: string;
  /** The day that is chosen; null: none yet. */
  chosen: string | null;
  /** The id of the element that names the month. */
  labelledBy: string;
  onMove(day: string): void;
};

/**
 * A month as a grid: one stop for the tab key, arrows from day to day, Page Up and Page Down from month to month. Impossible days
 * can be looked at, too: they say why.
 */
export function DayGrid({ grid, days, first, last, current, chosen, labelledBy, onMove }: DayGridProps) {
  const focused = useRef<HTMLButtonElement>(null);
  // When the calendar opens, its day has the focus.
  const isByKey = useRef(true);
  useEffect(() => {
    if (!isByKey.current) return;
    isByKey.current = false;
    if (current) focused.current?.focus();
  }, [current]);

  function onKeyDown(event: KeyboardEvent) {
    const next = dayByKey(event.key, current, first, last);
    if (next === null) return;
    event.preventDefault();
    isByKey.current = true;
    onMove(next);
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table whose cells the arrow keys move between
    <table className={styles.grid} role="grid" aria-labelledby={labelledBy} onKeyDown={onKeyDown}>
      <thead>
        <tr>
          {weekdays.map((name) => (
            <th key={name} scope="col" abbr={name}>
              {name.slice(0, 3)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {grid.weeks.map((week) => (
          <tr key={week.find(Boolean)}>
            {week.map((day, place) => (
              // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the cells of a grid are gridcells
              // biome-ignore lint/suspicious/noArrayIndexKey: a place in the week
              <td key={place} aria-selected={day !== null && day === chosen}>
                {day && (
                  <Day
                    day={day}
                    of={days.get(day)}
                    isCurrent={day === current}
                    isChosen={day === chosen}
                    button={day === current ? focused : null}
                    onPress={() => onMove(day)}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type DayProps = {
  day: string;
  of: CalendarDay | undefined;
  isCurrent: boolean;
  isChosen: boolean;
  button: React.Ref<HTMLButtonElement>;
  onPress(): void;
};

function Day({ day, of, isCurrent, isChosen, button, onPress }: DayProps) {
  const number = Number(day.slice(8));
  // Days that are over or too far ahead belong to the month, not to the choice.
  if (!of) return <span className={styles.outside}>{number}</span>;
  const weekday = weekdays[new Date(`${day}T00:00Z`).getUTCDay()];
  return (
    <button
      ref={button}
      type="button"
      className={styles.day}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={`${weekday}, ${formatDate(day)}${of.refusal ? `. ${of.refusal}` : ''}`}
      aria-disabled={of.refusal !== null || undefined}
      data-chosen={isChosen || undefined}
      data-current={isCurrent || undefined}
      onClick={onPress}
    >
      {number}
    </button>
  );
}
