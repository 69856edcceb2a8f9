import { calendarDay, indiaAheadMs } from '../time.ts';

/** Days are YYYY-MM-DD, as the database writes them. */
export type Day = string;

/** When the shop works. */
export type WorkingDays = {
  /** Until then orders leave the same day: 14:00, in India. */
  cutoff: string;
  /** Days of the week on which nothing moves; 0 is Sunday. */
  weeklyOff: readonly number[];
  closures: readonly { startsOn: Day; endsOn: Day }[];
};

export type Journey = { leavesOn: Day; arrivesOn: Day };

/** No promise is made beyond a year. */
const horizonDays = 366;
const dayMs = 86_400_000;

/**
 * When an order of this moment leaves, and the day by which it arrives after so many working days; null: the shop is
 * closed. private.promise_delivery() decides; this is what tests hold it against.
 */
export function journeyOf(at: Date, workingDays: number, calendar: WorkingDays): Journey | null {
  const today = calendarDay(at);
  const horizon = dayAfter(today, horizonDays);
  const leavesOn = workingDayFrom(dayAfter(today, isBeforeCutoff(at, calendar.cutoff) ? 0 : 1), calendar, horizon);
  const arrivesOn = leavesOn && workingDayAfter(leavesOn, workingDays, calendar, horizon);
  return leavesOn !== null && arrivesOn !== null ? { leavesOn, arrivesOn } : null;
}

/** The first working day from this one on; null when there is none until the horizon. */
export function workingDayFrom(day: Day, { weeklyOff, closures }: WorkingDays, horizon: Day): Day | null {
  for (let looked = day; looked <= horizon; looked = dayAfter(looked, 1)) {
    const isOff = weeklyOff.includes(new Date(`${looked}T00:00Z`).getUTCDay());
    if (!isOff && !closures.some(({ startsOn, endsOn }) => startsOn <= looked && looked <= endsOn)) return looked;
  }
  return null;
}

/** The day so many working days after another: by when a refund is due; null: the shop is closed for the year ahead. */
export function workingDayAfter(
  from: Day,
  workingDays: number,
  calendar: WorkingDays,
  horizon: Day = dayAfter(from, horizonDays + 1),
): Day | null {
  let day: Day | null = from;
  for (let step = 0; step < workingDays && day !== null; step += 1)
    day = workingDayFrom(dayAfter(day, 1), calendar, horizon);
  return day;
}

/** Sweets are made on the day they leave; at least a third of their life must be left when they arrive. */
export function survives(shelfLifeDays: number | null, travelDays: number): boolean {
  return shelfLifeDays === null || 3 * (shelfLifeDays - travelDays) >= shelfLifeDays;
}

export const travelDaysOf = ({ leavesOn, arrivesOn }: Journey): number =>
  (Date.parse(arrivesOn) - Date.parse(leavesOn)) / dayMs;

export function dayAfter(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

function isBeforeCutoff(at: Date, cutoff: string): boolean {
  return new Date(at.getTime() + indiaAheadMs).toISOString().slice(11, 23) < cutoff;
}
