import { type Day, dayAfter } from './promise.ts';

export type MonthGrid = {
  /** The first day of the month, by which it is named. */
  month: Day;
  /** Weeks from Sunday to Saturday; null: a day of another month. */
  weeks: (Day | null)[][];
};

/** The months of a span of days, as a calendar on the wall shows them. */
export function monthGrids(first: Day, last: Day): MonthGrid[] {
  const grids: MonthGrid[] = [];
  for (let month = `${first.slice(0, 7)}-01`; month <= last; month = nextMonth(month)) {
    const cells: (Day | null)[] = Array.from({ length: weekday(month) }, () => null);
    for (let day = month; day.slice(0, 7) === month.slice(0, 7); day = dayAfter(day, 1)) cells.push(day);
    while (cells.length % 7 !== 0) cells.push(null);
    grids.push({
      month,
      weeks: Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7)),
    });
  }
  return grids;
}

const weekday = (day: Day): number => new Date(`${day}T00:00Z`).getUTCDay();
const nextMonth = (month: Day): Day => `${dayAfter(month, 31).slice(0, 7)}-01`;

/** The same day of the month before or after, or the last one of a shorter month. */
function monthLater(day: Day, by: 1 | -1): Day {
  const month =
    by === 1 ? nextMonth(`${day.slice(0, 7)}-01`) : `${dayAfter(`${day.slice(0, 7)}-01`, -1).slice(0, 7)}-01`;
  const last = dayAfter(nextMonth(month), -1);
  const same = `${month.slice(0, 8)}${day.slice(8)}`;
  return same < last ? same : last;
}

const moves: Record<string, (day: Day) => Day> = {
  ArrowLeft: (day) => dayAfter(day, -1),
  ArrowRight: (day) => dayAfter(day, 1),
  ArrowUp: (day) => dayAfter(day, -7),
  ArrowDown: (day) => dayAfter(day, 7),
  Home: (day) => dayAfter(day, -weekday(day)),
  End: (day) => dayAfter(day, 6 - weekday(day)),
  PageUp: (day) => monthLater(day, -1),
  PageDown: (day) => monthLater(day, 1),
};

/** Where a key of the keyboard leads from a day, within the days that there are; null: the key means nothing here. */
export function dayByKey(key: string, day: Day, first: Day, last: Day): Day | null {
  const target = moves[key]?.(day);
  if (!target) return null;
  if (target < first) return first;
  return target > last ? last : target;
}
