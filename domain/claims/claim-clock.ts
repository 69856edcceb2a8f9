import { formatStep, formatWeekday, instantFrom } from '../time.ts';

/** By when something is due: "by Wed, 18 Nov" where the whole day is left, or with the time; and since when it is overdue. */
export function dueWords(dueAt: string, now: Date): string {
  const due = instantFrom(dueAt);
  if (!due) return '';
  // The end of a day is said as that day.
  const isEndOfDay = (due.getTime() + indiaAhead) % dayMs === 0;
  const said = isEndOfDay ? formatWeekday(new Date(due.getTime() - 1)) : formatStep(due);
  if (due.getTime() > now.getTime()) return `by ${said}`;
  return `overdue, was due ${isEndOfDay ? 'on' : 'by'} ${said}`;
}

const dayMs = 24 * 60 * 60 * 1000;
const indiaAhead = 5.5 * 60 * 60 * 1000;
