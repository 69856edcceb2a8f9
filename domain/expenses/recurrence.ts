export const repetitions = ['never', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
export type Repetition = (typeof repetitions)[number];

const monthsBetween = { monthly: 1, quarterly: 3, yearly: 12 } as const;
const millisecondsOfDay = 86_400_000;

/**
 * The first day of a series after a day, as YYYY-MM-DD; null for what never repeats. A month that is too short has its
 * last day, and the next one is whole again: 31 Jan, 28 Feb, 31 Mar. The same rule as private.next_due in SQL.
 */
export function nextDue(repeatsFrom: string, repeats: Repetition, after: string): string | null {
  if (repeats === 'never') return null;
  if (after < repeatsFrom) return repeatsFrom;
  const [first, last] = [partsOf(repeatsFrom), partsOf(after)];
  if (repeats === 'weekly') {
    const days = (Date.UTC(...last) - Date.UTC(...first)) / millisecondsOfDay;
    return textOf(Date.UTC(first[0], first[1], first[2] + (Math.floor(days / 7) + 1) * 7));
  }
  const step = monthsBetween[repeats];
  const turns = Math.floor(((last[0] - first[0]) * 12 + last[1] - first[1]) / step);
  const candidate = monthsLater(first, turns * step);
  return candidate > after ? candidate : monthsLater(first, (turns + 1) * step);
}

type DayParts = [year: number, month: number, day: number];

function partsOf(day: string): DayParts {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return [year, month - 1, date];
}

function monthsLater([year, month, day]: DayParts, months: number): string {
  const lastOfMonth = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate();
  return textOf(Date.UTC(year, month + months, Math.min(day, lastOfMonth)));
}

function textOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
