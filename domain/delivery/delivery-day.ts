import { calendarDay, indiaAheadMs } from '../time.ts';
import { type Day, dayAfter, type WorkingDays, workingDayFrom } from './promise.ts';

/** How many days ahead a delivery day can be chosen. */
export const lastChoice = 60;

/** Days that can be chosen until `orderBy` only; a zone's own cut-off comes before those of all zones. */
export type Cutoff = { name: string; startsOn: Day; endsOn: Day; orderBy: Day; isOfZone: boolean };

/** Why a day cannot be chosen; the reasons of private.delivery_days(), and freshness. */
export type DayReason = 'day-closed' | 'day-off' | 'day-too-soon' | 'day-cutoff-passed' | 'would-spoil';

export type DeliveryDay = {
  day: Day;
  /** The day on which it is packed, as late as the journey allows; null where it cannot be there so soon. */
  packOn: Day | null;
  reason: Exclude<DayReason, 'would-spoil'> | null;
};

/**
 * Today and every day that can be chosen from it, for a zone that takes so many working days. private.delivery_days() decides;
 * this is what tests hold it against.
 */
export function deliveryDays(
  at: Date,
  workingDays: number,
  calendar: WorkingDays,
  cutoffs: readonly Cutoff[] = [],
): DeliveryDay[] {
  const today = calendarDay(at);
  const clock = new Date(at.getTime() + indiaAheadMs).toISOString().slice(11, 23);
  const firstPacking = clock < calendar.cutoff ? today : dayAfter(today, 1);
  let hasEarliest = false;
  return Array.from({ length: lastChoice + 1 }, (_, ahead): DeliveryDay => {
    const day = dayAfter(today, ahead);
    if (calendar.closures.some(({ startsOn, endsOn }) => startsOn <= day && day <= endsOn))
      return { day, packOn: null, reason: 'day-closed' };
    if (workingDayFrom(day, calendar, day) === null) return { day, packOn: null, reason: 'day-off' };
    const packOn = workingDaysBefore(day, workingDays, calendar, firstPacking);
    if (packOn === null) return { day, packOn, reason: 'day-too-soon' };
    const isEarliest = !hasEarliest;
    hasEarliest = true;
    const cutoff = cutoffOf(day, cutoffs);
    return { day, packOn, reason: !isEarliest && cutoff && cutoff.orderBy < today ? 'day-cutoff-passed' : null };
  });
}

/** The working day so many working days before this one; null: before the earliest day that is looked at. */
function workingDaysBefore(day: Day, count: number, calendar: WorkingDays, earliest: Day): Day | null {
  let left = count;
  for (let looked = day; looked >= earliest; looked = dayAfter(looked, -1)) {
    if (workingDayFrom(looked, calendar, looked) === null) continue;
    if (left === 0) return looked;
    left -= 1;
  }
  return null;
}

function cutoffOf(day: Day, cutoffs: readonly Cutoff[]): Cutoff | undefined {
  const [first] = cutoffs
    .filter(({ startsOn, endsOn }) => startsOn <= day && day <= endsOn)
    .sort((a, b) => Number(b.isOfZone) - Number(a.isOfZone) || a.orderBy.localeCompare(b.orderBy));
  return first;
}
