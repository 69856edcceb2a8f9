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

/** Made when it is first needed: making one takes a phone some milliseconds, and no page needs them all. */
function dateFormat(options: Intl.DateTimeFormatOptions): Pick<Intl.DateTimeFormat, 'format'> {
  let made: Intl.DateTimeFormat | undefined;
  return {
    format(instant) {
      made ??= new Intl.DateTimeFormat('en-IN', options);
      return made.format(instant);
    },
  };
}

const dayInIndia = dateFormat({
  timeZone: 'Asia/Kolkata',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** The day in India, wherever the reader and the server are: 16 Nov 2026. */
export function formatDay(instant: Date): string {
  return dayInIndia.format(instant);
}

/** India has one time zone and no summer time. */
export const indiaAheadMs = 5.5 * 60 * 60 * 1000;

/** The day in India as the database writes it: 2026-11-16. */
export function calendarDay(instant: Date): string {
  return new Date(instant.getTime() + indiaAheadMs).toISOString().slice(0, 10);
}

const timeInIndia = dateFormat({ timeZone: 'Asia/Kolkata', hour: 'numeric', minute: '2-digit' });

/** The time of day in India: 9:31 am. */
export function formatTime(instant: Date): string {
  return timeInIndia.format(instant);
}

const momentInIndia = dateFormat({
  timeZone: 'Asia/Kolkata',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** Day and time in India: 16 Nov 2026, 9:31 am. */
export function formatMoment(instant: Date): string {
  return momentInIndia.format(instant);
}

const weekdayInIndia = dateFormat({
  timeZone: 'Asia/Kolkata',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});

/** A day near today, in India: Mon, 16 Nov. */
export function formatWeekday(instant: Date): string {
  return weekdayInIndia.format(instant);
}

const stepInIndia = dateFormat({
  timeZone: 'Asia/Kolkata',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});

/** Day and time of a step on the way, in India: Mon, 16 Nov, 9:31 am. */
export function formatStep(instant: Date): string {
  return stepInIndia.format(instant);
}

const weekdayOnCalendar = dateFormat({
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});

/** A calendar day near today, from the database's YYYY-MM-DD: Wed, 18 Nov. Empty for anything else. */
export function formatCalendarDay(day: string): string {
  const instant = /^\d{4}-\d{2}-\d{2}$/.test(day) ? instantFrom(`${day}T00:00Z`) : null;
  return instant ? weekdayOnCalendar.format(instant) : '';
}

const hourInIndia = dateFormat({ timeZone: 'Asia/Kolkata', hour: 'numeric' });

/** An hour of the day in India: 9 am. */
export function formatHour(moment: string): string {
  const instant = instantFrom(moment);
  return instant ? hourInIndia.format(instant) : '';
}

const shortDayOnCalendar = dateFormat({ timeZone: 'UTC', day: 'numeric', month: 'short' });
const shortMonthOnCalendar = dateFormat({ timeZone: 'UTC', month: 'short' });

/** A calendar day where there is little room, from YYYY-MM-DD: 16 Nov. */
export function formatShortDay(day: string): string {
  const instant = instantFrom(`${day}T00:00Z`);
  return instant ? shortDayOnCalendar.format(instant) : '';
}

/** The month of a calendar day, where the year is known: Nov. */
export function formatMonth(day: string): string {
  const instant = instantFrom(`${day}T00:00Z`);
  return instant ? shortMonthOnCalendar.format(instant) : '';
}
