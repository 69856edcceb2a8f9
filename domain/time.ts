const moment =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s?(?:(Z)|([+-])(\d{2})(?::?(\d{2}))?)?$/i;

/**
 * An instant from the backend's text: ISO, or as PostgreSQL writes it ('2026-11-16 04:01:39.93+00'), which browsers
 * read differently. Without a zone it is UTC, never the machine's. null for anything that is not a moment.
 */
export function instantFrom(text: string): Date | null {
  const match = moment.exec(text.trim());
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const zoneMinutes = Number(match[10] ?? 0) * 60 + Number(match[11] ?? 0);
  if (hour > 23 || minute > 59 || second > 59 || zoneMinutes > 15 * 60) return null;
  const asUtc = new Date(Date.UTC(2000, month - 1, day, hour, minute, second, milliseconds));
  // Date.UTC takes the years 0 to 99 for 1900 to 1999, and rolls 30 February over into March.
  asUtc.setUTCFullYear(year, month - 1, day);
  if (asUtc.getUTCMonth() !== month - 1 || asUtc.getUTCDate() !== day) return null;
  return new Date(asUtc.getTime() - (match[9] === '-' ? -1 : 1) * zoneMinutes * 60_000);
}

/** India has one time zone and no summer time. */
export const indiaAheadMs = 5.5 * 60 * 60 * 1000;

/** The day in India as the database writes it: 2026-11-16. */
export function calendarDay(instant: Date): string {
  return inIndia(instant).toISOString().slice(0, 10);
}

// Written out here, as Intl writes them for en-IN: making its first format takes a cheap phone a tenth of a second, and
// a browser and the server need not have the same words.
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = 'January February March April May June July August September October November December'.split(' ');

/** A clock shows in its UTC fields what stands on the wall. */
const inIndia = (instant: Date): Date => new Date(instant.getTime() + indiaAheadMs);
const longMonth = (clock: Date): string => months[clock.getUTCMonth()] ?? '';
const shortMonth = (clock: Date): string => longMonth(clock).slice(0, clock.getUTCMonth() === 8 ? 4 : 3);
const shortDay = (clock: Date): string => `${clock.getUTCDate()} ${shortMonth(clock)}`;
const fullDay = (clock: Date): string => `${shortDay(clock)} ${clock.getUTCFullYear()}`;
const weekday = (clock: Date): string => `${weekdays[clock.getUTCDay()]}, ${shortDay(clock)}`;
const hourOf = (clock: Date): number => clock.getUTCHours() % 12 || 12;
const halfOf = (clock: Date): string => (clock.getUTCHours() < 12 ? 'am' : 'pm');
const timeOf = (clock: Date): string =>
  `${hourOf(clock)}:${String(clock.getUTCMinutes()).padStart(2, '0')} ${halfOf(clock)}`;

/** The day in India, wherever the reader and the server are: 16 Nov 2026. */
export function formatDay(instant: Date): string {
  return fullDay(inIndia(instant));
}

/** The time of day in India: 9:31 am. */
export function formatTime(instant: Date): string {
  return timeOf(inIndia(instant));
}

/** Day and time in India: 16 Nov 2026, 9:31 am. */
export function formatMoment(instant: Date): string {
  return `${formatDay(instant)}, ${formatTime(instant)}`;
}

/** A day near today, in India: Mon, 16 Nov. */
export function formatWeekday(instant: Date): string {
  return weekday(inIndia(instant));
}

/** Day and time of a step on the way, in India: Mon, 16 Nov, 9:31 am. */
export function formatStep(instant: Date): string {
  return `${formatWeekday(instant)}, ${formatTime(instant)}`;
}

/** An hour of the day in India: 9 am. */
export function formatHour(moment: string): string {
  const instant = instantFrom(moment);
  const clock = instant && inIndia(instant);
  return clock ? `${hourOf(clock)} ${halfOf(clock)}` : '';
}

/** A day of the calendar is the same everywhere. Empty for anything that is none. */
function onCalendar(day: string, written: (clock: Date) => string): string {
  const clock = /^\d{4}-\d{2}-\d{2}$/.test(day) ? instantFrom(`${day}T00:00Z`) : null;
  return clock ? written(clock) : '';
}

/** A calendar day with its year, from the database's YYYY-MM-DD: 18 Nov 2026. */
export const formatDate = (day: string): string => onCalendar(day, fullDay);

/** A calendar day near today, from the database's YYYY-MM-DD: Wed, 18 Nov. */
export const formatCalendarDay = (day: string): string => onCalendar(day, weekday);

/** A calendar day where there is little room, from YYYY-MM-DD: 16 Nov. */
export const formatShortDay = (day: string): string => onCalendar(day, shortDay);

/** The month of a calendar day, where the year is known: Nov. */
export const formatMonth = (day: string): string => onCalendar(day, shortMonth);

/** The month of a calendar day: November 2026. */
export const formatLongMonth = (day: string): string =>
  onCalendar(day, (clock) => `${longMonth(clock)} ${clock.getUTCFullYear()}`);
