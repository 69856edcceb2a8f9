import { z } from '#contracts/z.ts';
import { displacedBy, type Span } from '#domain/greetings/greeting-at.ts';
import { fromIndiaClock, isIndianMidnight, toIndiaClock } from '#domain/greetings/india-clock.ts';
import { formatDay, formatMoment } from '#domain/time.ts';
import { type Checked, checkWith, link, text, whole } from '../form/inputs.ts';
import type { GreetingRow } from './greeting-data.ts';

export const bannerLengths = { title: 80, message: 200 } as const;
export const bannerPicture = { ratio: 1, widths: [192] } as const;

export type BannerValues = {
  title: string;
  message: string;
  /** The address of a picture, stored or just chosen. */
  image: string;
  link: string;
  /** By the clock in India, as the field has it: 2026-11-08T00:00. */
  starts_at: string;
  ends_at: string;
  priority: string;
  has_fireworks: boolean;
  is_published: boolean;
};

export type BannerValue = Omit<BannerValues, 'priority'> & { priority: number };

const dayMilliseconds = 86_400_000;

/** A new one begins with the next day and lasts a week. */
export function startBanner(greeting: GreetingRow | null, tomorrow: number): BannerValues {
  if (!greeting)
    return {
      title: '',
      message: '',
      image: '',
      link: '',
      starts_at: toIndiaClock(tomorrow),
      ends_at: toIndiaClock(tomorrow + 7 * dayMilliseconds),
      priority: '30',
      has_fireworks: false,
      is_published: true,
    };
  return {
    title: greeting.title,
    message: greeting.message,
    image: greeting.image,
    link: greeting.link,
    starts_at: toIndiaClock(greeting.startsAt),
    ends_at: toIndiaClock(greeting.endsAt),
    priority: String(greeting.priority),
    has_fireworks: greeting.hasFireworks,
    is_published: greeting.isPublished,
  };
}

const moment = z
  .string()
  .refine((typed) => fromIndiaClock(typed) !== null, 'Choose a date and time.')
  .refine((typed) => typed >= '2000' && typed < '2100', 'Choose a year between 2000 and 2099.');
const Typed = z.object({
  title: text({ min: 1, max: bannerLengths.title }),
  message: text({ max: bannerLengths.message }),
  image: z.string(),
  link: z.union([z.string().trim().length(0), link()]),
  starts_at: moment,
  ends_at: moment,
  priority: whole({ min: -1000, max: 1000 }),
  has_fireworks: z.boolean(),
  is_published: z.boolean(),
});

export function checkBanner(values: BannerValues): Checked<BannerValue> {
  const checked = checkWith(Typed)(values);
  if (!checked.ok) return checked;
  const { starts_at, ends_at, ...others } = checked.value;
  const [start = 0, end = 0] = [fromIndiaClock(starts_at), fromIndiaClock(ends_at)].map((at) => at ?? 0);
  if (end <= start) return { ok: false, errors: { ends_at: 'Must be after the start.' } };
  return {
    ok: true,
    value: { ...others, starts_at: new Date(start).toISOString(), ends_at: new Date(end).toISOString() },
  };
}

/** What is being typed, among the others: so that the calendar can tell who wins. id 0 is one that is new. */
export function asTimed(values: BannerValues, id: number): GreetingRow | null {
  const [startsAt, endsAt] = [fromIndiaClock(values.starts_at), fromIndiaClock(values.ends_at)];
  if (startsAt === null || endsAt === null || endsAt <= startsAt) return null;
  return {
    ...values,
    id,
    startsAt,
    endsAt,
    priority: Number(values.priority) || 0,
    hasFireworks: values.has_fireworks,
    isPublished: values.is_published,
    updated_at: '',
  };
}

/** From 25 Oct 2026. */
export function startWords(instant: number): string {
  const at = new Date(instant);
  return isIndianMidnight(instant) ? formatDay(at) : formatMoment(at);
}

/** An end at midnight is the end of the day before. */
export function endWords(instant: number): string {
  return isIndianMidnight(instant) ? formatDay(new Date(instant - 1)) : formatMoment(new Date(instant));
}

/** A stretch of time; of one day, that day. */
export function spanWords({ from, to }: Span): string {
  const [start, end] = [startWords(from), endWords(to)];
  return start === end ? start : `${start} to ${end}`;
}

/** The greetings that this one replaces from now on, each with its times. */
export function placesTaken(greeting: GreetingRow, others: readonly GreetingRow[], now: number): string {
  const taken = displacedBy(greeting, others).filter(({ to }) => to > now);
  const titles = new Map(taken.map(({ greeting: { id, title } }) => [id, title]));
  const places = [...titles].map(([id, title]) => {
    const times = taken.filter((span) => span.greeting.id === id).map(whenWords);
    return `${title} ${times.join(' and ')}`;
  });
  return places.length > 0 ? `It overrides ${places.join('; ')}.` : '';
}

function whenWords({ from, to }: Span): string {
  const [start, end] = [startWords(from), endWords(to)];
  return start === end ? `on ${start}` : `from ${start} to ${end}`;
}
